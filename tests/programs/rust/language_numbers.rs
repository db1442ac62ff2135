fn main() {
    println!("{:?} {:?}", 200u8.checked_add(100), 200u8.saturating_add(100));
    println!("{} {:?}", 200u8.wrapping_add(100), i32::MAX.overflowing_add(1));
    println!("{} {} {}", -7 / 2, -7 % 2, (-7i32).rem_euclid(2));
    println!("{} {} {}", 0.1 + 0.2, f64::NAN, 1.0 / 0.0_f64);
    println!("{} {}", u128::MAX, 300.7_f64 as u8);
    println!("{:?} {:?}", "3.5".parse::<f64>(), "".parse::<i32>());
    println!("{} {}", usize::BITS, 2f64.sqrt());
}
