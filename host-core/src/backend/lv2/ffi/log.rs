//! `log:log`: lines of a plugin go into the process's log queue, from any thread, without waiting.

use std::ffi::{c_char, c_int, c_void};

use super::spec::Log;
use crate::backend::log::{self, Level};
use crate::backend::lv2::urid;

/// Longest line formatted, bytes.
const LINE: usize = 240;

unsafe extern "C" {
    /// C's own, with the list as the pointer that it is at the ABI (x86-64 and AArch64 alike).
    fn vsnprintf(out: *mut c_char, size: usize, format: *const c_char, args: *mut c_void) -> c_int;
}

/// What a plugin's lines begin with; the handle points here.
pub struct Prefix {
    name: String,
}

impl Prefix {
    /// Lines of the plugin called `name`.
    pub fn new(name: &str) -> Box<Self> {
        let end = name.char_indices().map(|(at, _)| at).take_while(|at| *at <= 60).last().unwrap_or(0);
        let name = if name.len() > 60 { &name[..end] } else { name };
        Box::new(Self { name: format!("{name}: ") })
    }
}

/// `log:log`'s data. `prefix` must live as long as the plugin.
pub fn log(prefix: &Prefix) -> Log {
    Log { handle: std::ptr::from_ref(prefix).cast_mut().cast(), printf, vprintf }
}

fn level(kind: u32) -> Level {
    let known = urid::known();
    match kind {
        _ if kind == known.log_error => Level::Error,
        _ if kind == known.log_warning => Level::Warning,
        _ if kind == known.log_trace => Level::Debug,
        _ => Level::Info,
    }
}

unsafe extern "C" fn vprintf(handle: *mut c_void, kind: u32, format: *const c_char, args: *mut c_void) -> c_int {
    if handle.is_null() || format.is_null() {
        return 0;
    }
    // SAFETY: the handle is the `Prefix` that the plugin's features own.
    let prefix = unsafe { &*handle.cast::<Prefix>() }.name.as_bytes();
    let mut line = [0_u8; LINE];
    line[..prefix.len()].copy_from_slice(prefix);
    let room = &mut line[prefix.len()..];
    // SAFETY: writes at most `room.len()` bytes; format and list are as the plugin gave them (log.h).
    let wanted = unsafe { vsnprintf(room.as_mut_ptr().cast(), room.len(), format, args) };
    let written = (wanted.max(0) as usize).min(room.len() - 1);
    let text = line[..prefix.len() + written].trim_ascii_end();
    log::push(level(kind), text);
    wanted
}

/// `printf` takes a variable list of arguments, which stable Rust cannot define: this saves the registers the
/// arguments may lie in, as the System V ABI (3.5.7) lays out a `va_list`, and goes on in [`vprintf`].
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn printf() {
    std::arch::naked_asm!(
        "sub rsp, 216",
        // The register save area: six general registers, then eight vector registers.
        "mov [rsp + 24], rdi",
        "mov [rsp + 32], rsi",
        "mov [rsp + 40], rdx",
        "mov [rsp + 48], rcx",
        "mov [rsp + 56], r8",
        "mov [rsp + 64], r9",
        "movups [rsp + 72], xmm0",
        "movups [rsp + 88], xmm1",
        "movups [rsp + 104], xmm2",
        "movups [rsp + 120], xmm3",
        "movups [rsp + 136], xmm4",
        "movups [rsp + 152], xmm5",
        "movups [rsp + 168], xmm6",
        "movups [rsp + 184], xmm7",
        // The list: three named arguments are used up; the rest lies above the return address.
        "mov dword ptr [rsp], 24",
        "mov dword ptr [rsp + 4], 48",
        "lea rax, [rsp + 224]",
        "mov [rsp + 8], rax",
        "lea rax, [rsp + 24]",
        "mov [rsp + 16], rax",
        "mov rcx, rsp",
        "call {vprintf}",
        "add rsp, 216",
        "ret",
        vprintf = sym vprintf,
    )
}

/// Elsewhere the line is logged as it was written, its arguments left out.
#[cfg(not(target_arch = "x86_64"))]
unsafe extern "C" fn printf() {
    log::push(Level::Info, b"a plugin's log line was left out: its arguments cannot be read on this machine");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printf_reads_integers_floats_and_strings_from_registers_and_the_stack() {
        log::listen();
        let prefix = Prefix::new("urn:log-test");
        let log = log(&prefix);
        type Printf = unsafe extern "C" fn(*mut c_void, u32, *const c_char, ...) -> c_int;
        // SAFETY: log.h declares printf so; the function behind it reads its arguments as the ABI passes them.
        let printf: Printf = unsafe { std::mem::transmute(log.printf) };
        let kind = urid::known().log_warning;
        // SAFETY: format and arguments agree.
        unsafe {
            printf(
                log.handle,
                kind,
                c"%d %s %g %d %d %d %s %g\n".as_ptr(),
                1 as c_int,
                c"two".as_ptr(),
                3.5_f64,
                4 as c_int,
                5 as c_int,
                6 as c_int,
                c"seven".as_ptr(),
                8.25_f64,
            );
        }
        let line = std::iter::from_fn(log::pop).find(|line| line.text().starts_with("urn:log-test")).unwrap();
        assert_eq!(line.text(), "urn:log-test: 1 two 3.5 4 5 6 seven 8.25");
        assert_eq!(line.level, Level::Warning);
    }
}
