fn main() {
    let total = 3;
    println!("{}", totl + 1);
    undefined_function(total);
    let map: HashMap<String, u32> = HashMap::new();
    println!("{map:?}");
}
