//! One instance as the host holds it: the functions of its descriptor.

use std::collections::VecDeque;
use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use atomic_refcell::AtomicRefCell;
use lv2_raw::sys::*;
use nice_plug::prelude::{BufferConfig, PluginNoteEvent, ProcessMode};

use super::super::context::Activating;
use super::super::early::Early;
use super::super::ports::Ports;
use super::super::time::Clock;
use super::super::variant::{self, Variant};
use super::super::{Lv2Core, Lv2Plugin};
use super::buffers::Buffers;
use super::export::{ports_key, state_key};
use super::features::{Log, Map};
use super::options::Blocks;
use super::params::Params;
use super::seen::Seen;
use super::shared::{Common, Tasks, lock};
use super::urids::Urids;
use crate::guard::{guard, injected};

/// What the host's handle points to.
pub struct Instance<P: Lv2Plugin> {
    /// Shared with the window.
    pub common: Arc<Common<P>>,
    /// What only `run` and what a host never calls beside it touch. A host that breaks its word gets the dry signal.
    pub audio: AtomicRefCell<Audio<P>>,
    /// A panic has put it out of use.
    pub broken: AtomicBool,
    /// The host's log.
    pub log: Log,
    /// The host's numbers.
    pub urids: Urids,
}

/// The audio half.
pub struct Audio<P: Lv2Plugin> {
    /// nice-plug's plugin.
    pub plugin: P,
    /// Which port is which.
    pub ports: Ports,
    /// Where the host put each port's data; null for nowhere.
    pub connected: Vec<Port>,
    /// The plugin's own buffers.
    pub buffers: Buffers,
    /// Frames that the buffers hold.
    pub longest: u32,
    /// The song.
    pub clock: Clock,
    /// Events of one part, for plugins that take nice-plug's.
    pub events: VecDeque<PluginNoteEvent<P>>,
    /// Messages that came with blocks of no frames.
    pub early: Early,
    /// Whether `activate` has succeeded.
    pub active: bool,
}

/// A port's data.
#[derive(Clone, Copy)]
pub struct Port(pub *mut c_void);

// SAFETY: the host's pointer, used in `run` alone, on whichever thread the host calls that.
unsafe impl Send for Port {}
// SAFETY: as above: what reads it borrows the whole of `Audio` for itself.
unsafe impl Sync for Port {}

/// The instance behind a host's handle; `None` for null. `[any]`
///
/// # Safety
/// `handle` is null or came from [`instantiate`] of the same `P` and was not cleaned up; `'a` ends before that.
pub unsafe fn of<'a, P: Lv2Plugin>(handle: LV2_Handle) -> Option<&'a Instance<P>> {
    // SAFETY: the caller's word.
    unsafe { handle.cast::<Instance<P>>().cast_const().as_ref() }
}

/// `instantiate`. Null: the rate is no number above 0, or the plugin's constructor panicked. `[main]`
pub unsafe extern "C" fn instantiate<P: Lv2Plugin>(
    descriptor: *const LV2_Descriptor,
    rate: f64,
    _bundle: *const c_char,
    features: *const *const LV2_Feature,
) -> LV2_Handle {
    guard(ptr::null_mut(), || {
        injected("lv2 instantiate");
        // SAFETY: the host's list, whose structs live as long as the instance (LV2 `lv2.h`).
        let map = unsafe { Map::of(features) };
        if !(rate.is_finite() && rate > 0.0) {
            return ptr::null_mut();
        }
        let urids = Urids::new(map, state_key::<P>().to_bytes_with_nul(), ports_key::<P>().to_bytes_with_nul());
        // SAFETY: as above.
        let (blocks, log) = unsafe { (Blocks::of(features, &urids), Log::of(features, map)) };
        let instance = Box::new(make::<P>(rate, blocks, log, urids, variant::of(descriptor.addr())));
        instance.say();
        Box::into_raw(instance).cast()
    })
}

fn make<P: Lv2Plugin>(
    rate: f64,
    blocks: Blocks,
    log: Log,
    urids: Urids,
    variant: Option<&'static Variant>,
) -> Instance<P> {
    let mut plugin = P::default();
    let params = Params::new(plugin.params(), variant);
    let core = plugin.lv2_core();
    if let Some(variant) = variant {
        core.become_variant(variant);
    }
    let ports = Ports::new(params.infos.len(), &P::LV2_LAYOUT);
    let tasks = Tasks::<P>::new(plugin.task_executor());
    let editor = plugin.editor(tasks.for_editor());
    let common = Common {
        core,
        seen: Seen::new(&params),
        params,
        unread: Mutex::default(),
        editor: Mutex::new(editor),
        tasks,
        types: urids.types,
        latency: AtomicU32::new(0),
        dirty: AtomicBool::new(false),
        max_block: AtomicU32::new(blocks.max),
        window_open: AtomicBool::new(false),
        rate,
    };
    let audio = Audio {
        plugin,
        connected: vec![Port(ptr::null_mut()); ports.count()],
        ports,
        buffers: Buffers::new(&P::LV2_LAYOUT, blocks.max as usize),
        longest: blocks.max,
        clock: Clock::new(rate),
        events: VecDeque::with_capacity(P::INPUT_EVENT_CAPACITY),
        early: Early::new(),
        active: false,
    };
    Instance { common: Arc::new(common), audio: AtomicRefCell::new(audio), broken: AtomicBool::new(false), log, urids }
}

impl<P: Lv2Plugin> Instance<P> {
    /// Hands collected notices to the host's log. `[main]`
    pub fn say(&self) {
        for notice in self.common.core.take_notices() {
            self.log.warn(&notice);
        }
    }

    fn activate(&self) {
        injected("lv2 activate");
        let Ok(mut audio) = self.audio.try_borrow_mut() else { return };
        let audio = &mut *audio;
        audio.early.clear();
        audio.longest = self.common.max_block.load(Ordering::Relaxed);
        audio.buffers = Buffers::new(&P::LV2_LAYOUT, audio.longest as usize);
        let config = BufferConfig {
            sample_rate: self.common.rate as f32,
            min_buffer_size: None,
            max_buffer_size: audio.longest,
            process_mode: ProcessMode::Realtime,
        };
        audio.active = audio.plugin.activate(&P::LV2_LAYOUT, &config, &mut Activating(&self.common));
        if audio.active {
            for port in 0..audio.ports.params {
                self.common.params.smooth(port, self.common.rate as f32, true);
            }
            audio.plugin.reset();
        }
    }
}

/// `connect_port`. A port that there is not, and a call beside `run`, change nothing. `[audio]`
pub unsafe extern "C" fn connect_port<P: Lv2Plugin>(handle: LV2_Handle, port: u32, data: *mut c_void) {
    guard((), || {
        // SAFETY: the host passes what `instantiate` gave it.
        let Some(this) = (unsafe { of::<P>(handle) }) else { return };
        if let Ok(mut audio) = this.audio.try_borrow_mut()
            && let Some(place) = audio.connected.get_mut(port as usize)
        {
            *place = Port(data);
        }
    });
}

/// `activate`. A panic leaves the instance dry. `[main & !active]`
pub unsafe extern "C" fn activate<P: Lv2Plugin>(handle: LV2_Handle) {
    guard((), || {
        // SAFETY: the host passes what `instantiate` gave it.
        let Some(this) = (unsafe { of::<P>(handle) }) else { return };
        if !guard(false, || {
            this.activate();
            true
        }) {
            this.broken.store(true, Ordering::Relaxed);
        }
        this.say();
    });
}

/// `deactivate`. `[main & active]`
pub unsafe extern "C" fn deactivate<P: Lv2Plugin>(handle: LV2_Handle) {
    guard((), || {
        // SAFETY: the host passes what `instantiate` gave it.
        let Some(this) = (unsafe { of::<P>(handle) }) else { return };
        if let Ok(mut audio) = this.audio.try_borrow_mut()
            && std::mem::take(&mut audio.active)
        {
            audio.plugin.stop_processing();
            audio.plugin.deactivate();
        }
        this.say();
    });
}

/// `cleanup`. `[main & !active]`
pub unsafe extern "C" fn cleanup<P: Lv2Plugin>(handle: LV2_Handle) {
    guard((), || {
        if handle.is_null() {
            return;
        }
        // SAFETY: the host passes what `instantiate` leaked, once, and uses it no more.
        let this = unsafe { Box::from_raw(handle.cast::<Instance<P>>()) };
        // A window that is still open keeps what it shows, and its editor; the instance's own goes.
        let editor = lock(&this.common.editor).take();
        drop(editor);
        drop(this);
    });
}
