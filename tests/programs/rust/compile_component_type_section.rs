#[used]
#[unsafe(link_section = "component-type:mine")]
static SECTION: [u8; 4] = *b"\0asm";

fn main() {
    println!("hello");
}
