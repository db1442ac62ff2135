use std::collections::HashMap;

fn main() {
    let ages = HashMap::from([("ada", 36)]);
    print!("without an end of line");
    println!("{}", ages.get("bob").unwrap());
}
