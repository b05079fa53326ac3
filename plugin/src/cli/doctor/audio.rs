//! Sound: rights of real-time threads, locked memory, JACK and ALSA.

use rustix::process::{Resource, getrlimit};

use super::{Finding, Grade};
use crate::standalone;

/// Gives the user's group the rights that sound needs; takes effect at the next login.
const RIGHTS: &str = "printf '@audio - rtprio 95\\n@audio - memlock unlimited\\n' | \
sudo tee /etc/security/limits.d/95-catena.conf && sudo usermod -aG audio \"$USER\"   # then log in again";
/// Memory that can be locked, below which a busy session may stutter, bytes.
const ENOUGH_LOCKED: u64 = 256 << 20;

/// Looks at the rights and drivers.
pub fn look() -> Vec<Finding> {
    vec![priority(), cores(), locked(), jack(), alsa()]
}

fn priority() -> Finding {
    let what = "real-time rights";
    match getrlimit(Resource::Rtprio).current {
        None => Finding::good(what, "any priority"),
        Some(0) if rustix::process::geteuid().is_root() => Finding::good(what, "any priority (root)"),
        Some(0) => Finding::wrong(what, Grade::Weak, "none: sound may stutter under load", RIGHTS),
        Some(most) => Finding::good(what, format!("priority up to {most}")),
    }
}

/// What a chain that may use several cores finds here.
fn cores() -> Finding {
    let what = "several cores";
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    let right = getrlimit(Resource::Rtprio).current != Some(0) || rustix::process::geteuid().is_root();
    match (count, right) {
        (1, _) => Finding::good(what, "there is one: chains run on it"),
        (_, true) => {
            Finding::good(what, format!("{count}, for chains that may use them (`catena edit FILE cores on`)"))
        }
        (_, false) => {
            let found = format!("{count}, for renders alone: in real time helper threads need real-time rights");
            Finding::wrong(what, Grade::Weak, found, RIGHTS)
        }
    }
}

fn locked() -> Finding {
    let what = "locked memory";
    match getrlimit(Resource::Memlock).current {
        None => Finding::good(what, "no limit"),
        Some(bytes) if bytes >= ENOUGH_LOCKED => Finding::good(what, format!("{} MiB", bytes >> 20)),
        Some(bytes) => {
            Finding::wrong(what, Grade::Weak, format!("only {} KiB: sound may stutter under load", bytes >> 10), RIGHTS)
        }
    }
}

fn jack() -> Finding {
    match standalone::jack_state() {
        standalone::JackState::NoLibrary(why) => {
            let found = format!("its library cannot be loaded ({why}); `catena FILE` plays through ALSA");
            Finding::wrong("JACK", Grade::Weak, found, "sudo apt install libjack-jackd2-0")
        }
        standalone::JackState::NoServer => {
            let found = "no server runs; `catena FILE` plays through ALSA";
            Finding::wrong("JACK", Grade::Weak, found, "jackd -d alsa &   # or: sudo apt install pipewire-jack")
        }
        standalone::JackState::Running { rate, block } => {
            Finding::good("JACK", format!("a server runs at {rate} Hz with blocks of {block} frames"))
        }
    }
}

fn alsa() -> Finding {
    match standalone::alsa_device() {
        Ok(name) => Finding::good("ALSA", format!("plays through {name}")),
        Err(why) => Finding::wrong(
            "ALSA",
            Grade::Weak,
            why.trim_start_matches("ALSA: "),
            "aplay -L   # shows what the system knows",
        ),
    }
}
