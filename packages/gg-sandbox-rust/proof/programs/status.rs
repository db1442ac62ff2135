use std::process::ExitCode;

fn main() -> ExitCode {
    println!("leaving");
    ExitCode::from(3)
}
