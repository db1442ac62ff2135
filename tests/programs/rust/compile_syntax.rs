fn main() {
    let numbers = [1, 2, 3;
    for number in numbers {
        println!("{number}");
    }
}
