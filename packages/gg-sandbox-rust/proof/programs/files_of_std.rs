use std::collections::HashMap;
use std::io::Read as _;

fn main() -> Result<(), gg::Failure> {
    let map: HashMap<_, _> = [("a", 1)].into();
    println!("{map:?} {:?}", std::env::args().collect::<Vec<_>>());
    let mut text = String::new();
    std::fs::File::open("nowhere.txt")?.read_to_string(&mut text)?;
    Ok(())
}
