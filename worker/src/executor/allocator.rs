//! What an executor does when memory is refused to it: it ends with a status of its own, so that the worker knows the
//! death for what it is. Every other process keeps the usual behaviour.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit status of an executor that ran out of memory.
pub const OUT_OF_MEMORY_STATUS: i32 = 86;

static ENDS_ON_REFUSAL: AtomicBool = AtomicBool::new(false);

/// From now on a refused allocation ends this process with [`OUT_OF_MEMORY_STATUS`].
pub fn end_on_refusal() {
    ENDS_ON_REFUSAL.store(true, Ordering::Relaxed);
}

/// Has the C library ask the kernel for memory in steps of megabytes. Mapping a guest makes tens of thousands of small
/// allocations, and the usual steps of 128 KiB are a tenth of what that takes.
pub fn grow_in_large_steps() {
    #[cfg(target_env = "gnu")]
    // SAFETY: no other thread runs, and the options are the C library's own.
    unsafe {
        libc::mallopt(libc::M_TOP_PAD, 4 << 20);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 8 << 20);
        // What is larger than a megabyte still goes back to the kernel at once.
        libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 20);
    }
}

struct Allocator;

fn checked(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() && ENDS_ON_REFUSAL.load(Ordering::Relaxed) {
        // SAFETY: `_exit` has no preconditions, and allocates nothing.
        unsafe { libc::_exit(OUT_OF_MEMORY_STATUS) }
    }
    pointer
}

// SAFETY: every call goes to the system's allocator unchanged; only null results are looked at.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's obligations are the system allocator's.
        checked(unsafe { System.alloc(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.realloc(pointer, layout, size) })
    }
}

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;
