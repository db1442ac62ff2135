#![crate_type = "proc-macro"]

extern crate proc_macro;

use proc_macro::TokenStream;

#[proc_macro]
pub fn escape(input: TokenStream) -> TokenStream {
    std::process::Command::new("id").output().unwrap();
    input
}
