//! What came of one turn, as the model reads it.

use crate::prompts::{Agent, Band, Moved, OpenView, PinnedSkill, PromptError, Prompts, TurnContext};
use gg_common::job::ViewKind;
use gg_common::outcome::{Outcome, Rejection};

/// What a view replaces its predecessors by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewKey {
    /// What it shows.
    pub kind: ViewKind,
    /// A path, a label or a name.
    pub selector: String,
    /// Which part.
    pub region: Option<String>,
}

/// A view with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownView {
    /// What it replaces its predecessors by.
    pub key: ViewKey,
    /// The text.
    pub body: String,
}

fn word(kind: ViewKind) -> &'static str {
    match kind {
        ViewKind::File => "file",
        ViewKind::Text => "text",
        ViewKind::Docs => "documentation",
        ViewKind::SearchResults => "search results",
    }
}

fn place(kind: ViewKind) -> &'static str {
    match kind {
        ViewKind::File => "file view",
        ViewKind::Text => "text view",
        ViewKind::Docs => "documentation",
        ViewKind::SearchResults => "search",
    }
}

/// What came of one turn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Feedback {
    /// Whether the reply was handed to a worker.
    pub reply_ran: bool,
    /// Whether its program ran to its end.
    pub completed: bool,
    band: Option<Band>,
    views: Vec<ShownView>,
    moved: Vec<Moved>,
    skills: Vec<PinnedSkill>,
    /// Calls that were refused, as the arm spells them.
    pub refused: Vec<String>,
    /// What the agent should know of its ceilings.
    pub notices: Vec<String>,
    showed: bool,
}

impl Feedback {
    /// The feedback of a turn that ended so.
    pub fn of(outcome: &Outcome) -> Feedback {
        let band = match outcome {
            Outcome::Failed { error_text, .. } => Some(Band { heading: "Program error", text: error_text.clone() }),
            Outcome::Rejected { error_type, error_text } => {
                let heading = match error_type {
                    Rejection::TranspileSyntax | Rejection::TranspileCompile | Rejection::TranspileUnsupported => {
                        "Compiler error"
                    }
                    Rejection::ReplyEmpty
                    | Rejection::ReplyTruncated
                    | Rejection::ReplyFiltered
                    | Rejection::ReplyRefused
                    | Rejection::ReplyMissing
                    | Rejection::ReplyTooLarge
                    | Rejection::ReplyNotUtf8 => "Reply rejected",
                };
                Some(Band { heading, text: error_text.clone() })
            }
            Outcome::Completed | Outcome::Internal { .. } => None,
        };
        Feedback {
            reply_ran: band.as_ref().is_none_or(|band| band.heading != "Reply rejected"),
            completed: *outcome == Outcome::Completed,
            band,
            ..Feedback::default()
        }
    }

    /// Whether its program was tried and failed.
    pub(super) fn went_wrong(&self) -> bool {
        self.reply_ran && self.band.is_some()
    }

    /// Adds a view. One of the same key that the turn opened before gives its place to it.
    pub fn show(&mut self, view: ShownView) {
        self.showed = true;
        match self.views.iter_mut().find(|earlier| earlier.key == view.key) {
            Some(earlier) => *earlier = view,
            None => self.views.push(view),
        }
    }

    /// Adds a skill that was read.
    pub fn pin(&mut self, skill: PinnedSkill) {
        self.showed = true;
        if !self.skills.contains(&skill) {
            self.skills.push(skill);
        }
    }

    /// Gives up what a later turn opened again; false where there is nothing of it here.
    pub(super) fn give_up(&mut self, later: &Feedback, turn: u32) -> bool {
        let before = (self.views.len(), self.skills.len());
        let again = |key: &ViewKey| later.views.iter().any(|view| view.key == *key);
        for key in self.views.iter().map(|view| &view.key).filter(|key| again(key)) {
            let (what, selector, region) = (place(key.kind), key.selector.clone(), key.region.clone());
            self.moved.push(Moved { what, selector, region, turn });
        }
        for skill in self.skills.iter().filter(|skill| later.skills.contains(skill)) {
            self.moved.push(Moved { what: "skill", selector: skill.name.clone(), region: None, turn });
        }
        self.views.retain(|view| !again(&view.key));
        self.skills.retain(|skill| !later.skills.contains(skill));
        before != (self.views.len(), self.skills.len())
    }

    /// What `turn.hbs` renders.
    pub(super) fn context(&self, prompts: &Prompts, agent: &Agent) -> Result<TurnContext, PromptError> {
        let nothing_shown = if self.completed && !self.showed { Some(prompts.nothing_shown(agent)?) } else { None };
        let open = |view: &ShownView| OpenView {
            kind: word(view.key.kind),
            selector: view.key.selector.clone(),
            region: view.key.region.clone(),
            body: view.body.strip_suffix('\n').unwrap_or(&view.body).to_owned(),
        };
        Ok(TurnContext {
            band: self.band.clone(),
            views: self.views.iter().map(open).collect(),
            moved: self.moved.clone(),
            skills: self.skills.clone(),
            nothing_shown,
            refused: self.refused.clone(),
            notices: self.notices.clone(),
        })
    }
}
