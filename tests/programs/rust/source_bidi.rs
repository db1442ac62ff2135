fn main() {
    let access = "user‮";
    println!("{access}"); // ⁦ only admins
}
