//! `clap.tail`: how long a plugin sounds on.
#![expect(
    unsafe_code,
    reason = "clack lets `changed` and `get` in only on the audio side; plugins call the first from \
                                 home too, and the second is a main-thread call as well"
)]

use std::ffi::CStr;

use clack_host::extensions::prelude::*;
use clap_sys::ext::tail::*;

use crate::backend::Tail;
use crate::backend::clap::host::Handlers;
use crate::backend::clap::requests::Ask;

/// The host side of `clap.tail`.
#[derive(Clone, Copy)]
pub struct HostTail;

// SAFETY: CLAP_EXT_TAIL names clap_host_tail; the type holds nothing, so any pointer of that side may make it.
unsafe impl Extension for HostTail {
    const IDENTIFIERS: &[&CStr] = &[CLAP_EXT_TAIL];
    type ExtensionSide = HostExtensionSide;

    unsafe fn from_raw(_raw: RawExtension<Self::ExtensionSide>) -> Self {
        Self
    }
}

// SAFETY: clap_host_tail is the structure that CLAP_EXT_TAIL names on the host's side.
unsafe impl ExtensionImplementation<Handlers> for HostTail {
    const IMPLEMENTATION: RawExtensionImplementation =
        RawExtensionImplementation::new(&clap_host_tail { changed: Some(changed) });
}

unsafe extern "C" fn changed(host: *const clap_host) {
    // SAFETY: `host` is the pointer this instance was given (clack checks it for null).
    unsafe {
        HostWrapper::<Handlers>::handle(host, |wrapper| {
            wrapper.shared().0.ask(Ask::Tail);
            Ok(())
        });
    }
}

/// The plugin side of `clap.tail`.
#[derive(Clone, Copy)]
pub struct PluginTail(RawExtension<PluginExtensionSide, clap_plugin_tail>);

// SAFETY: CLAP_EXT_TAIL names clap_plugin_tail on the plugin's side.
unsafe impl Extension for PluginTail {
    const IDENTIFIERS: &[&CStr] = &[CLAP_EXT_TAIL];
    type ExtensionSide = PluginExtensionSide;

    unsafe fn from_raw(raw: RawExtension<Self::ExtensionSide>) -> Self {
        // SAFETY: the caller vouches for the pointer's type.
        Self(unsafe { raw.cast() })
    }
}

impl PluginTail {
    /// The tail now. `[home]`
    pub fn get(&self, plugin: &PluginMainThreadHandle<'_>) -> Tail {
        let Some(get) = plugin.use_extension(&self.0).get else { return Tail::Unknown };
        // SAFETY: the handle proves that the instance lives and that this is its main thread.
        match unsafe { get(plugin.as_raw_ptr()) } {
            frames if frames >= i32::MAX as u32 => Tail::Infinite,
            frames => Tail::Frames(frames),
        }
    }
}
