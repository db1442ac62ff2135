const N: u32 = {
    let mut n = 0u32;
    loop {
        n = n.wrapping_add(1);
    }
};

fn main() {
    println!("{N}");
}
