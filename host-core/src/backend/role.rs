//! Which thread this is, and which plugin's audio it runs at this moment.
//!
//! Audio is a role, not a thread: home plays it for a plugin whose audio half is at home. The role names the
//! plugin, so that a plugin inside a plugin is not taken for the other. Nothing here allocates or waits.

use std::cell::Cell;

/// A thread, for as long as it lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thread(usize);

/// The plugin whose audio half is at work on this thread, as a number of the backend's choice (an address).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Role {
    plugin: usize,
    processing: bool,
    in_tasks: bool,
}

thread_local! {
    // Its address is the thread's name: no two living threads share it, and reading it makes no system call.
    static ROLE: Cell<Role> = const { Cell::new(Role { plugin: 0, processing: false, in_tasks: false }) };
}

/// This thread. `[any]`
pub fn this_thread() -> Thread {
    ROLE.with(|role| Thread(std::ptr::from_ref(role) as usize))
}

/// Whether this thread plays the audio role for `plugin`. `[any]`
pub fn is_audio(plugin: usize) -> bool {
    ROLE.with(|role| role.get().plugin == plugin)
}

/// Whether this thread is inside `plugin`'s process call, and not inside one of its own tasks. `[any]`
pub fn may_start_tasks(plugin: usize) -> bool {
    ROLE.with(|role| role.get() == Role { plugin, processing: true, in_tasks: false })
}

/// Plays the audio role for `plugin` until it is dropped; what was before comes back then.
pub struct AudioRole(Role);

impl AudioRole {
    /// For start, stop, reset and flush. `[audio]`
    pub fn enter(plugin: usize) -> Self {
        Self(ROLE.with(|role| role.replace(Role { plugin, processing: false, in_tasks: false })))
    }

    /// For process. `[audio]`
    pub fn process(plugin: usize) -> Self {
        Self(ROLE.with(|role| role.replace(Role { plugin, processing: true, in_tasks: false })))
    }

    /// For the tasks of a process call. `[audio]`
    pub fn tasks(plugin: usize) -> Self {
        Self(ROLE.with(|role| role.replace(Role { plugin, processing: true, in_tasks: true })))
    }
}

impl Drop for AudioRole {
    fn drop(&mut self) {
        ROLE.with(|role| role.set(self.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_role_is_one_plugins_and_one_threads_and_ends_with_its_guard() {
        let outer = AudioRole::process(1);
        {
            let _inner = AudioRole::enter(2);
            assert!(is_audio(2) && !is_audio(1) && !may_start_tasks(2));
        }
        assert!(is_audio(1) && may_start_tasks(1));
        {
            let _tasks = AudioRole::tasks(1);
            assert!(is_audio(1) && !may_start_tasks(1));
        }
        let here = this_thread();
        std::thread::spawn(move || assert!(!is_audio(1) && this_thread() != here)).join().unwrap();
        drop(outer);
        assert!(!is_audio(1));
    }
}
