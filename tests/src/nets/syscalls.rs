//! A seccomp filter on one thread: every system call but FUTEX_WAKE is trapped, noted and fails.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::SeqCst};

static TRAPPED: AtomicU64 = AtomicU64::new(0);
static LAST: AtomicI64 = AtomicI64::new(-1);

/// How many calls were trapped in code that the nets judge, and the number of the last.
pub fn trapped() -> (u64, i64) {
    (TRAPPED.load(SeqCst), LAST.load(SeqCst))
}

extern "C" fn on_trap(_signal: i32, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the kernel gives both to a SIGSYS handler. The call's number lies after signal, errno, code, a word of padding
    // and the calling address (sigaction(2), `si_syscall`).
    let number = unsafe { *info.cast::<u8>().add(24).cast::<i32>() };
    if super::judged() {
        TRAPPED.fetch_add(1, SeqCst);
        LAST.store(number.into(), SeqCst);
    }
    // SAFETY: the context is this thread's, and the register is the one that carries a call's result.
    unsafe {
        let context = &mut *context.cast::<libc::ucontext_t>();
        #[cfg(target_arch = "x86_64")]
        {
            context.uc_mcontext.gregs[libc::REG_RAX as usize] = -i64::from(libc::ENOSYS);
        }
        #[cfg(target_arch = "aarch64")]
        {
            context.uc_mcontext.regs[0] = -i64::from(libc::ENOSYS) as u64;
        }
    }
}

fn load(offset: u32) -> libc::sock_filter {
    libc::sock_filter { code: (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16, jt: 0, jf: 0, k: offset }
}

fn equal(value: u32, then: u8, otherwise: u8) -> libc::sock_filter {
    libc::sock_filter { code: (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16, jt: then, jf: otherwise, k: value }
}

fn verdict(value: u32) -> libc::sock_filter {
    libc::sock_filter { code: (libc::BPF_RET | libc::BPF_K) as u16, jt: 0, jf: 0, k: value }
}

/// Traps this thread's system calls from here to its end, which must be [`leave`].
pub fn trap() {
    let mut filter = [
        load(0),
        equal(libc::SYS_exit as u32, 5, 0),
        equal(libc::SYS_rt_sigreturn as u32, 4, 0),
        equal(libc::SYS_futex as u32, 0, 2),
        load(24),
        equal((libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG) as u32, 1, 0),
        verdict(libc::SECCOMP_RET_TRAP),
        verdict(libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: the structures are filled in as sigaction(2) and seccomp(2) ask and live until the calls return; the handler
    // does nothing but atomics.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_trap as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_NODEFER;
        assert_eq!(libc::sigaction(libc::SIGSYS, &action, std::ptr::null_mut()), 0);
        assert_eq!(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
        let set = libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &program);
        assert_eq!(set, 0, "seccomp is not to be had here");
    }
}

/// Ends this thread by the one call that is left to it. Nothing on its stack is dropped.
pub fn leave() -> ! {
    // SAFETY: ends this thread alone; whoever waits for it does so by an atomic, not by joining.
    unsafe { libc::syscall(libc::SYS_exit, 0) };
    loop {
        std::hint::spin_loop();
    }
}
