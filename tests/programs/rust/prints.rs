use std::io::Write;

fn main() {
    println!("to the log: {:>6.2}|{:<4}|{:^5}|{:#x}|{:?}", 3.14159, "ab", 'c', 255, "q\"");
    print!("no end of line");
    std::io::stdout().write_all(b" and bytes\n").unwrap();
    eprintln!("to standard error");
    let answer = 42;
    println!("{answer:05} {0} {0:?} {name}", "twice", name = "named");
    println!("naïve café, 日本語, 👍");
    dbg!(answer * 2);
    print!("the last line has no end");
}
