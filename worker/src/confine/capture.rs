//! What is kept of an output, in bounded memory whatever is written.

use std::collections::VecDeque;

/// Which part of an output is kept when it does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Its beginning.
    Head,
    /// Its end.
    Tail,
}

/// What a job wrote to one of its outputs, as far as it was kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Captured {
    /// The part that was kept.
    pub bytes: Vec<u8>,
    /// How many bytes were written.
    pub written: u64,
}

impl Captured {
    /// Whether something was written that was not kept.
    pub fn truncated(&self) -> bool {
        self.written > self.bytes.len() as u64
    }
}

/// Keeps at most a number of bytes of what is pushed.
#[derive(Debug)]
pub(super) struct Capture {
    part: Part,
    room: usize,
    kept: VecDeque<u8>,
    written: u64,
}

impl Capture {
    pub(super) fn new(part: Part, room: usize) -> Capture {
        Capture { part, room, kept: VecDeque::new(), written: 0 }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.written += bytes.len() as u64;
        match self.part {
            Part::Head => {
                let free = self.room - self.kept.len();
                self.kept.extend(&bytes[..bytes.len().min(free)]);
            }
            Part::Tail => {
                let bytes = &bytes[bytes.len().saturating_sub(self.room)..];
                let excess = (self.kept.len() + bytes.len()).saturating_sub(self.room);
                self.kept.drain(..excess);
                self.kept.extend(bytes);
            }
        }
    }

    pub(super) fn finish(self) -> Captured {
        Captured { bytes: self.kept.into(), written: self.written }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(part: Part, pushes: &[&[u8]]) -> Captured {
        let mut capture = Capture::new(part, 4);
        pushes.iter().for_each(|bytes| capture.push(bytes));
        capture.finish()
    }

    #[test]
    fn the_tail_or_the_head_is_kept_and_the_rest_counted() {
        assert_eq!(kept(Part::Tail, &[b"abc", b"def"]), Captured { bytes: b"cdef".to_vec(), written: 6 });
        assert_eq!(kept(Part::Tail, &[b"abcdefgh", b"i"]), Captured { bytes: b"fghi".to_vec(), written: 9 });
        assert_eq!(kept(Part::Head, &[b"abc", b"def"]), Captured { bytes: b"abcd".to_vec(), written: 6 });
        assert!(!kept(Part::Tail, &[b"abcd"]).truncated());
        assert!(kept(Part::Tail, &[b"abcde"]).truncated());
    }
}
