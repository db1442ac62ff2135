//! Membrane of `feedback`: what the guest says of the program. It only adds words: how the program ended is the engine's
//! to say.

use crate::contract::feedback::{Failure, Host};
use crate::executor::protocol::{self, MAX_MESSAGE_BYTES};
use crate::executor::run::Program;

fn bounded(mut text: String) -> String {
    if text.len() > MAX_MESSAGE_BYTES {
        // The head says where it happened in some languages, the tail in others: both are kept.
        let head = text.floor_char_boundary(MAX_MESSAGE_BYTES / 2);
        let tail = text.ceil_char_boundary(text.len() - MAX_MESSAGE_BYTES / 2);
        text = format!("{}\n… {} bytes dropped …\n{}", &text[..head], tail - head, &text[tail..]);
    }
    text
}

impl Host for Program {
    fn log(&mut self, line: String) {
        self.log.push(line.as_bytes());
        self.log.push(b"\n");
    }

    fn returned(&mut self, note: String) {
        self.returned = Some(bounded(note));
    }

    fn error(&mut self, failure: Failure) {
        self.failure = Some(protocol::Failure {
            kind: failure.kind,
            code: failure.code,
            exit_code: failure.exit_code,
            message: bounded(failure.message),
            location: failure.location.map(|l| (l.line, l.column)),
        });
    }

    fn module_error(&mut self, key: String, failure: Failure) {
        // The program that imported it fails with its own error. What its author is to know goes to the log.
        self.log(format!("the module {key} does not load: {}", bounded(failure.message)));
    }
}
