//! A Plugin type as a host finds it in the library.

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

use lv2_raw::sys::*;
use nice_plug::prelude::Plugin;

use super::super::Lv2Plugin;
use super::super::ports::Ports;
use super::super::turtle::Described;
use super::super::variant::{self, Variant};
use super::options::Interface as _;
use super::params::Params;
use super::shared::Tasks;
use super::state::Interface as _;
use super::{instance, run, ui};
use crate::guard::guard;

/// One plugin: its descriptors, and how to describe it.
pub struct Export {
    descriptor: LV2_Descriptor,
    window: LV2UI_Descriptor,
    describe: fn(Option<&'static Variant>) -> Described,
    variant: Option<&'static Variant>,
}

// SAFETY: the pointers are to leaked text and to functions; nobody writes them.
unsafe impl Send for Export {}
// SAFETY: as above.
unsafe impl Sync for Export {}

/// Text that lives for ever, for C.
fn leaked(text: &str) -> *const c_char {
    CString::new(text).unwrap_or_default().into_raw().cast_const()
}

/// The key under which the state of `P` is stored. `[any but audio]`
pub fn state_key<P: Lv2Plugin>() -> CString {
    CString::new(P::LV2_STATE).unwrap_or_default()
}

/// The key under which is stored what the host had at its ports then.
pub fn ports_key<P: Lv2Plugin>() -> CString {
    CString::new(format!("{}#ports", P::LV2_STATE)).unwrap_or_default()
}

impl Export {
    /// What a host finds of `P`. It leaks two names: made once for each plugin. `[any but audio]`
    pub fn of<P: Lv2Plugin>() -> Self {
        Self {
            descriptor: LV2_Descriptor {
                URI: leaked(P::LV2_URI),
                instantiate: Some(instance::instantiate::<P>),
                connect_port: Some(instance::connect_port::<P>),
                activate: Some(instance::activate::<P>),
                run: Some(run::run::<P>),
                deactivate: Some(instance::deactivate::<P>),
                cleanup: Some(instance::cleanup::<P>),
                extension_data: Some(extension_data::<P>),
            },
            window: LV2UI_Descriptor {
                URI: leaked(&format!("{}#ui", P::LV2_URI)),
                instantiate: Some(ui::instantiate::<P>),
                cleanup: Some(ui::cleanup::<P>),
                port_event: Some(ui::port_event::<P>),
                extension_data: Some(ui::extension_data::<P>),
            },
            describe: describe::<P>,
            variant: None,
        }
    }

    /// The same for a variant of `P`. It leaks: made once for each. `[any but audio]`
    pub fn variant<P: Lv2Plugin>(variant: Variant) -> &'static Self {
        let variant: &'static Variant = Box::leak(Box::new(variant));
        let plain = Self::of::<P>();
        let export: &'static Self = Box::leak(Box::new(Self {
            descriptor: LV2_Descriptor { URI: leaked(variant.uri), ..plain.descriptor },
            window: LV2UI_Descriptor { URI: leaked(&format!("{}#ui", variant.uri)), ..plain.window },
            variant: Some(variant),
            ..plain
        }));
        variant::note(export.descriptor().addr(), variant);
        export
    }

    /// The plugin's descriptor. `[any]`
    pub fn descriptor(&self) -> *const c_void {
        ptr::from_ref(&self.descriptor).cast()
    }

    /// The descriptor of its window. `[any]`
    pub fn window(&self) -> *const c_void {
        ptr::from_ref(&self.window).cast()
    }

    /// The plugin as Turtle tells it; makes an instance to ask. `[main]`
    pub fn describe(&self) -> Described {
        (self.describe)(self.variant)
    }
}

fn describe<P: Lv2Plugin>(variant: Option<&'static Variant>) -> Described {
    let mut plugin = P::default();
    let params = Params::new(plugin.params(), variant).infos;
    let tasks = Tasks::<P>::new(plugin.task_executor());
    Described {
        uri: variant.map_or(P::LV2_URI, |variant| variant.uri),
        name: variant.map_or(<P as Plugin>::NAME, |variant| variant.name),
        vendor: variant.map_or(P::VENDOR, |variant| variant.vendor),
        url: P::URL,
        version: P::VERSION,
        comment: variant.map_or(P::LV2_COMMENT, |variant| variant.comment),
        state: P::LV2_STATE,
        classes: variant.map_or(P::LV2_CLASSES, |variant| variant.classes),
        max_latency: P::LV2_MAX_LATENCY,
        layout: P::LV2_LAYOUT,
        ports: Ports::new(params.len(), &P::LV2_LAYOUT),
        params,
        window: plugin.editor(tasks.for_editor()).is_some(),
        plain: variant.is_some_and(|variant| variant.plain),
    }
}

unsafe extern "C" fn extension_data<P: Lv2Plugin>(uri: *const c_char) -> *const c_void {
    guard(ptr::null(), || {
        if uri.is_null() {
            return ptr::null();
        }
        // SAFETY: not null, a C string of the host's.
        let uri = unsafe { CStr::from_ptr(uri) }.to_bytes_with_nul();
        if uri == LV2_STATE__interface {
            ptr::from_ref(P::STATE).cast()
        } else if uri == LV2_OPTIONS__interface {
            ptr::from_ref(P::OPTIONS).cast()
        } else {
            ptr::null()
        }
    })
}
