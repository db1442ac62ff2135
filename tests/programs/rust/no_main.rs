#![no_main]

#[unsafe(no_mangle)]
pub extern "C" fn _start() {}
