use std::env;

fn main() {
    println!("{:?}", env::args().collect::<Vec<_>>());
    println!("{:?}", env::vars().collect::<Vec<_>>());
    println!("{:?} {:?}", env::var("HOME"), env::current_dir());
    println!("{:?}", env::current_exe().map_err(|error| error.to_string()));
    println!("{} {} {}", env::consts::OS, env::consts::ARCH, cfg!(target_pointer_width = "32"));
    println!("{} {} {}", file!(), line!(), module_path!());
    println!("{:?} {:?}", option_env!("CARGO_PKG_NAME"), option_env!("RUSTC"));
    println!("{}", std::any::type_name::<Vec<gg::Failure>>());
}
