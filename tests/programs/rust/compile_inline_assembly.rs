use std::arch::asm;

fn main() {
    unsafe {
        asm!("mov rax, 60", "syscall");
    }
}
