macro_rules! map {
    ($($key:expr => $value:expr),* $(,)?) => {
        std::collections::BTreeMap::from([$(($key, $value)),*])
    };
}

macro_rules! shapes {
    ($($name:ident { $($field:ident: $type:ty),* })*) => {
        $(
            #[derive(Debug, Default)]
            struct $name { $($field: $type),* }
        )*
    };
}

shapes! {
    Point { x: i32, y: i32 }
    Label { text: String }
}

fn main() {
    println!("{:?}", map! { "a" => 1, "b" => 2, });
    println!("{:?} {:?}", Point { x: 1, ..Default::default() }, Label::default());
    println!("{}", concat!("line ", line!(), " of ", file!()));
}
