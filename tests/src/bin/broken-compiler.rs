//! A compiler of the tests that runs once, and breaks what it is held to in the way that its argument says.

use std::io::Write;
use std::time::Duration;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match *args {
        ["hang"] => hang(),
        ["upper", from, to] => {
            let upper = std::fs::read(from).expect("a source").to_ascii_uppercase();
            std::fs::write(to, upper).expect("its output");
        }
        // A gigabyte of diagnostics, and an end that says what it was.
        ["flood"] => {
            let line = b"error: and this is wrong as well, at length\n".repeat(1 << 12);
            for _ in 0..(1 << 30) / line.len() {
                std::io::stderr().write_all(&line).expect("it is read");
            }
            eprintln!("aborting");
            std::process::exit(1);
        }
        ["bytes"] => {
            std::io::stderr().write_all(b"error: \xff\xfe in \xc3\x28\n").expect("it is read");
            std::process::exit(1);
        }
        ["bytes-and-die"] => {
            std::io::stderr().write_all(&[b"error: \xff\xfe".as_slice(), &[0xc3; 5_000]].concat()).expect("it is read");
            std::process::abort();
        }
        // More than a workspace may hold, in holes.
        ["stretch"] => {
            for name in ["a", "../out/b"] {
                std::fs::File::create(name).and_then(|file| file.set_len(3 << 29)).expect("its workspace");
            }
            hang()
        }
        ["files"] => {
            for number in 0..200_000 {
                if std::fs::File::create(format!("../out/{number}")).is_err() {
                    break;
                }
            }
            hang()
        }
        ["memory"] => {
            let mut kept = Vec::new();
            loop {
                kept.push(vec![1u8; 16 << 20]);
            }
        }
        ["grandchildren"] => {
            #[expect(clippy::disallowed_methods, reason = "what a compiler must not leave running")]
            let status = std::process::Command::new("/bin/sh")
                .args(["-c", "( ( setsid sleep 1000 & ) & ); nohup sleep 1000 & exit 3"])
                .status()
                .expect("a shell");
            std::process::exit(status.code().unwrap_or(1));
        }
        ["forks"] => {
            #[expect(clippy::disallowed_methods, reason = "what a compiler must not do")]
            let mut shell = std::process::Command::new("/bin/sh")
                .args(["-c", "while :; do sleep 1000 & done"])
                .spawn()
                .expect("a shell");
            drop(shell.wait());
            hang()
        }
        _ => panic!("{args:?} is no way to break"),
    }
}

fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}
