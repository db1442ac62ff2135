//! Filters over system calls: an allow-list builder for processes whose calls are known (the executor), and the deny-list
//! for those that run anything (shells, compilers).
//!
//! Filters are stacked: for each call every filter speaks, and the strictest answer holds; where two give an error number,
//! that of the filter put in force last is seen. So a call that one filter answers with ENOSYS must be allowed by the
//! others.

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Compare, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};
use std::collections::BTreeMap;

/// A filter as the kernel takes it.
pub use seccompiler::BpfProgram as Program;

/// A filter that could not be built or put in force.
#[derive(Debug, thiserror::Error)]
#[error("cannot {what} the filter over system calls: {reason}")]
pub struct SeccompError {
    what: &'static str,
    reason: String,
}

fn built(error: impl std::fmt::Display) -> SeccompError {
    SeccompError { what: "build", reason: error.to_string() }
}

/// What an allow-list answers to a call that it does not list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Otherwise {
    /// EPERM: in service.
    Refuse,
    /// The end of the process: in tests, so that a new libc shows itself.
    Kill,
}

/// Rules: call number to the conditions under which it matches; any one rule of the list suffices, none means always.
pub type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// A rule in which all of the conditions hold.
pub fn all(conditions: Vec<SeccompCondition>) -> Result<SeccompRule, SeccompError> {
    SeccompRule::new(conditions).map_err(built)
}

/// The argument equals the value (its low 32 bits: file descriptors, flags, process ids).
pub fn equals(argument: u8, value: u32) -> Result<SeccompCondition, SeccompError> {
    SeccompCondition::new(argument, Length::Dword, Compare::Eq, u64::from(value)).map_err(built)
}

/// All of these bits of the argument are set.
pub fn has_bits(argument: u8, bits: u64) -> Result<SeccompCondition, SeccompError> {
    SeccompCondition::new(argument, Length::Qword, Compare::MaskedEq(bits), bits).map_err(built)
}

/// None of these bits of the argument is set.
pub fn lacks_bits(argument: u8, bits: u64) -> Result<SeccompCondition, SeccompError> {
    SeccompCondition::new(argument, Length::Qword, Compare::MaskedEq(bits), 0).map_err(built)
}

fn compile(rules: Rules, on_mismatch: SeccompAction, on_match: SeccompAction) -> Result<BpfProgram, SeccompError> {
    let arch: TargetArch = std::env::consts::ARCH.try_into().map_err(built)?;
    SeccompFilter::new(rules, on_mismatch, on_match, arch).map_err(built)?.try_into().map_err(built)
}

/// Allows what the rules match and nothing else. Calls of another architecture end the process. Where threads are to
/// start, `clone3` must be allowed here and [`clone3_unknown`] put beside it.
pub fn allow_list(rules: Rules, otherwise: Otherwise) -> Result<BpfProgram, SeccompError> {
    let refusal = match otherwise {
        Otherwise::Refuse => SeccompAction::Errno(libc::EPERM as u32),
        Otherwise::Kill => SeccompAction::KillProcess,
    };
    compile(rules, refusal, SeccompAction::Allow)
}

/// Answers what the rules match with an error number, and allows the rest.
pub fn deny_list(rules: Rules, errno: i32) -> Result<BpfProgram, SeccompError> {
    compile(rules, SeccompAction::Allow, SeccompAction::Errno(errno as u32))
}

/// Answers `clone3` with ENOSYS: its flags lie in memory, where no filter sees them; callers fall back to `clone`.
pub fn clone3_unknown() -> Result<BpfProgram, SeccompError> {
    deny_list(always(&[libc::SYS_clone3]), libc::ENOSYS)
}

/// Rules that match calls whatever their arguments.
pub fn always(calls: &[i64]) -> Rules {
    calls.iter().map(|call| (*call, vec![])).collect()
}

/// Puts a filter in force on this thread and what it starts. Needs `no_new_privs` or CAP_SYS_ADMIN.
pub fn apply(filter: &BpfProgram) -> Result<(), SeccompError> {
    seccompiler::apply_filter(filter).map_err(|e| SeccompError {
        what: "put in force",
        reason: format!("{e} ({})", std::io::Error::last_os_error()),
    })
}
