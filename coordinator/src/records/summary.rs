//! The summary: a fold of the run's events, here and nowhere else.

use gg_common::event::{Event, EventBody};
use gg_common::job::Effect;
use gg_common::model::ModelCall;
use gg_common::money::Prices;
use gg_common::outcome::Outcome;
use gg_common::reply::FinishReason;
use gg_common::summary::{ModelTotals, Summary, TokenTotals};
use std::collections::BTreeMap;

/// The summary of a run's events; none where the run never began.
pub fn summarize(events: &[Event]) -> Option<Summary> {
    let mut fold = SummaryFold::default();
    events.iter().for_each(|event| fold.add(event));
    fold.summary
}

/// A summary as far as the events were read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SummaryFold {
    /// The summary; none before the run began.
    pub summary: Option<Summary>,
    /// What the model's tokens cost, where that is known.
    prices: Option<Prices>,
}

impl SummaryFold {
    /// Adds the next event.
    pub fn add(&mut self, event: &Event) {
        match (&mut self.summary, &event.event) {
            (summary @ None, EventBody::RunStarted { task, profile, tree, platform, model, .. }) => {
                self.prices = model.as_ref().and_then(|model| model.prices);
                *summary = Some(Summary {
                    version: gg_common::FORMAT_VERSION,
                    id: event.run.clone(),
                    task: task.clone(),
                    arm: profile.arm,
                    ending: None,
                    check: None,
                    turns: 0,
                    resumes: 0,
                    code_executions: 0,
                    outcomes: BTreeMap::new(),
                    suspected: 0,
                    duration_ms: 0.0,
                    compile_wait_ms: 0.0,
                    compile_ms: 0.0,
                    compile_cpu_ms: 0.0,
                    compiles_warm: 0,
                    compiles_cold: 0,
                    modules_fetched: 0,
                    modules_fetched_cost_ms: 0.0,
                    tokens: TokenTotals::default(),
                    model: ModelTotals::default(),
                    tree: *tree,
                    platform: platform.clone(),
                    started_at_ms: event.at_ms,
                    ended_at_ms: event.at_ms,
                });
            }
            (Some(summary), body) => {
                add(summary, body, self.prices);
                // A clock may step back; the end does not go before the beginning.
                summary.ended_at_ms = summary.ended_at_ms.max(event.at_ms);
            }
            (None, _) => {}
        }
    }
}

fn add(summary: &mut Summary, body: &EventBody, prices: Option<Prices>) {
    match body {
        EventBody::RunStarted { .. } | EventBody::TurnStarted { .. } => {}
        EventBody::RunResumed { platform } => {
            summary.resumes += 1;
            if summary.ending.take().is_some() {
                summary.check = None;
            }
            summary.platform = platform.clone();
        }
        EventBody::Reply { usage, window_tokens, call, finish_reason, .. } => {
            let add = |total: &mut u64, more: u64| *total = total.saturating_add(more);
            if let Some(prices) = prices {
                summary.model.cost = Some(summary.model.cost.unwrap_or_default().plus(prices.of(usage)));
            }
            add(&mut summary.tokens.input, usage.input_tokens);
            add(&mut summary.tokens.output, usage.output_tokens);
            add(&mut summary.tokens.cached, usage.cached_tokens.unwrap_or(0));
            add(&mut summary.tokens.reasoning, usage.reasoning_tokens.unwrap_or(0));
            add(&mut summary.tokens.window, *window_tokens);
            summary.model.refusals += u32::from(*finish_reason == FinishReason::Refusal);
            if let Some(call) = call {
                add_call(&mut summary.model, call);
            }
        }
        EventBody::CodeExecution { worker, outcome, effects, followed, tree, timings, .. } => {
            summary.turns += 1;
            summary.code_executions += u32::from(worker.is_some());
            summary.code_executions += followed.iter().map(|run| u32::from(!run.not_run)).sum::<u32>();
            *summary.outcomes.entry(outcome.error_type().unwrap_or_else(|| "completed".to_owned())).or_default() += 1;
            summary.duration_ms += timings.duration_ms;
            summary.compile_wait_ms += timings.compile_wait_ms;
            summary.suspected += u32::from(matches!(outcome, Outcome::Internal { suspect: Some(_), .. }));
            summary.compile_ms += timings.compile_ms.unwrap_or(0.0);
            summary.compile_cpu_ms += timings.compile_cpu_ms.unwrap_or(0.0);
            summary.compiles_warm += timings.compiles_warm.unwrap_or(0);
            summary.compiles_cold += timings.compiles_cold.unwrap_or(0);
            summary.modules_fetched += timings.modules_fetched;
            summary.modules_fetched_cost_ms += timings.modules_fetched_cost_ms;
            summary.tree = *tree;
            for effect in effects {
                if let Effect::ViewOpened { view } = effect {
                    summary.tokens.views += u64::from(view.tokens);
                }
            }
        }
        EventBody::Checked { result } => summary.check = Some((**result).clone()),
        EventBody::RunEnded { ending } => summary.ending = Some(ending.clone()),
    }
}

fn add_call(totals: &mut ModelTotals, call: &ModelCall) {
    totals.calls += 1;
    totals.retries += u32::try_from(call.retries.len()).unwrap_or(u32::MAX);
    totals.latency_ms += call.latency_ms;
    totals.waited_ms += call.limit_wait_ms + call.retries.iter().map(|retry| retry.waited_ms).sum::<f64>();
    if let Some(model) = &call.model {
        *totals.models.entry(model.clone()).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::events::{event, logs, started};
    use gg_common::job::WorkerId;
    use gg_common::outcome::Suspect;
    use proptest::prelude::*;

    #[test]
    fn a_program_that_is_suspected_is_counted_apart() {
        let mut log = vec![started()];
        for suspect in [None, Some(Suspect::Program)] {
            let outcome = Outcome::Internal { error_text: "rustc was killed".to_owned(), suspect };
            log.push(EventBody::rejection(1, outcome, None, 0));
        }
        let events: Vec<Event> = log.into_iter().enumerate().map(|(seq, body)| event(seq, 0, body)).collect();
        let summary = summarize(&events).expect("it began");
        assert_eq!((summary.outcomes.get("internal_error"), summary.suspected), (Some(&2), 1));
    }

    #[test]
    fn what_compiling_cost_is_the_sum_of_the_same_events_that_are_counted() {
        let mut log = vec![started()];
        for compile_ms in [Some(1.5), None, Some(2.25)] {
            let mut body = EventBody::rejection(1, Outcome::Completed, None, 0);
            let EventBody::CodeExecution { worker, timings, .. } = &mut body else { panic!("{body:?}") };
            (*worker, timings.compile_ms) = (Some(WorkerId("w1".to_owned())), compile_ms);
            log.push(body);
        }
        let events: Vec<Event> = log.into_iter().enumerate().map(|(seq, body)| event(seq, 0, body)).collect();
        let summary = summarize(&events).expect("it began");
        assert_eq!((summary.compile_ms, summary.code_executions), (3.75, 3));
    }

    proptest! {
        #[test]
        fn a_summary_is_the_same_in_one_go_in_pieces_and_from_what_was_written(
            log in logs(),
            cut in any::<prop::sample::Index>(),
        ) {
            let whole = summarize(&log).expect("it began");
            prop_assert!(whole.started_at_ms <= whole.ended_at_ms, "whatever the clock did");
            let (first, second) = log.split_at(cut.index(log.len()));
            let mut pieces = SummaryFold::default();
            first.iter().for_each(|event| pieces.add(event));
            let written: Vec<String> = second.iter().map(|event| serde_json::to_string(event).expect("json")).collect();
            for line in written {
                pieces.add(&serde_json::from_str(&line).expect("an event"));
            }
            prop_assert_eq!(Some(&whole), pieces.summary.as_ref());
            prop_assert!(summarize(second).is_none() || cut.index(log.len()) == 0, "no run begins in its middle");
        }
    }
}
