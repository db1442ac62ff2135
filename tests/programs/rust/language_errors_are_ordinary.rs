use std::num::ParseIntError;

fn parse(text: &str) -> Result<i32, ParseIntError> {
    text.trim().parse()
}

fn main() {
    let (good, bad): (Vec<_>, Vec<_>) = ["1", " 2", "x", ""].iter().map(|text| parse(text)).partition(Result::is_ok);
    println!("{:?}", good.into_iter().map(Result::unwrap).collect::<Vec<_>>());
    for error in bad.into_iter().filter_map(Result::err) {
        println!("{error}");
    }
    let all: Result<Vec<i32>, _> = ["1", "y"].iter().map(|text| parse(text)).collect();
    println!("{all:?}");
    println!("{:?}", Some(3).filter(|n| n % 2 == 0).or(Some(8)).map_or(0, |n| n + 1));
}
