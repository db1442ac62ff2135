const SIZE: u8 = 200 + 100;

fn main() {
    let rows = [1, 2, 3];
    println!("{} {}", SIZE, rows[5]);
}
