```rust
fn main() {
    println!("hello");
}
```
