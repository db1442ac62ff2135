use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};

fn main() -> Result<(), gg::Failure> {
    let text = BASE64_STANDARD.encode("grüße");
    println!("{text} {}", BASE64_URL_SAFE_NO_PAD.encode([0xfb, 0xff]));
    println!("{}", String::from_utf8(BASE64_STANDARD.decode(&text)?)?);
    BASE64_STANDARD.decode("a$==")?;
    Ok(())
}
