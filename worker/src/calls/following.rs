//! What runs in a turn after the program that runs now: a program in its place, and the on-use scripts of what it read. In
//! the order in which it was asked for, and at most four programs a turn, the reply's own among them.

use gg_common::job::Follows;
use std::collections::VecDeque;

/// Programs of a turn, at most.
pub const MOST_PROGRAMS: usize = 4;

/// A program that is to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Next {
    /// Why.
    pub follows: Follows,
    /// Its source.
    pub source: String,
}

/// Why a program cannot hand over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoRerun {
    /// It has handed over already.
    Already,
    /// It is an on-use script.
    Script,
    /// The turn has had its programs.
    Full,
}

/// What runs in a turn after the program that runs now.
#[derive(Debug, Default)]
pub struct Following {
    /// Programs that ended before the one that runs now.
    ended: usize,
    /// Whether the one that runs now is an on-use script.
    in_script: bool,
    /// What it asked for. It counts only when it has completed.
    asked: Vec<Next>,
    /// What earlier programs asked for.
    queued: VecDeque<Next>,
    /// Scripts that found no room.
    left_out: Vec<Next>,
}

impl Following {
    /// Whether the turn has room for another program.
    fn has_room(&self) -> bool {
        self.ended + 1 + self.queued.len() + self.asked.len() < MOST_PROGRAMS
    }

    /// The program that runs now is to be followed by this one, in its place.
    pub fn queue_rerun(&mut self, source: String) -> Result<(), NoRerun> {
        if self.in_script {
            return Err(NoRerun::Script);
        }
        if self.asked.iter().any(|next| next.follows == Follows::Rerun) {
            return Err(NoRerun::Already);
        }
        if !self.has_room() {
            return Err(NoRerun::Full);
        }
        self.asked.push(Next { follows: Follows::Rerun, source });
        Ok(())
    }

    /// The program that runs now used something with an on-use script. It runs once, however often it was used by this
    /// program; what a script itself uses runs none, or it would never end.
    pub fn queue_script(&mut self, follows: Follows, source: String) {
        let is_asked = self.asked.iter().chain(&self.left_out).any(|next| next.follows == follows);
        if self.in_script || is_asked {
            return;
        }
        let next = Next { follows, source };
        if self.has_room() { self.asked.push(next) } else { self.left_out.push(next) }
    }

    /// The program that runs now has ended. What it asked for is revoked where it failed. Gives the scripts of its own that
    /// found no room.
    pub fn program_ended(&mut self, completed: bool) -> Vec<Next> {
        self.ended += 1;
        let (asked, left_out) = (std::mem::take(&mut self.asked), std::mem::take(&mut self.left_out));
        if !completed {
            return Vec::new();
        }
        self.queued.extend(asked);
        left_out
    }

    /// The program that runs next, from now on.
    pub fn start_next(&mut self) -> Option<Next> {
        let next = self.queued.pop_front()?;
        self.in_script = next.follows != Follows::Rerun;
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(name: &str) -> Follows {
        Follows::Skill { name: name.into() }
    }

    fn next(following: &mut Following) -> Option<String> {
        following.start_next().map(|next| next.source)
    }

    #[test]
    fn what_was_asked_for_runs_in_order_and_scripts_once_a_program() {
        let mut following = Following::default();
        following.queue_script(skill("a"), "a".into());
        following.queue_rerun("rerun".into()).expect("room");
        following.queue_script(skill("a"), "a".into());
        assert_eq!(following.queue_rerun("second".into()), Err(NoRerun::Already));
        assert!(following.program_ended(true).is_empty());
        assert_eq!(next(&mut following).as_deref(), Some("a"));
        assert_eq!(following.queue_rerun("from a script".into()), Err(NoRerun::Script));
        following.queue_script(skill("b"), "b".into());
        following.program_ended(true);
        assert_eq!(next(&mut following).as_deref(), Some("rerun"));
        following.queue_script(skill("a"), "a again".into());
        following.program_ended(true);
        assert_eq!(next(&mut following).as_deref(), Some("a again"));
        following.program_ended(true);
        assert_eq!(next(&mut following), None);
    }

    #[test]
    fn four_programs_run_in_a_turn_and_no_fifth() {
        let mut following = Following::default();
        for number in 2..=4 {
            following.queue_rerun(number.to_string()).expect("room");
            following.program_ended(true);
            assert_eq!(next(&mut following), Some(number.to_string()));
        }
        assert_eq!(following.queue_rerun("5".into()), Err(NoRerun::Full));
        following.queue_script(skill("a"), "a".into());
        assert_eq!(following.program_ended(true), [Next { follows: skill("a"), source: "a".into() }]);
        assert_eq!(next(&mut following), None);
    }

    #[test]
    fn what_a_failed_program_asked_for_is_revoked_and_what_was_asked_before_stands() {
        let mut following = Following::default();
        following.queue_rerun("rerun".into()).expect("room");
        following.queue_script(skill("a"), "a".into());
        following.program_ended(true);
        assert_eq!(next(&mut following).as_deref(), Some("rerun"));
        following.queue_rerun("revoked".into()).expect("room");
        assert!(following.program_ended(false).is_empty());
        assert_eq!(next(&mut following).as_deref(), Some("a"));
        following.program_ended(true);
        assert_eq!(next(&mut following), None);
    }
}
