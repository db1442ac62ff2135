//! `coordinator show`.

use super::exit::{self, Exit};
use super::progress::say;
use super::transcript::{Transcript, turn_of};
use crate::plan::resume::find;
use crate::records::RunFolder;
use clap::Args;
use gg_common::event::{Event, EventBody};
use gg_common::folders::CacheRoot;
use gg_common::job::Body;
use gg_common::ledger::read_log;
use gg_common::objects::{Durability, Objects};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

/// What `coordinator show` is called with.
#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub struct ShowArgs {
    /// The run: its name, or a beginning of it that no other has
    pub run: String,

    /// Only this turn
    #[arg(long, value_name = "N")]
    pub turn: Option<u32>,

    /// Only the program of this turn, byte for byte
    #[arg(long, value_name = "N", conflicts_with_all = ["turn", "follow", "json"])]
    pub program: Option<u32>,

    /// Go on as the run goes on, until it ends
    #[arg(long, conflicts_with = "turn")]
    pub follow: bool,

    /// Print the events as JSON lines
    #[arg(long)]
    pub json: bool,

    /// Do not page on a terminal
    #[arg(long)]
    pub no_pager: bool,

    /// Where runs lie
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub runs: PathBuf,
}

/// How often a log that is followed is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Runs the command.
pub(super) fn main(args: &ShowArgs) -> Exit {
    let folder = match find(&args.runs, &args.run) {
        Ok(folder) => folder,
        Err(error) => {
            say(&error.to_string());
            return Exit::Usage;
        }
    };
    let shown = match args.program {
        Some(turn) => return program(&folder, turn),
        None => show(args, &folder),
    };
    match shown {
        Ok(exit) => exit,
        // Who reads has read enough.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Exit::Finished,
        Err(error) => {
            say(&format!("the run {} cannot be shown: {error}", folder.run()));
            Exit::Failed
        }
    }
}

fn program(folder: &RunFolder, turn: u32) -> Exit {
    match folder.program(turn).or_else(|| folder.rejected(turn)) {
        Some(bytes) => match std::io::stdout().write_all(&bytes) {
            Ok(()) => Exit::Finished,
            Err(_) => Exit::Failed,
        },
        None => {
            say(&format!("the run {} has no program of turn {turn}", folder.run()));
            Exit::Usage
        }
    }
}

fn show(args: &ShowArgs, folder: &RunFolder) -> std::io::Result<Exit> {
    let objects = CacheRoot::from_environment().ok().and_then(|root| {
        let place = root.objects();
        // A person may look where nothing can be written.
        place.is_dir().then(|| Objects::in_folder(&place, Durability::Cached).ok()).flatten()
    });
    let read = |body: &Body| match body {
        Body::Inline(text) => text.clone(),
        Body::Object { key, bytes } => match objects.as_ref().map(|objects| objects.get_blocking(key)) {
            Some(Ok(text)) => String::from_utf8_lossy(&text).into_owned(),
            Some(Err(error)) => format!("[{bytes} bytes that cannot be read: {error}]"),
            None => format!("[{bytes} bytes in an object store that is not here]"),
        },
    };
    let transcript = Transcript { read: &read, only: args.turn };
    let mut seen = 0;
    let mut text = String::new();
    loop {
        let events = read_log(folder.path()).map_err(std::io::Error::other)?;
        for event in &events[seen.min(events.len())..] {
            if args.json {
                if args.turn.is_none() || turn_of(&event.event) == args.turn {
                    text.push_str(&serde_json::to_string(event)?);
                    text.push('\n');
                }
            } else {
                text.push_str(&transcript.event(event));
            }
        }
        seen = events.len();
        let over = matches!(events.last(), Some(Event { event: EventBody::RunEnded { .. }, .. }));
        if args.follow {
            print(&std::mem::take(&mut text), Paging::Never)?;
            if !over {
                std::thread::sleep(LOOK_EVERY);
                continue;
            }
        }
        break;
    }
    if let Some(turn) = args.turn
        && text.is_empty()
    {
        say(&format!("the run {} has no turn {turn}", folder.run()));
        return Ok(Exit::Usage);
    }
    print(&text, if args.no_pager || args.json { Paging::Never } else { Paging::OnATerminal })?;
    Ok(Exit::Finished)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paging {
    Never,
    OnATerminal,
}

fn print(text: &str, paging: Paging) -> std::io::Result<()> {
    if paging == Paging::OnATerminal && std::io::stdout().is_terminal() && std::io::stdin().is_terminal() {
        let pager = minus::Pager::new();
        let paged =
            pager.set_text(text).and_then(|()| pager.set_run_no_overflow(false)).and_then(|()| minus::page_all(pager));
        return paged.map_err(std::io::Error::other);
    }
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
