//! An executor that breaks its contract in the way that its file's name says. It is started as a worker starts executors.

use gg_worker::executor::frame::{Kind, Wire};
use std::os::fd::FromRawFd;
use std::os::unix::net::UnixStream;

fn main() {
    let how = std::env::args().next().unwrap_or_default();
    let how = how.rsplit('/').next().unwrap_or_default().to_owned();
    // SAFETY: the worker started this process with one end of a socket pair as descriptor 0, which nothing else owns.
    let socket = unsafe { UnixStream::from_raw_fd(0) };
    let raw = socket.try_clone().expect("a descriptor");
    let mut first = [0u8; 256];
    // The list of guests, whose descriptors are of no use here.
    let _ = std::io::Read::read(&mut &socket, &mut first);
    let mut wire = Wire::new(socket);
    if how == "dies-at-start" {
        std::process::exit(3);
    }
    if how == "says-garbage-at-start" {
        return end_with(&raw, b"hello, this is no frame at all");
    }
    wire.send(Kind::Ready, &[]).expect("the worker listens");
    let Ok((Kind::Assign, _)) = wire.receive() else { return };
    if how == "refuses-its-agent" {
        return drop(wire.send(Kind::Failed, b"there is no kernel here"));
    }
    wire.send(Kind::Confined, &[]).expect("the worker listens");
    if how == "never-reads" {
        return wait();
    }
    let Ok((Kind::Run, _)) = wire.receive() else { return };
    match how.as_str() {
        "dies" => std::process::exit(1),
        "says-garbage" => end_with(&raw, &[0xff; 4096]),
        "states-a-giant-frame" => end_with(&raw, &[0xff, 0xff, 0xff, 0x7f, 6]),
        "states-an-empty-frame" => end_with(&raw, &[0, 0, 0, 0, 6]),
        "sends-half-a-frame" => end_with(&raw, &[200, 0, 0, 0, 6, 1, 2]),
        "is-ready-again" => drop(wire.send(Kind::Ready, &[])),
        "replies-to-nothing" => drop(wire.send(Kind::Reply, &[1, 2, 3])),
        "ends-without-a-word" => drop(wire.send(Kind::Done, &[])),
        "ends-with-garbage" => drop(wire.send(Kind::Done, &[0xee; 1000])),
        "calls-what-is-in-no-table" => drop(wire.send(Kind::Call, &[250])),
        "calls-nothing" => drop(wire.send(Kind::Call, &[])),
        "fails-at-length" => drop(wire.send(Kind::Failed, &vec![b'x'; 70 << 20])),
        "says-it-failed" => drop(wire.send(Kind::Failed, b"internal_error: the farm is on fire")),
        "calls-and-never-reads" => loop {
            // Programs' calls are answered one by one; here the answers pile up.
            if wire.send(Kind::Call, &[11, 0xff, 0xff, 0xff]).is_err() {
                return;
            }
        },
        "ends-twice" | "ends-too-long" => {
            let done = done(if how == "ends-too-long" { 60 << 20 } else { 0 });
            drop(wire.send(Kind::Done, &done));
            drop(wire.send(Kind::Done, &done));
        }
        other => panic!("{other} is no way to break"),
    }
    wait();
}

fn done(log: usize) -> Vec<u8> {
    let done = gg_worker::executor::protocol::Done {
        end: gg_worker::executor::protocol::End::Completed,
        failure: None,
        log: vec![b'x'; log],
        log_dropped: 0,
        stderr: Vec::new(),
        returned: None,
        guest_ns: u64::MAX,
        instantiate_ns: u64::MAX,
        memory_peak: u64::MAX,
    };
    postcard::to_stdvec(&done).expect("encodes")
}

fn end_with(mut raw: &UnixStream, bytes: &[u8]) {
    drop(std::io::Write::write_all(&mut raw, bytes));
    wait();
}

/// Until the worker is gone or ends this.
fn wait() {
    let mut byte = [0u8; 1];
    // SAFETY: descriptor 0 stays open; the buffer outlives the calls.
    while unsafe { libc::recv(0, byte.as_mut_ptr().cast(), 1, libc::MSG_PEEK) } > 0 {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}
