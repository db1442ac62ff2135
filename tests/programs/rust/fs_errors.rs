use std::fs;

fn main() {
    let attempts = [
        ("missing", fs::read_to_string("nowhere.txt").err()),
        ("directory", fs::read_to_string("src").err()),
        ("not text", fs::read_to_string("data/latin.txt").err()),
        ("absolute", fs::read_to_string("/etc/passwd").err()),
        ("up", fs::read_to_string("../../../etc/passwd").err()),
        ("link outside", fs::read_to_string("docs/outside").err()),
        ("dangling", fs::read_to_string("docs/dangling").err()),
        ("proc", fs::read_to_string("/proc/1/environ").err()),
        ("root", fs::read_dir("/").err()),
        ("not empty", fs::remove_dir("src").err()),
        ("there already", fs::create_dir("src").err()),
        ("urandom", fs::File::open("/dev/urandom").err()),
    ];
    for (name, error) in attempts {
        match error {
            Some(error) => println!("{name}: {:?}: {error}", error.kind()),
            None => println!("{name}: answered"),
        }
    }
    println!("{:?}", fs::read_link("docs/readme-link.md"));
}
