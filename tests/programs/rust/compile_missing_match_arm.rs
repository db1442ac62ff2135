enum Answer {
    Yes,
    No,
    Perhaps,
}

fn main() {
    let answer = Answer::Yes;
    let n = match answer {
        Answer::Yes => 1,
        Answer::No => 0,
    };
    println!("{n}");
}
