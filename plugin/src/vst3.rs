//! VST3: a factory of our own, and [`front::Front`] before nice-plug's plugin; both catch panics.

#![expect(unsafe_code, reason = "the VST3 entry: a COM interface by definition")]

mod front;
mod titles;

use std::ffi::c_void;
use std::ptr;

use nice_plug::wrapper::vst3::PluginInfo;
use nice_plug::wrapper::vst3::vst3::Steinberg::{
    FIDString, FUnknown, IPluginFactory, IPluginFactory2, IPluginFactory2Trait, IPluginFactory3, IPluginFactory3Trait,
    IPluginFactoryTrait, PClassInfo, PClassInfo2, PClassInfoW, PFactoryInfo, TUID, int32, kInternalError,
    kInvalidArgument, kResultOk, tresult,
};
use nice_plug::wrapper::vst3::vst3::{Class, ComWrapper};

use crate::container::{Container, Vst3Effect, Vst3Instrument};
use crate::guard::guard;
use front::Front;

/// The factory, with one count for the caller.
pub fn factory() -> *mut c_void {
    guard(ptr::null_mut(), || {
        let factory = Factory {
            plugins: [
                PluginInfo::for_plugin::<Container<Vst3Effect>>(),
                PluginInfo::for_plugin::<Container<Vst3Instrument>>(),
            ],
        };
        ComWrapper::new(factory)
            .to_com_ptr::<IPluginFactory>()
            .map_or(ptr::null_mut(), |factory| factory.into_raw().cast())
    })
}

struct Factory {
    /// In the order of [`make`].
    plugins: [PluginInfo; 2],
}

/// Makes a plugin and asks it for `iid`.
///
/// # Safety
/// `iid` points to an interface's id, `object` to a pointer to be written.
unsafe fn make(index: usize, iid: FIDString, object: *mut *mut c_void) -> tresult {
    let unknown = if index == 0 {
        Front::<Vst3Effect>::new().and_then(|front| ComWrapper::new(front).to_com_ptr::<FUnknown>())
    } else {
        Front::<Vst3Instrument>::new().and_then(|front| ComWrapper::new(front).to_com_ptr::<FUnknown>())
    };
    let Some(unknown) = unknown else { return kInternalError };
    let unknown = unknown.as_ptr();
    // SAFETY: a live object of ours; the caller's word on the rest. The count taken here outlives `unknown`.
    unsafe { ((*(*unknown).vtbl).queryInterface)(unknown, iid.cast::<TUID>(), object) }
}

impl Factory {
    /// Writes what `describe` makes of plugin `index` to `info`.
    ///
    /// # Safety
    /// `info` is null or the host's to be written.
    unsafe fn describe<T>(&self, index: int32, info: *mut T, describe: impl FnOnce(&PluginInfo) -> T) -> tresult {
        guard(kInternalError, || {
            let plugin = usize::try_from(index).ok().and_then(|index| self.plugins.get(index));
            match plugin {
                Some(plugin) if !info.is_null() => {
                    // SAFETY: the caller's word.
                    unsafe { info.write(describe(plugin)) };
                    kResultOk
                }
                _ => kInvalidArgument,
            }
        })
    }
}

impl Class for Factory {
    type Interfaces = (IPluginFactory, IPluginFactory2, IPluginFactory3);
}

impl IPluginFactoryTrait for Factory {
    unsafe fn getFactoryInfo(&self, info: *mut PFactoryInfo) -> tresult {
        // SAFETY: the host's pointer.
        unsafe { self.describe(0, info, PluginInfo::create_factory_info) }
    }

    unsafe fn countClasses(&self) -> int32 {
        self.plugins.len() as int32
    }

    unsafe fn getClassInfo(&self, index: int32, info: *mut PClassInfo) -> tresult {
        // SAFETY: the host's pointer.
        unsafe { self.describe(index, info, PluginInfo::create_class_info) }
    }

    unsafe fn createInstance(&self, cid: FIDString, iid: FIDString, object: *mut *mut c_void) -> tresult {
        guard(kInternalError, || {
            if cid.is_null() || iid.is_null() || object.is_null() {
                return kInvalidArgument;
            }
            // SAFETY: not null; class ids are 16 bytes (VST3 `funknown.h`).
            let cid = unsafe { cid.cast::<[u8; 16]>().read_unaligned() };
            match self.plugins.iter().position(|plugin| *plugin.cid == cid) {
                // SAFETY: the host's pointers, not null.
                Some(index) => unsafe { make(index, iid, object) },
                None => kInvalidArgument,
            }
        })
    }
}

impl IPluginFactory2Trait for Factory {
    unsafe fn getClassInfo2(&self, index: int32, info: *mut PClassInfo2) -> tresult {
        // SAFETY: the host's pointer.
        unsafe { self.describe(index, info, PluginInfo::create_class_info_2) }
    }
}

impl IPluginFactory3Trait for Factory {
    unsafe fn getClassInfoUnicode(&self, index: int32, info: *mut PClassInfoW) -> tresult {
        // SAFETY: the host's pointer.
        unsafe { self.describe(index, info, PluginInfo::create_class_info_unicode) }
    }

    unsafe fn setHostContext(&self, _context: *mut FUnknown) -> tresult {
        kResultOk
    }
}

#[cfg(test)]
mod tests;
