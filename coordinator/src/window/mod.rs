//! What the model reads: the prompt, and for each turn its own program and what came of it. A view stands in the turn that
//! opened it, until a later turn opens one of the same kind, selector and region; its old place then says where it went.
//! Messages are kept as they were rendered, so that a turn costs what it changes and not what there is.

mod around;
mod feedback;

pub use feedback::{Feedback, ShownView, ViewKey};

use crate::prompts::{Agent, PromptError, Prompts};
use gg_common::tokens;
use std::sync::Arc;

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

/// What the model reads.
#[derive(Debug)]
pub struct Window {
    prompts: Arc<Prompts>,
    agent: Arc<Agent>,
    /// System, task, then reply and feedback of each turn.
    messages: Vec<Message>,
    turns: Vec<Feedback>,
    /// Whether the model was told what a reply must be, after one with something around its program.
    told_what_a_reply_is: bool,
}

/// The messages before those of the first turn.
const OPENING: usize = 2;

impl Window {
    /// The window before the first turn.
    pub fn open(prompts: Arc<Prompts>, agent: Arc<Agent>, task: &str, has_files: bool) -> Result<Window, PromptError> {
        let messages = vec![
            Message::new(Speaker::System, prompts.system(&agent)?),
            Message::new(Speaker::User, prompts.task(&agent, task, has_files)?),
        ];
        Ok(Window { prompts, agent, messages, turns: Vec::new(), told_what_a_reply_is: false })
    }

    /// What the model reads next.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Its tokens, by the shared estimator.
    pub fn tokens(&self) -> u64 {
        self.messages.iter().map(|message| u64::from(message.tokens)).sum()
    }

    /// The agent that reads it.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Closes a turn: the reply that it ran and what came of it. Views that it opened leave the earlier turns.
    pub fn close_turn(&mut self, reply: &str, mut feedback: Feedback) -> Result<(), PromptError> {
        if !self.told_what_a_reply_is && feedback.went_wrong() && around::is_wrapped(reply) {
            self.told_what_a_reply_is = true;
            feedback.notices.insert(0, around::WHAT_A_REPLY_IS.to_owned());
        }
        let turn = u32::try_from(self.turns.len() + 1).unwrap_or(u32::MAX);
        for (index, earlier) in self.turns.iter_mut().enumerate() {
            if earlier.give_up(&feedback, turn) {
                let text = self.prompts.turn(&earlier.context(&self.prompts, &self.agent)?)?;
                self.messages[OPENING + 2 * index + 1] = Message::new(Speaker::User, text);
            }
        }
        let text = self.prompts.turn(&feedback.context(&self.prompts, &self.agent)?)?;
        self.messages.push(Message::new(Speaker::Model, shown_reply(reply, &feedback)));
        self.messages.push(Message::new(Speaker::User, text));
        self.turns.push(feedback);
        Ok(())
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
