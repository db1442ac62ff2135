#[derive(Debug)]
enum State {
    Done { left: u32 },
}

fn check(state: State) {
    let State::Done { left } = state;
    if left > 0 {
        panic!("{left} items are left:\n{state:?}", state = State::Done { left });
    }
}

fn main() {
    check(State::Done { left: 2 });
}
