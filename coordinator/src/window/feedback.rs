//! What came of one turn, as the model reads it.

use crate::prompts::{Agent, Band, Moved, OpenView, PinnedSkill, PromptError, Prompts, TurnContext};
use gg_common::job::{Follows, ProgramRun, ViewKind};
use gg_common::outcome::{Outcome, Rejection};
use gg_common::state::ViewKey;
use gg_common::tokens;

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
    scripts: Vec<Band>,
    views: Vec<ShownView>,
    /// Those of the views that an archived turn had opened.
    adopted: Vec<ViewKey>,
    /// Views of earlier turns that the turn closed.
    closed: Vec<ViewKey>,
    moved: Vec<Moved>,
    skills: Vec<PinnedSkill>,
    /// Calls that were refused, as the arm spells them.
    pub refused: Vec<String>,
    /// What the agent should know of its ceilings.
    pub notices: Vec<String>,
    showed: bool,
}

impl Feedback {
    /// The feedback of a turn that ended so, and in which these programs followed the reply's own.
    pub fn of(outcome: &Outcome, followed: &[ProgramRun]) -> Feedback {
        let mut reply_ran = true;
        let in_place =
            if followed.iter().any(ProgramRun::is_rerun) { ", in the program that ran in its place" } else { "" };
        let heading = match outcome {
            Outcome::Failed { .. } => Some("Program error"),
            Outcome::Rejected { error_type, .. } => match error_type {
                Rejection::TranspileSyntax | Rejection::TranspileCompile | Rejection::TranspileUnsupported => {
                    Some("Compiler error")
                }
                Rejection::ReplyEmpty
                | Rejection::ReplyTruncated
                | Rejection::ReplyFiltered
                | Rejection::ReplyRefused
                | Rejection::ReplyMissing
                | Rejection::ReplyTooLarge
                | Rejection::ReplyNotUtf8 => {
                    reply_ran = false;
                    Some("Reply rejected")
                }
            },
            Outcome::Completed | Outcome::Internal { .. } => None,
        };
        let band = heading.and_then(|heading| {
            Some(Band { heading: format!("{heading}{in_place}"), text: outcome.model_text()?.to_owned() })
        });
        let script = |run: &ProgramRun| {
            let whose = match &run.follows {
                Follows::Rerun => return None,
                Follows::Skill { name } => format!("skill `{name}`"),
                Follows::Memory { name } => format!("memory `{name}`"),
            };
            let text = run.outcome.model_text()?.to_owned();
            Some(Band { heading: format!("Error of the on-use script of the {whose}"), text })
        };
        Feedback {
            reply_ran,
            completed: *outcome == Outcome::Completed,
            band,
            scripts: followed.iter().filter_map(script).collect(),
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
        if let Some(at) = self.adopted.iter().position(|key| *key == view.key) {
            // It is opened anew, and no longer where the archived turn had it.
            self.adopted.remove(at);
            self.views.retain(|earlier| earlier.key != view.key);
        }
        match self.views.iter_mut().find(|earlier| earlier.key == view.key) {
            Some(earlier) => *earlier = view,
            None => self.views.push(view),
        }
    }

    /// Closes a view of an earlier turn.
    pub fn close(&mut self, key: ViewKey) {
        if self.adopted.contains(&key) {
            self.adopted.retain(|adopted| *adopted != key);
            self.views.retain(|view| view.key != key);
        }
        self.closed.push(key);
    }

    /// Takes over what an archived turn still shows.
    pub(super) fn adopt(&mut self, archived: Feedback) {
        for view in archived.views {
            if !self.views.iter().any(|there| there.key == view.key) {
                self.adopted.push(view.key.clone());
                self.views.push(view);
            }
        }
        for skill in archived.skills {
            if !self.skills.contains(&skill) {
                self.skills.push(skill);
            }
        }
    }

    /// The tokens of its views, by the shared estimator.
    pub(super) fn view_tokens(&self) -> u32 {
        self.views.iter().map(|view| tokens::estimate(&view.body)).sum()
    }

    /// Adds a skill that was read.
    pub fn pin(&mut self, skill: PinnedSkill) {
        self.showed = true;
        if !self.skills.contains(&skill) {
            self.skills.push(skill);
        }
    }

    /// Whether it shows a view or a skill: else no later turn changes it.
    pub(super) fn shows(&self) -> bool {
        !self.views.is_empty() || !self.skills.is_empty()
    }

    /// Gives up what a later turn opened again or closed; false where there is nothing of it here.
    pub(super) fn give_up(&mut self, later: &Feedback, turn: u32) -> bool {
        let goes = |view: &ShownView| {
            later.closed.contains(&view.key) || later.views.iter().any(|other| other.key == view.key)
        };
        // Most turns change nothing of an earlier one.
        if !self.views.iter().any(goes) && !self.skills.iter().any(|skill| later.skills.contains(skill)) {
            return false;
        }
        for view in std::mem::take(&mut self.views) {
            if !goes(&view) {
                self.views.push(view);
                continue;
            }
            let again = later.views.iter().any(|other| other.key == view.key);
            let ViewKey { kind, selector, region } = view.key;
            self.moved.push(Moved { what: place(kind), selector, region, turn, closed: !again });
        }
        for skill in self.skills.iter().filter(|skill| later.skills.contains(skill)) {
            let selector = skill.name.clone();
            self.moved.push(Moved { what: "skill", selector, region: None, turn, closed: false });
        }
        self.skills.retain(|skill| !later.skills.contains(skill));
        true
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
            scripts: self.scripts.clone(),
            views: self.views.iter().map(open).collect(),
            moved: self.moved.clone(),
            skills: self.skills.clone(),
            nothing_shown,
            refused: self.refused.clone(),
            notices: self.notices.clone(),
        })
    }
}
