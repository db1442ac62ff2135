//! Ctrl-C: the first lets the open turn end, the second ends the run at once.

use crate::agent::Interrupt;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Turns signals into what they ask for, until nobody listens any more.
pub(super) async fn watch(asked: watch::Sender<Interrupt>, say: impl Fn(&str)) {
    let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        say("signals cannot be heard here: an interrupt ends the run without its summary");
        return;
    };
    loop {
        tokio::select! {
            heard = interrupt.recv() => if heard.is_none() { return },
            heard = terminate.recv() => if heard.is_none() { return },
        }
        let already = *asked.borrow() != Interrupt::None;
        if already {
            asked.send_replace(Interrupt::Now);
        } else {
            say("interrupted: the run stops after the open turn, and can be resumed; once more stops it now");
            asked.send_replace(Interrupt::AfterTurn);
        }
    }
}
