fn main() {
    let far = usize::MAX as *const u32;
    println!("{}", unsafe { far.read_unaligned() });
}
