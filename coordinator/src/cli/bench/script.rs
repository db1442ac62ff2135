//! The agents of a benchmark: what they are asked, and a model that answers with programs of one kind and can be held.

use crate::agent::{Interrupt, Observer, Stage};
use crate::clock::Clock;
use crate::farm::House;
use crate::model::{Model, ModelError, ModelReply, Request};
use crate::plan::RunPlan;
use crate::records::RunFolder;
use crate::session::{Left, Outcome, Session};
use async_trait::async_trait;
use gg_common::arm::Arm;
use gg_common::ceilings::Ceilings;
use gg_common::event::{Ending, Usage};
use gg_common::profile::Profile;
use tokio::sync::watch;

pub(super) const ARM: Arm = Arm::Javascript;

/// What an agent is to do: with everything that a profile can grant, and for as long as its model answers.
pub(super) fn plan() -> RunPlan {
    RunPlan {
        task: "Keep notes of what you find, and look at them each turn.".to_owned(),
        files: None,
        profile: Profile::with_everything(ARM),
        ceilings: Ceilings { turns: 100_000, wall_clock_secs: 30 * 24 * 3_600, ..Ceilings::default() },
        check: None,
    }
}

/// The program of a turn: it writes a file and looks at it, as most do. What the agent has does not grow by it; its log
/// does.
pub(super) fn program(turn: u32) -> String {
    format!(
        r#"// Turn {turn}: writes down what was found, and looks at it.
import {{ writeFile }} from "gg/files";
import {{ openText }} from "gg/views";

const lines = [];
for (let n = 1; n <= 20; n++) lines.push(`${{n}}: what turn {turn} found, in a line`);
writeFile("notes.txt", lines.join("\n") + "\n");
openText("notes", lines.join("\n"));
console.log("noted", lines.length, "lines");
"#
    )
}

/// Holds every agent that asks for the reply of one turn, until it is opened.
#[derive(Debug)]
pub(super) struct Gate {
    turn: u32,
    held: watch::Sender<u32>,
    is_open: watch::Sender<bool>,
}

impl Gate {
    pub(super) fn before(turn: u32) -> Gate {
        Gate { turn, held: watch::Sender::new(0), is_open: watch::Sender::new(false) }
    }

    /// Waits until so many agents are held.
    pub(super) async fn holds(&self, agents: u32) {
        // The sender lives as long as this.
        drop(self.held.subscribe().wait_for(|held| *held >= agents).await);
    }

    pub(super) fn open(&self) {
        self.is_open.send_replace(true);
    }

    async fn pass(&self) {
        self.held.send_modify(|held| *held += 1);
        drop(self.is_open.subscribe().wait_for(|is_open| *is_open).await);
    }
}

/// A model that answers so many turns.
#[derive(Debug)]
pub(super) struct Script {
    pub(super) turns: u32,
    pub(super) gates: Vec<Gate>,
}

#[async_trait]
impl Model for Script {
    async fn reply(&self, request: Request<'_>) -> Result<Option<ModelReply>, ModelError> {
        for gate in self.gates.iter().filter(|gate| gate.turn == request.turn) {
            gate.pass().await;
        }
        let usage = Usage { input_tokens: 2_000, output_tokens: 120, ..Usage::default() };
        let reply = || ModelReply { bytes: program(request.turn).into_bytes(), usage, ..ModelReply::default() };
        Ok((request.turn <= self.turns).then(reply))
    }
}

/// Nobody watches.
#[derive(Debug)]
pub(super) struct Quiet;

impl Observer for Quiet {
    fn stage(&self, _stage: &Stage<'_>) {}
}

/// What a run of a benchmark is driven by.
pub(super) struct Run<'a> {
    pub(super) house: &'a House,
    pub(super) model: &'a dyn Model,
    pub(super) plan: &'a RunPlan,
    pub(super) folder: &'a RunFolder,
    pub(super) clock: &'a dyn Clock,
    pub(super) observer: &'a dyn Observer,
}

impl Run<'_> {
    /// Runs it until its script ends or it is interrupted. All of its turns must complete.
    pub(super) async fn finish(self, turns: u32, interrupt: watch::Receiver<Interrupt>) -> Result<(), String> {
        let Run { house, model, plan, folder, clock, observer } = self;
        let outcome = Session { house, model, plan, folder, clock, observer, interrupt, past: Vec::new() }.run().await;
        checked(&outcome, turns)
    }
}

fn checked(outcome: &Outcome, turns: u32) -> Result<(), String> {
    if !matches!(outcome.left, Left::Ended(Ending::ScriptEnded) | Left::Interrupted) {
        return Err(format!("a run ended otherwise than by its script: {:?}", outcome.left));
    }
    let outcomes = outcome.summary.as_ref().map(|summary| &summary.outcomes);
    match outcomes.map(|outcomes| (outcomes.len(), outcomes.get("completed"))) {
        Some((1, Some(completed))) if *completed == turns => Ok(()),
        _ => Err(format!("not all of a run's {turns} turns completed: {outcomes:?}")),
    }
}
