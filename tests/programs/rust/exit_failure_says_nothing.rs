use std::process::ExitCode;

fn main() -> ExitCode {
    println!("the last word");
    ExitCode::FAILURE
}
