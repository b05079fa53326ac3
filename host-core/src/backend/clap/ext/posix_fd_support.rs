//! `clap.posix-fd-support`: descriptors are polled by home, level-triggered. They may be changed inside their own call.

use std::os::fd::RawFd;

use clack_extensions::posix_fd::{FdFlags, HostPosixFdImpl, PluginPosixFd};
use clack_host::prelude::HostError;

use crate::backend::Watch;
use crate::backend::clap::host::HomeSide;
use crate::backend::clap::main::ClapMain;

/// Most descriptors of one plugin.
const MOST: usize = 256;

fn watch(fd: RawFd, flags: FdFlags) -> Watch {
    Watch {
        fd,
        read: flags.contains(FdFlags::READ),
        write: flags.contains(FdFlags::WRITE),
        error: flags.contains(FdFlags::ERROR),
    }
}

fn flags(ready: &Watch) -> FdFlags {
    let mut flags = FdFlags::empty();
    flags.set(FdFlags::READ, ready.read);
    flags.set(FdFlags::WRITE, ready.write);
    flags.set(FdFlags::ERROR, ready.error);
    flags
}

impl HomeSide {
    fn edit_watches<T>(&self, edit: impl FnOnce(&mut Vec<Watch>) -> Result<T, HostError>) -> Result<T, HostError> {
        if !self.common.expect_home() {
            return Err(HostError::Message("descriptors are watched from the main thread"));
        }
        edit(&mut self.watches.borrow_mut())
    }
}

impl HostPosixFdImpl for HomeSide {
    fn register_fd(&self, fd: RawFd, flags: FdFlags) -> Result<(), HostError> {
        self.edit_watches(|watches| {
            if fd < 0 || watches.len() >= MOST || watches.iter().any(|watch| watch.fd == fd) {
                return Err(HostError::Message("no descriptor, watched already, or too many"));
            }
            watches.push(watch(fd, flags));
            Ok(())
        })
    }

    fn modify_fd(&self, fd: RawFd, flags: FdFlags) -> Result<(), HostError> {
        self.edit_watches(|watches| {
            let found = watches.iter_mut().find(|watch| watch.fd == fd);
            *found.ok_or(HostError::Message("this descriptor is not watched"))? = watch(fd, flags);
            Ok(())
        })
    }

    fn unregister_fd(&self, fd: RawFd) -> Result<(), HostError> {
        self.edit_watches(|watches| {
            let before = watches.len();
            watches.retain(|watch| watch.fd != fd);
            if watches.len() < before { Ok(()) } else { Err(HostError::Message("this descriptor is not watched")) }
        })
    }
}

impl ClapMain {
    /// Calls the plugin for each of its descriptors that is ready. `[home]`
    pub(in crate::backend::clap) fn serve_descriptors(&mut self, ready: &[Watch]) {
        if ready.is_empty() {
            return;
        }
        let Some(extension) = self.instance.plugin_handle().get_extension::<PluginPosixFd>() else { return };
        for ready in ready {
            // An earlier call may have taken this one away or changed what it waits for.
            let wanted = self.instance.access_handler(|home| {
                let watches = home.watches.borrow();
                watches.iter().find(|watch| watch.fd == ready.fd).map(|watch| flags(watch) | FdFlags::ERROR)
            });
            let now = flags(ready) & wanted.unwrap_or(FdFlags::empty());
            if !now.is_empty() {
                extension.on_fd(&self.instance.plugin_handle(), ready.fd, now);
            }
        }
    }
}
