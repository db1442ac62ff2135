use std::process::ExitCode;

fn main() -> ExitCode {
    println!("three rows are wrong");
    ExitCode::from(3)
}
