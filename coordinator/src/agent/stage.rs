//! How far a run has come, for who watches it, and what they may ask of it.

use gg_common::job::Timings;
use gg_common::outcome::Outcome;
use tokio::sync::watch;

/// What the person at the keyboard asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Interrupt {
    /// Nothing: go on.
    #[default]
    None,
    /// End when the open turn has ended.
    AfterTurn,
    /// End now.
    Now,
}

/// A turn that was closed.
#[derive(Debug)]
pub struct Closed<'a> {
    /// The turn.
    pub turn: u32,
    /// How it ended.
    pub outcome: &'a Outcome,
    /// How many views it opened.
    pub views: usize,
    /// Where the time went.
    pub timings: Timings,
}

/// What a run has used so far, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tokens {
    /// Read by the model in all its calls, as its provider counts them.
    pub input: u64,
    /// Written by the model in all its calls, as its provider counts them.
    pub output: u64,
    /// In the window now, by the shared estimator.
    pub window: u64,
}

/// How far a run has come.
#[derive(Debug)]
pub enum Stage<'a> {
    /// The model is asked for this turn's reply.
    Asking(u32, Tokens),
    /// The turn's program is on its way.
    Running(u32, Tokens),
    /// What came of the turn is written down.
    Storing(u32, Tokens),
    /// The turn was closed.
    Closed(Closed<'a>),
    /// The final tree is checked, after this turn.
    Checking(u32, Tokens),
}

/// Who watches a run.
pub trait Observer: Send + Sync {
    /// The run has come so far.
    fn stage(&self, stage: &Stage<'_>);
}

/// Waits until at least this much was asked for.
pub(super) async fn until(interrupt: &mut watch::Receiver<Interrupt>, least: Interrupt) {
    if interrupt.wait_for(|asked| *asked >= least).await.is_err() {
        // Nobody is left who could ask.
        std::future::pending::<()>().await;
    }
}
