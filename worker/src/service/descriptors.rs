//! Open descriptors: a worker holds two a home and more an executor, and a coordinator around it one a run. The usual soft
//! limit of 1,024 is there for programs that use `select`, and holds some three hundred agents.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises this process's soft limit on open descriptors to the hard one. What it starts has limits of its own.
pub(super) fn raise() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let is_lower = match (current, maximum) {
        (Some(current), Some(maximum)) => current < maximum,
        (Some(_), None) => true,
        (None, _) => false,
    };
    if is_lower && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        tracing::warn!(?current, ?maximum, %error, "the limit on open descriptors could not be raised: a worker of many agents may run out of them");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_soft_limit_becomes_the_hard_one() {
        let before = getrlimit(Resource::Nofile);
        setrlimit(Resource::Nofile, Rlimit { current: Some(256), maximum: before.maximum }).expect("lowered");
        raise();
        assert_eq!(getrlimit(Resource::Nofile).current, before.maximum);
    }
}
