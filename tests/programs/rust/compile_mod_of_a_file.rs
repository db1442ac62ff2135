mod helpers;

#[path = "/etc/hostname"]
mod host;

fn main() {
    helpers::run();
}
