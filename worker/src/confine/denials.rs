//! What a shell or a compiler may not ask of the kernel, whatever else holds it.
//!
//! Each group says what it bounds. Anything that makes an object which outlives the process, hides memory from the count of
//! its tree, or opens a part of the kernel that such a job has no use for, is refused.

use crate::confine::seccomp::{Rules, SeccompError, all, always, apply, clone3_unknown, deny_list, equals, has_bits};

/// A network in any form, sockets by path and abstract ones included; `socketpair` remains.
const SOCKETS: &[i64] =
    &[libc::SYS_socket, libc::SYS_bind, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4, libc::SYS_connect];

/// Another view of the file system, by the old calls and the new.
const MOUNTS: &[i64] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    OPEN_TREE_ATTR,
    libc::SYS_setns,
    libc::SYS_unshare,
];

/// Since Linux 6.15; the C library's headers do not know it yet.
const OPEN_TREE_ATTR: i64 = 467;

/// Other processes: their memory, their descriptors.
const TRACING: &[i64] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_process_madvise,
];

/// Parts of the kernel with a long record of holes, and no use to a job.
const KERNEL: &[i64] = &[
    libc::SYS_bpf,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_userfaultfd,
    libc::SYS_perf_event_open,
    libc::SYS_fanotify_init,
    libc::SYS_open_by_handle_at,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_personality,
];

/// Memory that belongs to no process's count: it would pass the bound on the tree of processes. (A virtual machine that maps
/// its code twice by `memfd_create` falls back, or takes a setting to do without.)
const UNCOUNTED_MEMORY: &[i64] = &[
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
];

/// Devices and FIFOs: a later step that opens one would hang or worse.
#[cfg(target_arch = "x86_64")]
const NODES: &[i64] = &[libc::SYS_mknod, libc::SYS_mknodat];
#[cfg(not(target_arch = "x86_64"))]
const NODES: &[i64] = &[libc::SYS_mknodat];

#[cfg(target_arch = "x86_64")]
const PORTS: &[i64] = &[libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_kexec_file_load, libc::SYS_modify_ldt];
#[cfg(not(target_arch = "x86_64"))]
const PORTS: &[i64] = &[];

/// Calls that programs probe for and do without: they read ENOSYS as "an older kernel".
const UNKNOWN: &[i64] = &[libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];

/// Since Linux 6.6; older headers do not know it.
const FCHMODAT2: i64 = 452;

const NAMESPACE_FLAGS: [libc::c_int; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// The calls that are answered with EPERM.
fn refused() -> Result<Rules, SeccompError> {
    let mut rules = Rules::new();
    for group in [SOCKETS, MOUNTS, TRACING, KERNEL, UNCOUNTED_MEMORY, NODES, PORTS] {
        rules.extend(always(group));
    }
    for flag in NAMESPACE_FLAGS {
        rules.entry(libc::SYS_clone).or_default().push(all(vec![has_bits(0, flag as u64)?])?);
    }
    // Keystrokes put into a terminal that somebody else reads.
    rules.insert(libc::SYS_ioctl, vec![all(vec![equals(1, libc::TIOCSTI as u32)?])?]);
    set_id_bits(&mut rules)?;
    Ok(rules)
}

/// A file with a set-user-id or set-group-id bit would lend the slot's user to whoever runs it.
fn set_id_bits(rules: &mut Rules) -> Result<(), SeccompError> {
    for bit in [libc::S_ISUID, libc::S_ISGID].map(u64::from) {
        let mut deny = |call: i64, conditions| -> Result<(), SeccompError> {
            rules.entry(call).or_default().push(all(conditions)?);
            Ok(())
        };
        deny(libc::SYS_fchmod, vec![has_bits(1, bit)?])?;
        deny(libc::SYS_fchmodat, vec![has_bits(2, bit)?])?;
        deny(FCHMODAT2, vec![has_bits(2, bit)?])?;
        // Without O_CREAT the mode is whatever the register held.
        deny(libc::SYS_openat, vec![has_bits(2, libc::O_CREAT as u64)?, has_bits(3, bit)?])?;
        #[cfg(target_arch = "x86_64")]
        {
            deny(libc::SYS_chmod, vec![has_bits(1, bit)?])?;
            deny(libc::SYS_open, vec![has_bits(1, libc::O_CREAT as u64)?, has_bits(2, bit)?])?;
            deny(libc::SYS_creat, vec![has_bits(1, bit)?])?;
        }
    }
    Ok(())
}

/// Puts the denials in force on this process. Needs `no_new_privs`.
pub fn apply_denials() -> Result<(), SeccompError> {
    for filter in filters()? {
        apply(&filter)?;
    }
    Ok(())
}

/// The filters, in the order in which they are put in force.
pub fn filters() -> Result<Vec<seccompiler::BpfProgram>, SeccompError> {
    Ok(vec![
        no_x32(),
        clone3_unknown()?,
        deny_list(always(UNKNOWN), libc::ENOSYS)?,
        deny_list(refused()?, libc::EPERM)?,
    ])
}

/// The second numbering of the same calls (x32) would pass by every list of numbers.
fn no_x32() -> seccompiler::BpfProgram {
    const X32_BIT: u32 = 0x4000_0000;
    let step = |code: u32, jt: u8, jf: u8, k: u32| seccompiler::sock_filter { code: code as u16, jt, jf, k };
    vec![
        // The call's number is the first word of what a filter sees.
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        step(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 0, 1, X32_BIT),
        step(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
        step(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}
