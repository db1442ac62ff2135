use csv_tools::parse;

fn main() {
    let table = parse("1, 2\n3, 4\n");
    println!("{}", table.sum(1));
    println!("{}", table.sum(2));
}
