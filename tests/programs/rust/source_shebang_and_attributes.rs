#!/usr/bin/env run-cargo-script
#![allow(dead_code)]
//! A program with a shebang.

fn main() {
    println!("hello");
}
