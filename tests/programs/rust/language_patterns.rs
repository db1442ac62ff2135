#[derive(Debug)]
enum Token<'a> {
    Number(i64),
    Word(&'a str),
    Pair { key: &'a str, value: Option<Box<Token<'a>>> },
}

fn token(text: &str) -> Token<'_> {
    if let Some((key, rest)) = text.split_once('=') {
        let value = (!rest.is_empty()).then(|| Box::new(token(rest)));
        return Token::Pair { key, value };
    }
    text.parse().map_or(Token::Word(text), Token::Number)
}

fn main() {
    for text in ["12", "-3", "a", "b=7", "c=", "d=e=f"] {
        let described = match token(text) {
            Token::Number(n @ 0..=99) => format!("small {n}"),
            Token::Number(n) if n < 0 => format!("negative {n}"),
            Token::Number(n) => format!("big {n}"),
            Token::Word(word) => format!("word {word}"),
            Token::Pair { key, value: Some(value) } => format!("{key} is {value:?}"),
            Token::Pair { key, .. } => format!("{key} is nothing"),
        };
        println!("{described}");
    }
    let [first, .., last] = [1, 2, 3, 4];
    let Some(n) = [5].first() else { panic!("none") };
    println!("{first} {last} {n}");
}
