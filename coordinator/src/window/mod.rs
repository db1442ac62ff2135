//! What the model reads: the prompt, and for each turn its own program and what came of it. A view stands in the turn that
//! opened it, until a later turn opens one of the same kind, selector and region; its old place then says where it went.
//! A turn that was archived leaves, and what it still shows moves to the turn that archived it. At the end of the last
//! message stands what the agent keeps: its tasks, its memories, what it archived.
//! Messages are kept as they were rendered, so that a turn costs what it changes and not what there is.

mod around;
mod feedback;

pub use feedback::{Feedback, ShownView};
pub use gg_common::state::ViewKey;

use crate::prompts::{Agent, Kept, PromptError, Prompts};
use gg_common::state::TurnRanges;
use gg_common::tokens;
use std::sync::{Arc, OnceLock};

/// Who speaks in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The rules of the place.
    System,
    /// The task, and what came of each turn.
    User,
    /// The model's own replies.
    Model,
}

/// One message of the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who speaks.
    pub speaker: Speaker,
    /// What is said.
    pub text: Arc<str>,
    /// Its tokens, by the shared estimator.
    pub tokens: u32,
}

impl Message {
    fn new(speaker: Speaker, text: String) -> Message {
        Message { speaker, tokens: tokens::estimate(&text), text: text.into() }
    }
}

/// A reply longer than this that never ran is not shown back whole, in bytes.
const REJECTED_REPLY_BYTES: usize = 4 * 1024;

/// A turn that was closed and not archived.
#[derive(Debug)]
struct ClosedTurn {
    number: u32,
    reply: Message,
    shown: Message,
    /// What it still shows, and may give up to a later turn; none where that is nothing, so that its text stands for good.
    feedback: Option<Box<Feedback>>,
}

/// What the model reads of a turn when it is closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownTurn {
    /// The text.
    pub text: Arc<str>,
    /// Tokens of it and of the reply, without those of views, by the shared estimator.
    pub tokens: u32,
}

/// What the model reads.
#[derive(Debug)]
pub struct Window {
    prompts: Arc<Prompts>,
    agent: Arc<Agent>,
    /// System and task.
    opening: [Message; 2],
    closed: u32,
    turns: Vec<ClosedTurn>,
    /// What the agent keeps, and as it stands at the end of the last message.
    kept: (Kept, String),
    /// The opening, then reply and feedback of each turn: put together when it is read.
    messages: OnceLock<Vec<Message>>,
    /// Whether the model was told what a reply must be, after one with something around its program.
    told_what_a_reply_is: bool,
}

impl Window {
    /// The window before the first turn.
    pub fn open(prompts: Arc<Prompts>, agent: Arc<Agent>, task: &str, has_files: bool) -> Result<Window, PromptError> {
        let opening = [
            Message::new(Speaker::System, prompts.system(&agent)?),
            Message::new(Speaker::User, prompts.task(&agent, task, has_files)?),
        ];
        Ok(Window {
            prompts,
            agent,
            opening,
            closed: 0,
            turns: Vec::new(),
            kept: Default::default(),
            messages: OnceLock::new(),
            told_what_a_reply_is: false,
        })
    }

    /// What the model reads next.
    pub fn messages(&self) -> &[Message] {
        self.messages.get_or_init(|| self.compose())
    }

    /// Its tokens, by the shared estimator.
    pub fn tokens(&self) -> u64 {
        self.messages().iter().map(|message| u64::from(message.tokens)).sum()
    }

    /// The agent that reads it.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Closes a turn: the reply that it ran and what came of it. Views that it opened or closed leave the earlier turns.
    pub fn close_turn(&mut self, reply: &str, mut feedback: Feedback) -> Result<ShownTurn, PromptError> {
        if !self.told_what_a_reply_is && feedback.went_wrong() && around::is_wrapped(reply) {
            self.told_what_a_reply_is = true;
            feedback.notices.insert(0, around::WHAT_A_REPLY_IS.to_owned());
        }
        self.closed += 1;
        let number = self.closed;
        for earlier in &mut self.turns {
            let Some(theirs) = &mut earlier.feedback else { continue };
            if theirs.give_up(&feedback, number) {
                let text = self.prompts.turn(&theirs.context(&self.prompts, &self.agent)?)?;
                earlier.shown = Message::new(Speaker::User, text);
            }
            if !theirs.shows() {
                earlier.feedback = None;
            }
        }
        let text = self.prompts.turn(&feedback.context(&self.prompts, &self.agent)?)?;
        let reply = Message::new(Speaker::Model, shown_reply(reply, &feedback));
        let shown = Message::new(Speaker::User, text);
        let tokens = (reply.tokens + shown.tokens).saturating_sub(feedback.view_tokens());
        let turn = ShownTurn { text: shown.text.clone(), tokens };
        let feedback = feedback.shows().then(|| Box::new(feedback));
        self.turns.push(ClosedTurn { number, reply, shown, feedback });
        self.messages.take();
        Ok(turn)
    }

    /// Takes turns out, for the turn of `feedback`, which is open: what they still show moves to it.
    pub fn archive(&mut self, turns: &TurnRanges, feedback: &mut Feedback) {
        let (gone, stay) =
            std::mem::take(&mut self.turns).into_iter().partition::<Vec<_>, _>(|turn| turns.contains(turn.number));
        self.turns = stay;
        self.messages.take();
        gone.into_iter().filter_map(|turn| turn.feedback).for_each(|theirs| feedback.adopt(*theirs));
    }

    /// Shows what the agent keeps.
    pub fn keep(&mut self, kept: Kept) -> Result<(), PromptError> {
        if kept != self.kept.0 {
            let text = self.prompts.kept(&self.agent, &kept)?;
            self.kept = (kept, text);
            self.messages.take();
        }
        Ok(())
    }

    /// Puts the messages together. Their texts are shared, not copied.
    fn compose(&self) -> Vec<Message> {
        let mut messages = Vec::with_capacity(2 + 2 * self.turns.len());
        messages.extend(self.opening.iter().cloned());
        for turn in &self.turns {
            messages.extend([turn.reply.clone(), turn.shown.clone()]);
        }
        let (_, kept) = &self.kept;
        if let (false, Some(last)) = (kept.is_empty(), messages.last_mut()) {
            let text = format!("{}\n\n{kept}", last.text);
            *last = Message::new(Speaker::User, text.trim_start().to_owned());
        }
        messages
    }
}

/// The reply as it stands in the window: its bytes, but for one that was far too long to run.
fn shown_reply(reply: &str, feedback: &Feedback) -> String {
    if feedback.reply_ran || reply.len() <= REJECTED_REPLY_BYTES {
        return reply.to_owned();
    }
    let head = &reply[..reply.floor_char_boundary(REJECTED_REPLY_BYTES)];
    format!("{head}\n[{} more bytes of this reply, which did not run, are not shown]", reply.len() - head.len())
}

#[cfg(test)]
mod tests;
