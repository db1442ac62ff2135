fn main() {
    let text = "Zażółć gęślą jaźń — 日本 👩‍🚀";
    println!("{} bytes, {} chars", text.len(), text.chars().count());
    println!("{} | {}", text.to_uppercase(), text.chars().rev().collect::<String>());
    println!("{:?}", text.char_indices().filter(|(_, c)| c.is_alphabetic()).nth(3));
    println!("{:?}", "key=a=b".split_once('='));
    println!("{:?}", " a  b ".split_whitespace().collect::<Vec<_>>());
    println!("{:?} {:?}", "0x1F".strip_prefix("0x").map(|hex| u8::from_str_radix(hex, 16)), "1_000".parse::<u32>());
    println!("{:?}", String::from_utf8_lossy(&[b'a', 0xff, b'b']));
    println!("{:?}", "line one\r\nline two\n".lines().collect::<Vec<_>>());
    println!("{:>8}|{:-^9}|{:+}|{:08.3}|{:e}", "r", "mid", 5, -1.5, 12345.0);
}
