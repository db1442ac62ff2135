use gg::shell;

fn main() -> Result<(), gg::Failure> {
    println!("{:?}", shell::run("echo out; echo err >&2; exit 3", None)?);
    print!("{}", shell::run("wc -l < README.md; pwd; echo from bash > made.txt", None)?.output);
    println!("{:?}", shell::run("kill -9 $$", None)?);
    let long = shell::run("seq 1 20000", None)?;
    println!("{} {} {}", long.truncated, long.output.len(), &long.output[long.output.len() - 12..].trim());
    shell::run("sleep 30", Some(1))?;
    Ok(())
}
