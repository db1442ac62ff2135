use gg::programs;

fn main() {
    let results = [
        programs::rerun(" \n"),
        programs::rerun(&"x".repeat(2001)),
        programs::rerun("fn main() { println!(\"the first stands\"); }"),
        programs::rerun("fn main() { println!(\"the second is refused\"); }"),
    ];
    for result in results {
        match result {
            Ok(()) => println!("answered"),
            Err(error) => println!("{error}"),
        }
    }
}
