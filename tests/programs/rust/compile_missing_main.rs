pub fn helper() -> u32 {
    1
}
