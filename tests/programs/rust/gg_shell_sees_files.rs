use gg::{files, shell};

fn main() -> Result<(), gg::Failure> {
    files::write_file("script.sh", "echo \"hello $1\"\n")?;
    print!("{}", shell::run("bash script.sh world | tr a-z A-Z", None)?.output);
    std::fs::write("by_rust.txt", "x\n")?;
    print!("{}", shell::run("cat by_rust.txt", None)?.output);
    let seen = shell::run("ls -a / | tr '\\n' ' '; which rustc cargo; echo $HOME; ls -a", None)?;
    println!("{}", seen.output.contains("program.rs"));
    shell::run("", None)?;
    Ok(())
}
