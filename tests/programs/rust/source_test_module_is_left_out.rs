fn double(n: u32) -> u32 {
    n * 2
}

fn main() {
    println!("{}", double(4));
}

#[cfg(test)]
mod tests {
    #[test]
    fn doubles() {
        assert_eq!(super::double(2), 4);
    }
}
