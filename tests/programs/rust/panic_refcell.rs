use std::cell::RefCell;

fn main() {
    let shared = RefCell::new(vec![1, 2, 3]);
    for item in shared.borrow().iter() {
        if *item == 2 {
            shared.borrow_mut().push(4);
        }
    }
}
