//! The loop around the decisions: asks the model, writes down, sends, waits, writes down, shows.
//!
//! A reply stands in the log before its turn is sent, so that nobody ever asks for it again; a result stands there before
//! it is acknowledged, so that it is never lost. Whatever ends the loop in between leaves a log that says exactly how far
//! it came.

use super::checking::checked;
use super::keeping::{Keeping, carry, carry_source, remember, remembered};
use super::stage::until;
use super::{AgentState, Closed, Interrupt, Next, Observer, Progress, RunError, Stage, Tokens, next, notices};
use crate::clock::Clock;
use crate::dispatch::{DispatchError, Dispatcher};
use crate::farm::House;
use crate::model::{Model, ModelReply, Request};
use crate::plan::RunPlan;
use crate::prompts::{Agent, PinnedSkill, Prompts};
use crate::records::RunFolder;
use crate::window::{Feedback, ShownTurn, ShownView, ViewKey, Window};
use gg_common::check::Check;
use gg_common::content::ContentKey;
use gg_common::event::{Ending, Event, EventBody, Usage};
use gg_common::job::{AgentId, Body, Effect, INLINE_BYTES, ProgramRun, TurnJob};
use gg_common::outcome::Outcome;
use gg_common::reply::{FinishReason, as_program};
use gg_common::state::ThreadEntry;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// What a run is driven by.
pub struct Drive<'a> {
    /// Queue, ledger, objects, farm.
    pub house: &'a House,
    /// Where turns are sent.
    pub dispatcher: &'a Dispatcher,
    /// Who answers.
    pub model: &'a dyn Model,
    /// The templates.
    pub prompts: Arc<Prompts>,
    /// What is to be done.
    pub plan: &'a RunPlan,
    /// Where the records go.
    pub folder: &'a RunFolder,
    /// Time.
    pub clock: &'a dyn Clock,
    /// Who watches.
    pub observer: &'a dyn Observer,
    /// What the person at the keyboard asks for.
    pub interrupt: watch::Receiver<Interrupt>,
    /// What the log holds already, where the run is taken up again; empty where it begins.
    pub past: Vec<Event>,
}

/// Drives a run to its end. Gives why it ended; none where it was interrupted.
pub async fn drive(drive: Drive<'_>) -> Result<Option<Ending>, RunError> {
    let mut open = Open::begin(drive).await?;
    let ended = open.turns().await;
    open.drive.house.farm.release_agent(open.drive.folder.run(), &open.agent).await;
    open.drive.dispatcher.forget(open.drive.folder.run(), &open.agent);
    ended
}

/// How a turn left the run.
enum Turn {
    /// It was closed, or the run ended in it: `next` says which.
    Over,
    /// The run ends for this reason.
    Ends(Ending),
    /// It was left open.
    Interrupted,
}

/// Whether what a turn leaves outside of the log is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    /// It is.
    Stored,
    /// It may not be: the process may have been killed after the turn's event.
    ToStore,
}

/// A run that is being driven.
struct Open<'a> {
    drive: Drive<'a>,
    agent: AgentId,
    window: Window,
    state: AgentState,
    seq: u64,
    /// The moment at which the run would have begun, had it been driven without a pause.
    started_ms: u64,
    /// The turn whose reply is in the log and whose result is not.
    open_turn: Option<(u32, String, FinishReason)>,
    keeping: Keeping,
    /// How the final tree is to be checked, where it was not yet.
    check: Option<Box<Check>>,
}

impl<'a> Open<'a> {
    async fn begin(mut drive: Drive<'a>) -> Result<Open<'a>, RunError> {
        let plan = drive.plan;
        let past = std::mem::take(&mut drive.past);
        let farm = &drive.house.farm;
        let started_ms = drive.clock.monotonic_ms();
        let catalogue = farm.catalogue(plan.profile.arm).await?;
        let platform = farm.platform(&[plan.profile.arm]).await?;
        let tree = match (past.first().map(|event| &event.event), &plan.files) {
            (Some(EventBody::RunStarted { tree, .. }), _) => *tree,
            (_, Some(folder)) => Some(farm.import_tree(folder, Some(&plan.profile.limits)).await?),
            (_, None) => None,
        };
        let model = drive.model.binding().map(Box::new);
        let agent = Arc::new(Agent::new(&plan.profile, &plan.ceilings, &catalogue));
        let window = Window::open(drive.prompts.clone(), agent, &plan.task, tree.is_some())?;
        let mut open = Open {
            drive,
            agent: AgentId("main".to_owned()),
            window,
            state: AgentState::default(),
            seq: 0,
            started_ms,
            open_turn: None,
            keeping: Keeping::default(),
            check: None,
        };
        if !past.is_empty() {
            open.replay(past).await?;
            open.append(EventBody::RunResumed { platform }).await?;
            return Ok(open);
        }
        let task = body(open.drive.house, &plan.task).await?;
        let memories = remembered(open.drive.house, &plan.profile).await?;
        let check = match &plan.check {
            Some(planned) => Some(Box::new(planned.with_files(farm.import_tree(&planned.files, None).await?))),
            None => None,
        };
        open.check = check.clone();
        open.append(EventBody::RunStarted {
            task,
            profile: Box::new(plan.profile.clone()),
            ceilings: plan.ceilings,
            model,
            tree,
            platform,
            memories,
            check,
        })
        .await?;
        open.show_kept().await?;
        Ok(open)
    }

    /// Comes to where the log ends, by the same steps as when it was written.
    async fn replay(&mut self, past: Vec<Event>) -> Result<(), RunError> {
        let mut past = past.into_iter().peekable();
        let mut planned = None;
        while let Some(event) = past.next() {
            // What a turn leaves outside of the log is there before the next event is.
            let left = if past.peek().is_some() { Left::Stored } else { Left::ToStore };
            self.seq = event.seq + 1;
            self.state.apply(&event.event);
            match event.event {
                EventBody::Reply { turn, text, finish_reason, .. } => {
                    let text = read(self.drive.house, text).await?;
                    self.state.measure(&text);
                    self.open_turn = Some((turn, text, finish_reason));
                }
                EventBody::CodeExecution { outcome, effects, followed, refusals, elapsed_ms, .. } => {
                    if let Some((turn, text, _)) = self.open_turn.take() {
                        if left == Left::ToStore {
                            // What the store of memories has already changes nothing.
                            let (house, profile) = (self.drive.house, &self.drive.plan.profile);
                            remember(house, profile, self.drive.folder.run(), turn, &effects).await?;
                        }
                        self.show(turn, &text, &outcome, effects, &followed, &refusals, elapsed_ms, left).await?;
                    }
                }
                EventBody::RunStarted { check, .. } => {
                    planned.clone_from(&check);
                    self.check = check;
                }
                EventBody::Checked { .. } => self.check = None,
                // It was taken up again, so its final tree is another.
                EventBody::RunEnded { .. } => self.check.clone_from(&planned),
                EventBody::TurnStarted { .. } | EventBody::RunResumed { .. } => {}
            }
        }
        self.show_kept().await?;
        self.started_ms = self.drive.clock.monotonic_ms().saturating_sub(self.state.elapsed_ms);
        Ok(())
    }

    /// Writes an event down, then lets it change the state, and gives it back.
    async fn append(&mut self, event: EventBody) -> Result<EventBody, RunError> {
        let run = self.drive.folder.run();
        let written = self.drive.house.ledger.append(run, self.seq, self.drive.clock.unix_ms(), event).await?;
        self.seq += 1;
        self.state.apply(&written.event);
        Ok(written.event)
    }

    fn elapsed_ms(&self) -> u64 {
        self.drive.clock.monotonic_ms().saturating_sub(self.started_ms)
    }

    fn tokens(&self) -> Tokens {
        let Progress { input_tokens: input, output_tokens: output, .. } = self.state.progress;
        Tokens { input, output, window: self.window.tokens() }
    }

    fn checking(&self) -> Stage<'static> {
        Stage::Checking(u32::try_from(self.state.progress.turns).unwrap_or(u32::MAX), self.tokens())
    }

    fn interrupted(&self) -> bool {
        *self.drive.interrupt.borrow() != Interrupt::None
    }

    /// Runs the reply of a turn that was left open: the model is not asked again.
    async fn reopen(&mut self, turn: u32, text: String, finish_reason: FinishReason) -> Result<Turn, RunError> {
        // A reply that is no text stands in the log with replacement characters, and beside it byte for byte.
        let bytes = self.drive.folder.rejected(turn).unwrap_or_else(|| text.clone().into_bytes());
        match as_program(&bytes, finish_reason, self.drive.plan.profile.limits.reply_bytes) {
            Ok(_) => self.run(turn, text).await,
            Err(outcome) => {
                let event = EventBody::rejection(turn, outcome, self.state.tree, self.elapsed_ms());
                self.close(turn, &text, event).await
            }
        }
    }

    async fn turns(&mut self) -> Result<Option<Ending>, RunError> {
        if let Some((turn, text, finish_reason)) = self.open_turn.take() {
            match self.reopen(turn, text, finish_reason).await? {
                Turn::Over => {}
                Turn::Ends(ending) => return self.end(ending).await,
                Turn::Interrupted => return Ok(None),
            }
        }
        loop {
            let ending = match next(&self.state.progress, &self.drive.plan.ceilings, self.elapsed_ms()) {
                Next::End(ending) => ending,
                Next::Ask { .. } if self.interrupted() => return Ok(None),
                Next::Ask { turn } => match self.turn(turn).await? {
                    Turn::Over => continue,
                    Turn::Ends(ending) => ending,
                    Turn::Interrupted => return Ok(None),
                },
            };
            return self.end(ending).await;
        }
    }

    async fn end(&mut self, ending: Ending) -> Result<Option<Ending>, RunError> {
        if let Some(check) = self.check.take() {
            let Some(result) = checked(&self.drive, *check, self.state.tree, &ending, self.checking()).await else {
                return Ok(None);
            };
            self.append(EventBody::Checked { result: Box::new(result) }).await?;
        }
        self.append(EventBody::RunEnded { ending: ending.clone() }).await?;
        Ok(Some(ending))
    }

    async fn turn(&mut self, turn: u32) -> Result<Turn, RunError> {
        self.drive.observer.stage(&Stage::Asking(turn, self.tokens()));
        let request = Request { turn, messages: self.window.messages() };
        let mut interrupt = self.drive.interrupt.clone();
        let wall_secs = self.drive.plan.ceilings.wall_clock_secs;
        let wall_left = Duration::from_millis(wall_secs.saturating_mul(1_000).saturating_sub(self.elapsed_ms()));
        let answered = tokio::select! {
            biased;
            answered = self.drive.model.reply(request) => answered,
            () = until(&mut interrupt, Interrupt::AfterTurn) => return Ok(Turn::Interrupted),
            // A model may be asked again for long: the ceiling does not wait for it.
            () = tokio::time::sleep(wall_left) => {
                let ceiling = Ending::Ceiling { ceiling: "wallClockSecs".to_owned(), limit: wall_secs };
                return Ok(Turn::Ends(ceiling));
            }
        };
        let reply = match answered {
            Ok(Some(reply)) => reply,
            Ok(None) => return Ok(Turn::Ends(Ending::ScriptEnded)),
            Err(error) => {
                let message = error.to_string();
                return Ok(Turn::Ends(Ending::ModelFailed { failure: error.failure, message }));
            }
        };
        let profile = &self.drive.plan.profile;
        let text = String::from_utf8_lossy(&reply.bytes).into_owned();
        let program = as_program(&reply.bytes, reply.finish_reason, profile.limits.reply_bytes);
        match program {
            Ok(program) => self.drive.folder.write_program(turn, profile.arm, program.as_bytes())?,
            Err(_) => self.drive.folder.write_rejected(turn, &reply.bytes)?,
        }
        let rejected = program.err();
        self.append_reply(turn, &reply, &text).await?;
        match rejected {
            Some(outcome) => {
                let event = EventBody::rejection(turn, outcome, self.state.tree, self.elapsed_ms());
                self.close(turn, &text, event).await
            }
            None => self.run(turn, text).await,
        }
    }

    async fn append_reply(&mut self, turn: u32, reply: &ModelReply, text: &str) -> Result<(), RunError> {
        let ceilings = &self.drive.plan.ceilings;
        let counted = ceilings.input_tokens.is_some() || ceilings.output_tokens.is_some() || ceilings.cost.is_some();
        if turn == 1 && counted && reply.call.is_some() && reply.usage == Usage::default() {
            tracing::warn!("the endpoint says nothing of tokens, so no ceiling on tokens or cost ends this run");
        }
        let event = EventBody::Reply {
            turn,
            text: body(self.drive.house, text).await?,
            finish_reason: reply.finish_reason,
            usage: reply.usage,
            call: reply.call.clone(),
            window_tokens: self.window.tokens(),
            elapsed_ms: self.elapsed_ms(),
        };
        self.append(event).await?;
        self.state.measure(text);
        Ok(())
    }

    /// Has a program run, and closes its turn.
    async fn run(&mut self, turn: u32, text: String) -> Result<Turn, RunError> {
        if self.state.keeps_programs() {
            self.drive.house.objects.put(text.clone().into_bytes()).await?;
        }
        let run = self.drive.folder.run().clone();
        let attempt = self.drive.house.ledger.count_attempt(&run, turn).await?;
        let epoch = u64::from(attempt);
        self.append(EventBody::TurnStarted { turn, epoch, attempt }).await?;
        self.drive.observer.stage(&Stage::Running(turn, self.tokens()));
        let wall_ms = self.drive.plan.ceilings.wall_clock_secs.saturating_mul(1_000);
        let job = TurnJob {
            version: gg_common::FORMAT_VERSION,
            run,
            agent: self.agent.clone(),
            epoch,
            turn,
            source: carry_source(self.drive.house, &text).await?,
            profile: self.drive.plan.profile.clone(),
            tree: self.state.tree,
            state: carry(self.drive.house, &mut self.state).await?,
            reply_to: self.drive.dispatcher.results().to_owned(),
            wall_left_ms: Some(wall_ms.saturating_sub(self.elapsed_ms())),
            trace: None,
        };
        let mut interrupt = self.drive.interrupt.clone();
        let arrived = tokio::select! {
            arrived = self.drive.dispatcher.run_turn(&job) => arrived,
            () = until(&mut interrupt, Interrupt::Now) => return Ok(Turn::Interrupted),
        };
        let arrived = match arrived {
            Ok(arrived) => arrived,
            Err(error) => return Ok(self.farm_failed(&error)),
        };
        if arrived.result.version != gg_common::FORMAT_VERSION {
            let message = format!(
                "the worker {} answers in version {} and this coordinator reads version {}: run both from one release",
                arrived.result.worker,
                arrived.result.version,
                gg_common::FORMAT_VERSION
            );
            return Ok(Turn::Ends(Ending::InternalError { message }));
        }
        if self.interrupted() && matches!(arrived.result.outcome, Outcome::Internal { .. }) {
            // The terminal's interrupt may have reached the executor too: the turn was cut off, the farm did not fail.
            return Ok(Turn::Interrupted);
        }
        let (result, unsettled) = arrived.take();
        let event = EventBody::execution(result, self.elapsed_ms());
        let closed = self.close(turn, &text, event).await?;
        match self.drive.dispatcher.settle(unsettled).await {
            Ok(()) => Ok(closed),
            Err(error) => Ok(self.farm_failed(&error)),
        }
    }

    /// The run's end where its turns do not travel: told apart from a farm that is closing under an interrupt.
    fn farm_failed(&self, error: &DispatchError) -> Turn {
        if self.interrupted() {
            return Turn::Interrupted;
        }
        Turn::Ends(Ending::InternalError { message: error.to_string() })
    }

    /// Writes down what came of a turn, and shows it to the model.
    async fn close(&mut self, turn: u32, text: &str, event: EventBody) -> Result<Turn, RunError> {
        self.drive.observer.stage(&Stage::Storing(turn, self.tokens()));
        let EventBody::CodeExecution { outcome, effects, followed, refusals, timings, elapsed_ms, .. } =
            self.append(event).await?
        else {
            return Ok(Turn::Over);
        };
        let (house, profile) = (self.drive.house, &self.drive.plan.profile);
        remember(house, profile, self.drive.folder.run(), turn, &effects).await?;
        let views = effects.iter().filter(|effect| matches!(effect, Effect::ViewOpened { .. })).count();
        self.drive.observer.stage(&Stage::Closed(Closed { turn, outcome: &outcome, views, timings }));
        if matches!(next(&self.state.progress, &self.drive.plan.ceilings, elapsed_ms), Next::End(_)) {
            // Nobody reads on.
            return Ok(Turn::Over);
        }
        self.show(turn, text, &outcome, effects, &followed, &refusals, elapsed_ms, Left::ToStore).await?;
        self.show_kept().await?;
        Ok(Turn::Over)
    }

    /// Puts what came of a turn into the window. Given the same, it says the same.
    #[expect(clippy::too_many_arguments, reason = "the parts of one event")]
    async fn show(
        &mut self,
        turn: u32,
        text: &str,
        outcome: &Outcome,
        effects: Vec<Effect>,
        followed: &[ProgramRun],
        refusals: &[String],
        elapsed_ms: u64,
        left: Left,
    ) -> Result<(), RunError> {
        let (house, profile) = (self.drive.house, &self.drive.plan.profile);
        let mut feedback = Feedback::of(outcome, followed);
        for effect in effects {
            match effect {
                Effect::ViewOpened { view } => feedback.show(ShownView {
                    key: ViewKey { kind: view.kind, selector: view.selector, region: view.region },
                    body: read(house, view.body).await?,
                }),
                Effect::ViewClosed { view } => feedback.close(view),
                Effect::ThreadArchived { turns } => self.window.archive(&turns, &mut feedback),
                Effect::SkillPinned { name } => {
                    if let Some(skill) = profile.skills.iter().find(|skill| skill.name == name) {
                        feedback.pin(PinnedSkill { name, body: skill.body.clone() });
                    }
                }
                Effect::TaskWritten { .. }
                | Effect::TaskRemoved { .. }
                | Effect::MemoryWritten { .. }
                | Effect::MemoryDeleted { .. }
                | Effect::ModuleLoaded { .. }
                | Effect::Finish { .. }
                | Effect::Approve { .. }
                | Effect::RequestChanges { .. } => {}
            }
        }
        feedback.refused = refusals.iter().map(|call| self.window.agent().spelling(call)).collect();
        feedback.notices = notices(&self.state.progress, &self.drive.plan.ceilings, elapsed_ms);
        // The program of a turn that ran was stored for programs that ask for it.
        let reply_is_stored = left == Left::Stored || (feedback.reply_ran && self.state.keeps_programs());
        let shown = self.window.close_turn(text, feedback)?;
        if self.state.keeps_thread() {
            let ShownTurn { text: shown, tokens } = shown;
            let reply = if reply_is_stored {
                ContentKey::of(text.as_bytes())
            } else {
                house.objects.put(text.as_bytes().to_vec()).await?
            };
            let shown = match left {
                Left::Stored => ContentKey::of(shown.as_bytes()),
                Left::ToStore => house.objects.put(shown.as_bytes().to_vec()).await?,
            };
            self.state.turn_shown(ThreadEntry { turn, reply, shown, tokens });
        }
        Ok(())
    }

    /// Shows the model what its agent keeps.
    async fn show_kept(&mut self) -> Result<(), RunError> {
        let kept = self.keeping.shown(self.drive.house, &self.state, &self.drive.plan.profile).await?;
        Ok(self.window.keep(kept)?)
    }
}

/// A text as it travels: itself, or an object where it is long.
async fn body(house: &House, text: &str) -> Result<Body, RunError> {
    if text.len() <= INLINE_BYTES {
        return Ok(Body::Inline(text.to_owned()));
    }
    let key = house.objects.put(text.as_bytes().to_vec()).await?;
    Ok(Body::Object { key, bytes: text.len() as u64 })
}

/// The text of a body.
async fn read(house: &House, body: Body) -> Result<String, RunError> {
    match body {
        Body::Inline(text) => Ok(text),
        Body::Object { key, .. } => Ok(String::from_utf8_lossy(&house.objects.get(&key).await?).into_owned()),
    }
}
