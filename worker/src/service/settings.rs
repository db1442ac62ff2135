//! What a worker is started with.

use crate::confine::Settings;
use crate::confine::credentials::DEFAULT_BASE_UID;
use crate::executor::protocol::{Isolation, TurnEngine};
use crate::language::seam::Places;
use gg_common::folders::CacheRoot;
use gg_common::job::WorkerId;
use std::path::PathBuf;

/// What a worker is started with.
#[derive(Debug, Clone)]
pub struct WorkerSettings {
    /// Its name in results and queues.
    pub id: WorkerId,
    /// Where the homes of its agents lie.
    pub homes: PathBuf,
    /// Where artifacts lie or are built.
    pub artifacts: PathBuf,
    /// Where the engine's native form of guests is kept.
    pub precompiled: PathBuf,
    /// Where the trees of long-lived compilers lie.
    pub daemons: PathBuf,
    /// Where what toolchains share between preparations lies.
    pub shared_toolchains: PathBuf,
    /// Turns at once.
    pub slots: usize,
    /// Executors kept at once; beyond it the least recently used one ends.
    pub executors: usize,
    /// Executors of each arm started ahead of need.
    pub spare_executors: usize,
    /// What is kept free on the disk that homes lie on, in bytes; on a small disk no more than a twentieth of it. Below it
    /// a turn is not begun, and a program that writes is ended.
    pub disk_reserve_bytes: u64,
    /// The binary that executors are started as: one that calls [`crate::executor::run_if_asked`] first.
    pub executor_program: PathBuf,
    /// As root, the user of slot 0; slot `n` is `base_uid + n`. Users of long-lived compilers come after the last slot's.
    pub base_uid: u32,
    /// How executors are confined. Default: by namespaces where the system gives them, else by Landlock alone where that
    /// holds.
    pub isolation: Option<Isolation>,
    /// The newest Landlock ABI whose rights are used; for tests of older kernels. Default: the kernel's own.
    pub landlock_abi: Option<u32>,
    /// Whether a forbidden system call ends an executor instead of failing; for tests.
    pub kill_on_violation: bool,
    /// How children are confined.
    pub children: Settings,
    /// Where compilers are looked for.
    pub places: Places,
    /// The engine that compiles components of one turn. Default: Winch.
    pub turn_engine: TurnEngine,
}

impl WorkerSettings {
    /// The settings of a worker under a cache root, with the defaults that suit this machine.
    pub fn under(root: &CacheRoot, id: WorkerId) -> WorkerSettings {
        let slots = std::thread::available_parallelism().map_or(1, usize::from);
        WorkerSettings {
            id,
            homes: root.homes(),
            artifacts: root.artifacts(),
            precompiled: root.precompiled(),
            daemons: root.daemons(),
            shared_toolchains: root.shared_toolchains(),
            slots,
            executors: 64,
            spare_executors: 1,
            disk_reserve_bytes: 256 << 20,
            executor_program: PathBuf::from("/proc/self/exe"),
            base_uid: DEFAULT_BASE_UID,
            isolation: None,
            landlock_abi: None,
            kill_on_violation: false,
            children: Settings::default(),
            places: Places {
                variables: std::env::vars_os()
                    .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
                    .filter(|(name, _)| name.starts_with("TCAB_GG_"))
                    .collect(),
                toolchains: root.toolchains(),
                path: std::env::var_os("PATH").unwrap_or_default(),
                warm: warm_compilers(slots, memory_bytes()),
            },
            turn_engine: TurnEngine::default(),
        }
    }
}

/// How many warm compilers of a kind are held: four, fewer where fewer turns run at once or where one for each 2 GiB of the
/// machine's memory is less.
fn warm_compilers(slots: usize, memory_bytes: u64) -> usize {
    let fit = usize::try_from(memory_bytes >> 31).unwrap_or(usize::MAX);
    slots.min(fit).clamp(1, 4)
}

fn memory_bytes() -> u64 {
    let system = rustix::system::sysinfo();
    system.totalram.saturating_mul(u64::from(system.mem_unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warm_compilers_are_no_more_than_slots_and_memory_allow() {
        let gib = 1 << 30;
        for (slots, memory, held) in [(8, 64, 4), (2, 64, 2), (8, 6, 3), (8, 1, 1), (0, 0, 1)] {
            assert_eq!(warm_compilers(slots, memory * gib), held, "{slots} slots, {memory} GiB");
        }
    }
}
