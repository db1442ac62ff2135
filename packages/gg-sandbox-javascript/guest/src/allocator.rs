//! The engine's memory: libc's allocator, which grows linear memory until the store
//! refuses, so that the store's limit is the only one.

use std::alloc::{Layout, alloc, dealloc};
use std::cell::Cell;
use std::ffi::c_void;

use rquickjs::allocator::Allocator;

unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn realloc(pointer: *mut c_void, size: usize) -> *mut c_void;
    fn free(pointer: *mut c_void);
    fn malloc_usable_size(pointer: *mut c_void) -> usize;
}

/// What is kept aside so that a program's running out of memory can be described.
const RESERVE_BYTES: usize = 512 * 1024;
const RESERVE: Layout = match Layout::from_size_align(RESERVE_BYTES, 16) {
    Ok(layout) => layout,
    Err(_) => panic!("the reserve has a valid layout"),
};

thread_local! {
    static REFUSED: Cell<bool> = const { Cell::new(false) };
    static RESERVED: Cell<*mut u8> = const { Cell::new(std::ptr::null_mut()) };
}

/// Whether an allocation was ever refused. QuickJS throws `null` where it cannot even
/// make the error, and a program may throw `null` itself.
pub fn refused() -> bool {
    REFUSED.get()
}

/// Takes the reserve; done when the guest is built, so it costs a run nothing.
pub fn reserve() {
    // SAFETY: the layout's size is not zero.
    RESERVED.set(unsafe { alloc(RESERVE) });
}

/// Gives the reserve back to the allocator.
pub fn release_reserve() {
    let pointer = RESERVED.replace(std::ptr::null_mut());
    if !pointer.is_null() {
        // SAFETY: `reserve` allocated it with this layout, and it is given back once.
        unsafe { dealloc(pointer, RESERVE) }
    }
}

pub struct Libc;

fn watched(pointer: *mut c_void) -> *mut u8 {
    if pointer.is_null() {
        REFUSED.set(true);
    }
    pointer.cast()
}

// SAFETY: each method is libc's own of the same contract.
unsafe impl Allocator for Libc {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        // SAFETY: malloc accepts any size.
        watched(unsafe { malloc(size) })
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        // SAFETY: calloc checks the product itself.
        watched(unsafe { calloc(count, size) })
    }

    unsafe fn dealloc(&mut self, pointer: *mut u8) {
        // SAFETY: the caller gives a pointer of this allocator.
        unsafe { free(pointer.cast()) }
    }

    unsafe fn realloc(&mut self, pointer: *mut u8, new_size: usize) -> *mut u8 {
        // SAFETY: the caller gives a pointer of this allocator.
        watched(unsafe { realloc(pointer.cast(), new_size) })
    }

    unsafe fn usable_size(pointer: *mut u8) -> usize {
        // SAFETY: the caller gives a pointer of this allocator.
        unsafe { malloc_usable_size(pointer.cast()) }
    }
}
