//! What arms do once on a worker, ahead of the first turn and off its path: a compiler process started, a library unpacked.

use crate::language::Prepare;
use crate::language::seam::Site;
use gg_common::arm::Arm;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;

/// The arms' warm-ups, one after another on a thread of their own. Dropped, it has them stop and waits for that.
#[derive(Debug)]
pub(super) struct Warming {
    site: Site,
    thread: Option<JoinHandle<()>>,
}

impl Warming {
    /// Begins. What fails is logged: the turn that needs it finds out for itself.
    pub(super) fn start(site: &Site, arms: Vec<(Arm, Arc<dyn Prepare>)>) -> Warming {
        let worker = site.clone();
        let thread = std::thread::Builder::new().name("gg-warm".into()).spawn({
            let site = site.clone();
            move || arms.iter().take_while(|_| !site.is_closing()).for_each(|(arm, prepare)| warm(*arm, prepare, &site))
        });
        let thread = thread.inspect_err(|error| tracing::warn!(%error, "no arm is warmed up")).ok();
        Warming { site: worker, thread }
    }
}

fn warm(arm: Arm, prepare: &Arc<dyn Prepare>, site: &Site) {
    match catch_unwind(AssertUnwindSafe(|| prepare.warm_prepare(site))) {
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
    use crate::language::seam::{PrepareContext, not_started};
    use crate::language::{PrepareError, Prepared};
    use std::sync::mpsc::{Sender, channel};

    /// Says that it is warmed up, then does what its name says.
    #[derive(Debug)]
    enum Arms {
        Fails(Sender<&'static str>),
        Panics(Sender<&'static str>),
        Warms(Sender<&'static str>),
        Waits(Sender<&'static str>),
    }

    impl Prepare for Arms {
        fn program(&self, _: &mut PrepareContext<'_>, _: &str) -> Result<Prepared, PrepareError> {
            Ok(Prepared::Source(Vec::new()))
        }

        fn warm_prepare(&self, site: &Site) -> Result<(), PrepareError> {
            let say = |to: &Sender<_>, what| to.send(what).expect("heard");
            match self {
                Arms::Fails(to) => {
                    say(to, "fails");
                    return Err(not_started("testc", "it is not there".to_owned()));
                }
                Arms::Panics(to) => {
                    say(to, "panics");
                    panic!("it panics");
                }
                Arms::Warms(to) => say(to, "warms"),
                Arms::Waits(to) => {
                    say(to, "waits");
                    while !site.is_closing() {
                        std::thread::yield_now();
                    }
                }
            }
            Ok(())
        }
    }

    #[test]
    fn each_arm_is_warmed_up_whatever_the_others_do_until_the_worker_ends() {
        let site = Site::new(Default::default(), "/none".into(), "/none".into());
        let (to, heard) = channel();
        let arms = [Arms::Fails(to.clone()), Arms::Panics(to.clone()), Arms::Warms(to.clone()), Arms::Waits(to.clone())];
        let after = Arms::Warms(to);
        let arms = arms.into_iter().chain([after]).map(|arm| (Arm::Python, Arc::new(arm) as Arc<dyn Prepare>)).collect();
        let warming = Warming::start(&site, arms);
        let first: Vec<_> = heard.iter().take(4).collect();
        assert_eq!(first, ["fails", "panics", "warms", "waits"]);
        drop(warming);
        assert_eq!(heard.recv().ok(), None, "nothing begins once the worker ends");
    }
}
