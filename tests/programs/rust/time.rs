use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

fn main() {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
    println!("{}", since > Duration::from_secs(1_700_000_000));
    let (first, second) = (Instant::now(), Instant::now());
    println!("{}", second >= first);
    println!("{:?}", Duration::from_millis(1500));
}
