//! What arms do once on a worker, ahead of the first turn and off its path: a compiler process started, a library unpacked.

use crate::language::PrepareError;
use crate::language::seam::Site;
use gg_common::arm::Arm;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::JoinHandle;

/// What an arm does.
pub(super) type WarmUp = Box<dyn FnOnce(&Site) -> Result<(), PrepareError> + Send>;

/// The arms' warm-ups, one after another on a thread of their own. Dropped, it has them stop and waits for that.
#[derive(Debug)]
pub(super) struct Warming {
    site: Site,
    thread: Option<JoinHandle<()>>,
}

impl Warming {
    /// Begins. What fails is logged: the turn that needs it finds out for itself.
    pub(super) fn start(site: &Site, arms: Vec<(Arm, WarmUp)>) -> Warming {
        let worker = site.clone();
        let thread = std::thread::Builder::new().name("gg-warm".into()).spawn({
            let site = site.clone();
            move || {
                let wanted = arms.into_iter().take_while(|_| !site.is_closing());
                wanted.for_each(|(arm, warm_up)| warm(arm, warm_up, &site));
            }
        });
        let thread = thread.inspect_err(|error| tracing::warn!(%error, "no arm is warmed up")).ok();
        Warming { site: worker, thread }
    }
}

fn warm(arm: Arm, warm_up: WarmUp, site: &Site) {
    match catch_unwind(AssertUnwindSafe(|| warm_up(site))) {
        Ok(Ok(())) => {}
        Ok(Err(error)) if site.is_closing() => tracing::debug!(%arm, %error, "an arm's warm-up was ended"),
        Ok(Err(error)) => tracing::warn!(%arm, %error, "an arm could not be warmed up; its first turn does that"),
        Err(_) => tracing::warn!(%arm, "an arm's warm-up panicked; its first turn does that"),
    }
}

impl Drop for Warming {
    fn drop(&mut self) {
        self.site.close();
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::seam::not_started;
    use std::sync::mpsc::channel;

    #[test]
    fn each_arm_is_warmed_up_whatever_the_others_do_until_the_worker_ends() {
        let site = Site::new(Default::default(), "/none".into(), "/none".into());
        let (to, heard) = channel();
        let [fails, panics, warms, waits, late] = std::array::from_fn(|_| to.clone());
        drop(to);
        let arms: [WarmUp; 5] = [
            Box::new(move |_| {
                fails.send("fails").expect("heard");
                Err(not_started("testc", "it is not there".to_owned()))
            }),
            Box::new(move |_| {
                panics.send("panics").expect("heard");
                panic!("it panics");
            }),
            Box::new(move |_| {
                warms.send("warms").expect("heard");
                Ok(())
            }),
            Box::new(move |site| {
                waits.send("waits").expect("heard");
                while !site.is_closing() {
                    std::thread::yield_now();
                }
                Ok(())
            }),
            Box::new(move |_| {
                late.send("late").expect("heard");
                Ok(())
            }),
        ];
        let warming = Warming::start(&site, arms.into_iter().map(|arm| (Arm::Python, arm)).collect());
        let first: Vec<_> = heard.iter().take(4).collect();
        assert_eq!(first, ["fails", "panics", "warms", "waits"]);
        drop(warming);
        assert_eq!(heard.recv().ok(), None, "nothing begins once the worker ends");
    }
}
