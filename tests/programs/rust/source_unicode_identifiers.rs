fn größe(länge: f64) -> f64 {
    länge * 2.0
}

fn main() {
    let 数 = größe(1.5);
    println!("{数}");
    let ж: u32 = "ж";
}
