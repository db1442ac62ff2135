//! What the compiler's own environment was, as `env!` reads it.

const VARIABLES: [(&str, &str); 6] = [
    ("/tmp", env!("TMPDIR")),
    ("/home/.cache", env!("XDG_CACHE_HOME")),
    ("/home/.config", env!("XDG_CONFIG_HOME")),
    ("/home/.local/share", env!("XDG_DATA_HOME")),
    ("/home/.local/state", env!("XDG_STATE_HOME")),
    ("/tmp", env!("XDG_RUNTIME_DIR")),
];

fn main() {
    let root = env!("HOME").strip_suffix("/home").expect("a home in a tree of its own");
    for (place, value) in VARIABLES {
        assert_eq!(value.strip_prefix(root), Some(place));
    }
    println!("one tree");
    println!("{} {:?}", env!("RUSTUP_TOOLCHAIN"), option_env!("CARGO_HOME"));
}
