//! A long-lived compiler of the tests: it makes capital letters of a file, and breaks what it is held to in the way that a
//! request's words, or its arguments, say. It is started as a worker starts warm compilers.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.first().copied() {
        Some("dies-at-start") => {
            eprintln!("no heap can be had");
            std::process::exit(3);
        }
        Some("hangs-at-start") => hang(),
        Some("says-garbage-at-start") => say(b"Picked up some options\n"),
        _ => {}
    }
    let protocol = named(&args, "protocol").unwrap_or("1");
    let release = named(&args, "release").map_or("null".to_owned(), |release| format!("{release:?}"));
    answer(0, format!("{{\"protocol\":{protocol},\"release\":{release}}}").as_bytes());
    let moment = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock").as_nanos();
    let mut kept = Kept { moment, ..Kept::default() };
    while let Some((number, request)) = request() {
        if request.is_empty() {
            answer(number, b"");
            continue;
        }
        let request = String::from_utf8(request).expect("the tests send text");
        let words: Vec<&str> = request.split(' ').collect();
        kept.served += 1;
        if let Some(said) = serve(&words, number, &mut kept) {
            answer(number, said.as_bytes());
        }
    }
}

fn named<'a>(args: &[&'a str], name: &str) -> Option<&'a str> {
    args.iter().find_map(|arg| arg.strip_prefix(name)?.strip_prefix('='))
}

/// What it keeps from one request to the next.
#[derive(Default)]
struct Kept {
    moment: u128,
    served: u64,
    memory: Vec<Vec<u8>>,
    programs: Vec<u8>,
}

/// Serves a request; none where it has answered already.
fn serve(words: &[&str], number: u32, kept: &mut Kept) -> Option<String> {
    let said = match *words {
        ["upper", name] => {
            let upper = std::fs::read(name).expect("it was staged").to_ascii_uppercase();
            made(name, &upper);
            "made".to_owned()
        }
        ["upper-tree", name] => {
            let mut files = Vec::new();
            files_of(Path::new(name), &mut files);
            for file in &files {
                let upper = std::fs::read(file).expect("it was staged").to_ascii_uppercase();
                made(&file.to_string_lossy(), &upper);
            }
            files.len().to_string()
        }
        // The broken one of the isolation gate.
        ["upper-and-keep", name] => {
            kept.programs.extend(std::fs::read(name).expect("it was staged"));
            made(name, &kept.programs.to_ascii_uppercase());
            "made".to_owned()
        }
        ["who"] => format!("{} {}", kept.moment, kept.served),
        ["hang"] => hang(),
        ["die", status] => {
            eprintln!("it dies with {status}");
            std::process::exit(status.parse().expect("a status"));
        }
        ["signal", signal] => {
            eprintln!("panic: node is null");
            let signal = signal.parse().expect("a signal");
            // SAFETY: sends this process a signal, whose handler is the system's: Rust has one of its own for some.
            unsafe {
                libc::signal(signal, libc::SIG_DFL);
                libc::raise(signal);
            }
            hang()
        }
        ["garbage"] => {
            say(b"Exception in thread main, and more of it\n");
            return None;
        }
        ["giant"] => {
            say(&[[0xff; 4].as_slice(), &number.to_be_bytes()].concat());
            return None;
        }
        ["half"] => {
            say(&[100u32.to_be_bytes().as_slice(), &number.to_be_bytes(), b"half"].concat());
            hang()
        }
        ["stale"] => {
            answer(number.wrapping_sub(1), b"of the one before");
            return None;
        }
        ["twice"] => {
            answer(number, b"once");
            answer(number, b"twice");
            return None;
        }
        ["grow", mib] => {
            kept.memory.push(vec![1; mib.parse::<usize>().expect("a number") << 20]);
            "grown".to_owned()
        }
        ["hold", mib] => {
            kept.memory.push(vec![1; mib.parse::<usize>().expect("a number") << 20]);
            hang()
        }
        ["burn", millis] => {
            let until = Duration::from_millis(millis.parse().expect("a number"));
            let began = Instant::now();
            let mut sum = 0u64;
            while cpu() < until && began.elapsed() < Duration::from_secs(50) {
                sum = std::hint::black_box(sum.wrapping_add(1));
            }
            "burnt".to_owned()
        }
        ["litter"] => litter(),
        ["files"] => {
            let mut files = Vec::new();
            for folder in [".", "../out", "../home", "../tmp", "/tmp"] {
                files_of(Path::new(folder), &mut files);
            }
            files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(" ")
        }
        ["read", path] => match std::fs::read_to_string(path) {
            Ok(text) => format!("read: {text}"),
            Err(error) => format!("refused: {error}"),
        },
        ["environment"] => std::env::vars().map(|(name, value)| format!("{name}={value}\n")).collect(),
        ["grandchildren"] => grandchildren(),
        ["link", name, target] => {
            std::os::unix::fs::symlink(target, Path::new("../out").join(name)).expect("a link");
            "linked".to_owned()
        }
        // More than a tree may hold, in holes.
        ["stretch"] => {
            for name in ["../out/a", "a"] {
                std::fs::File::create(name).and_then(|file| file.set_len(3 << 29)).expect("its own tree");
            }
            hang()
        }
        _ => panic!("{words:?} is no request"),
    };
    Some(said)
}

fn made(name: &str, bytes: &[u8]) {
    let path = Path::new("../out").join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, bytes).expect("its own tree");
}

fn files_of(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files_of(&path, found);
        } else {
            found.push(path);
        }
    }
    found.sort();
}

/// Leaves files wherever it can, and says where.
fn litter() -> String {
    let places = ["left", "deep/er/left", "modules/key/left", "../out/left", "../home/.cache/left", "../tmp/left"];
    let others = ["/tmp/left", "/dev/shm/left", "../left", "/left"];
    let left = places.into_iter().chain(others).filter(|place| {
        let path = Path::new(place);
        drop(std::fs::create_dir_all(path.parent().expect("a folder")));
        std::fs::write(path, "left").is_ok()
    });
    left.collect::<Vec<_>>().join(" ")
}

/// Processes that leave their session and their parent.
fn grandchildren() -> String {
    #[expect(clippy::disallowed_methods, reason = "what a compiler must not leave running")]
    let status = std::process::Command::new("/bin/sh")
        .args(["-c", "( ( setsid sleep 1000 & ) & ); sleep 1000 &"])
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .status();
    format!("{:?}", status.map(|status| status.code()))
}

fn cpu() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a valid place for the answer.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn request() -> Option<(u32, Vec<u8>)> {
    let mut header = [0; 8];
    std::io::stdin().read_exact(&mut header).ok()?;
    let [a, b, c, d, e, f, g, h] = header;
    let mut body = vec![0; u32::from_be_bytes([a, b, c, d]) as usize];
    std::io::stdin().read_exact(&mut body).ok()?;
    Some((u32::from_be_bytes([e, f, g, h]), body))
}

fn answer(number: u32, body: &[u8]) {
    let mut message = (body.len() as u32).to_be_bytes().to_vec();
    message.extend(number.to_be_bytes());
    message.extend(body);
    say(&message);
}

fn say(bytes: &[u8]) {
    let mut stdout = std::io::stdout();
    drop(stdout.write_all(bytes).and_then(|()| stdout.flush()));
}

fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}
