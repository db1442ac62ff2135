//! A run as a person reads it: each event as text.

use anstyle::{AnsiColor, Style};
use gg_common::check::Verdict;
use gg_common::event::{Ending, Event, EventBody};
use gg_common::job::{Body, CallRecord, Effect, Timings, ViewKind};
use gg_common::outcome::Outcome;
use gg_common::plain::printable;
use std::fmt::Write;

const HEAD: Style = AnsiColor::Cyan.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const FAINT: Style = Style::new().dimmed();

/// Tells the events of a run, one after the other.
pub(super) struct Transcript<'a> {
    /// Gives the text of a body.
    pub read: &'a dyn Fn(&Body) -> String,
    /// Only this turn.
    pub only: Option<u32>,
}

/// The turn that an event belongs to; none for what is about the whole run.
pub(super) fn turn_of(event: &EventBody) -> Option<u32> {
    match event {
        EventBody::Reply { turn, .. } | EventBody::TurnStarted { turn, .. } | EventBody::CodeExecution { turn, .. } => {
            Some(*turn)
        }
        EventBody::RunStarted { .. }
        | EventBody::RunResumed { .. }
        | EventBody::Checked { .. }
        | EventBody::RunEnded { .. } => None,
    }
}

/// A moment as people write it, UTC.
pub(super) fn moment(unix_ms: u64) -> String {
    // The run's name carries the same moment in the form that sorts.
    let id = crate::records::run_id(unix_ms, 0).0;
    let (date, time) = (&id[..8], &id[9..15]);
    let two = |text: &str, at: usize| text[at..at + 2].to_owned();
    format!("{}-{}-{} {}:{}:{}", &date[..4], two(date, 4), two(date, 6), two(time, 0), two(time, 2), two(time, 4))
}

fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

fn block(out: &mut String, text: &str) {
    // Further in than the lines of the transcript itself, so that no text passes for one of those.
    for line in printable(text).trim_end_matches('\n').split('\n') {
        out.push_str(if line.is_empty() { "" } else { "  " });
        out.push_str(line);
        out.push('\n');
    }
}

impl Transcript<'_> {
    /// The text of an event; empty for what says nothing to a person, and for what belongs to other turns.
    pub fn event(&self, event: &Event) -> String {
        if self.only.is_some() && turn_of(&event.event) != self.only {
            return String::new();
        }
        let mut out = String::new();
        match &event.event {
            EventBody::RunStarted { task, profile, platform, tree, .. } => {
                let files = if tree.is_some() { ", with files" } else { "" };
                let began = moment(event.at_ms);
                out = format!("{}\n", paint(HEAD, format!("run {}", event.run)));
                let _ = writeln!(
                    out,
                    "{}\n",
                    paint(
                        FAINT,
                        format!(
                            "{}{files}; began {began} UTC on gg-farm {}",
                            profile.arm.display_name(),
                            platform.version
                        )
                    )
                );
                block(&mut out, &(self.read)(task));
            }
            EventBody::Reply { turn, text, usage, window_tokens, .. } => {
                let mut tokens = format!("read {window_tokens} tokens");
                if usage.input_tokens + usage.output_tokens > 0 {
                    let _ =
                        write!(tokens, "; its provider counts {} in, {} out", usage.input_tokens, usage.output_tokens);
                }
                let _ = writeln!(
                    out,
                    "\n{} {}",
                    paint(HEAD, format!("━━ turn {turn}")),
                    paint(FAINT, format!("({tokens})"))
                );
                block(&mut out, &(self.read)(text));
            }
            EventBody::TurnStarted { attempt, .. } if *attempt > 1 => {
                let _ = writeln!(out, "{}", paint(FAINT, format!("── attempt {attempt}")));
            }
            EventBody::TurnStarted { .. } => {}
            EventBody::CodeExecution { outcome, effects, calls, refusals, log, stderr, timings, .. } => {
                self.execution(&mut out, outcome, timings);
                self.calls(&mut out, calls, refusals);
                let log = (self.read)(log);
                for (name, text) in [("log", log.as_str()), ("standard error", stderr)] {
                    if !text.is_empty() {
                        let _ = writeln!(out, "{}", paint(FAINT, format!("── {name}")));
                        block(&mut out, text);
                    }
                }
                effects.iter().for_each(|effect| self.effect(&mut out, effect));
            }
            EventBody::RunResumed { .. } => {
                let _ = writeln!(out, "\n{}", paint(FAINT, format!("── resumed {} UTC", moment(event.at_ms))));
            }
            EventBody::Checked { result } => {
                let style = if result.verdict == Verdict::Passed { GOOD } else { BAD };
                let told = format!("── check {}", printable(&super::words::check(result)));
                let _ = writeln!(out, "\n{}", paint(style, told));
                block(&mut out, &(self.read)(&result.output));
            }
            EventBody::RunEnded { ending } => {
                let style = if matches!(ending, Ending::InternalError { .. }) { BAD } else { GOOD };
                let _ = writeln!(out, "\n{}", paint(style, format!("━━ {}", printable(&super::words::ending(ending)))));
            }
        }
        out
    }

    fn execution(&self, out: &mut String, outcome: &Outcome, timings: &Timings) {
        let (style, word) = match outcome {
            Outcome::Completed => (GOOD, "completed".to_owned()),
            other => (BAD, other.error_type().unwrap_or_default()),
        };
        let _ = writeln!(
            out,
            "{} {}",
            paint(style, format!("── {word}")),
            paint(FAINT, format!("({:.1} ms)", timings.duration_ms))
        );
        match outcome {
            Outcome::Internal { error_text, .. } => block(out, error_text),
            other => other.model_text().into_iter().for_each(|text| block(out, text)),
        }
    }

    fn calls(&self, out: &mut String, calls: &[CallRecord], refusals: &[String]) {
        if !calls.is_empty() {
            let told: Vec<String> = calls.iter().map(call).collect();
            let _ = writeln!(out, "{}", paint(FAINT, format!("── calls: {}", told.join(", "))));
        }
        if !refusals.is_empty() {
            let _ = writeln!(out, "{}", paint(BAD, format!("── refused: {}", refusals.join(", "))));
        }
    }

    fn effect(&self, out: &mut String, effect: &Effect) {
        match effect {
            Effect::ViewOpened { view } => {
                let kind = match view.kind {
                    ViewKind::File => "file",
                    ViewKind::Text => "view",
                    ViewKind::Docs => "documentation",
                    ViewKind::SearchResults => "search",
                };
                let region = view.region.as_ref().map(|region| format!(", {region}")).unwrap_or_default();
                let name = printable(&view.selector).into_owned();
                let title = format!("── {kind} `{name}`{region} ({} tokens)", view.tokens);
                let _ = writeln!(out, "{}", paint(FAINT, title));
                block(out, &(self.read)(&view.body));
            }
            Effect::Finish { summary } => block(out, &format!("── finishes: {summary}")),
            Effect::Approve { summary } => block(out, &format!("── approves: {summary}")),
            Effect::RequestChanges { items } => block(out, &format!("── asks for changes: {}", items.join("; "))),
            other => {
                let name =
                    serde_json::to_value(other).ok().and_then(|value| Some(value.get("type")?.as_str()?.to_owned()));
                let _ = writeln!(out, "{}", paint(FAINT, format!("── {}", name.unwrap_or_default().replace('_', " "))));
            }
        }
    }
}

fn call(record: &CallRecord) -> String {
    let times = if record.count == 1 { String::new() } else { format!(" ×{}", record.count) };
    let failed: Vec<String> = record.errors.iter().map(|(code, count)| format!("{count} {code}")).collect();
    let failed = if failed.is_empty() { String::new() } else { format!(" ({})", failed.join(", ")) };
    format!("{}{times}{failed}", record.operation)
}
