extern crate serde_core;

use either::Either;
use hashbrown::HashMap;
use memchr::memchr;
use regex_syntax::Parser;
use aho_corasick::AhoCorasick;

fn main() {
    println!("{}", itoa::Buffer::new().format(1));
}
