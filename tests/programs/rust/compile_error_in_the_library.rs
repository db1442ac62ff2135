fn main() {
    let table = std::array::from_fn::<u8, { usize::MAX }, _>(|place| place as u8);
    println!("{}", table.len());
}
