//! The host's objects that a VST3 plugin calls: the handler, a block's changed parameters, a stream.

use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use vst3::Steinberg::Vst::*;
use vst3::Steinberg::*;
use vst3::{Class, ComWrapper};

/// What the plugin asked of the host.
#[derive(Default)]
pub struct Asked {
    /// Notices of another latency.
    pub latency: AtomicU32,
    /// Notices of other titles.
    pub titles: AtomicU32,
    /// Values it changed by itself.
    pub edits: AtomicU32,
}

/// Of the thread that made it, which is the host's main thread.
pub(super) struct Handler(pub(super) Arc<Asked>, pub(super) std::thread::ThreadId);

impl Class for Handler {
    type Interfaces = (IComponentHandler,);
}

impl IComponentHandlerTrait for Handler {
    unsafe fn beginEdit(&self, _id: ParamID) -> tresult {
        kResultOk
    }

    unsafe fn performEdit(&self, _id: ParamID, _value: ParamValue) -> tresult {
        self.0.edits.fetch_add(1, Ordering::SeqCst);
        kResultOk
    }

    unsafe fn endEdit(&self, _id: ParamID) -> tresult {
        kResultOk
    }

    unsafe fn restartComponent(&self, flags: int32) -> tresult {
        if flags & RestartFlags_::kLatencyChanged as int32 != 0 {
            self.0.latency.fetch_add(1, Ordering::SeqCst);
        }
        if flags & RestartFlags_::kParamTitlesChanged as int32 != 0 {
            assert_eq!(std::thread::current().id(), self.1, "titles are told on the host's main thread");
            self.0.titles.fetch_add(1, Ordering::SeqCst);
        }
        kResultOk
    }
}

/// The list in which a block's changed parameters come out.
#[derive(Default)]
pub(super) struct Changes(pub(super) RefCell<Vec<ComWrapper<Queue>>>);

/// The changes of one parameter.
pub(super) struct Queue(pub(super) ParamID, pub(super) RefCell<Vec<(i32, f64)>>);

impl Changes {
    /// A list of these: parameter, frame, value.
    pub(super) fn of(moves: &[(u32, i32, f64)]) -> Self {
        let changes = Self::default();
        for &(id, frame, value) in moves {
            let mut queues = changes.0.borrow_mut();
            let at = queues.iter().position(|queue| queue.0 == id).unwrap_or_else(|| {
                queues.push(ComWrapper::new(Queue(id, RefCell::default())));
                queues.len() - 1
            });
            queues[at].1.borrow_mut().push((frame, value));
        }
        changes
    }
}

impl Class for Changes {
    type Interfaces = (IParameterChanges,);
}

impl Class for Queue {
    type Interfaces = (IParamValueQueue,);
}

impl IParameterChangesTrait for Changes {
    unsafe fn getParameterCount(&self) -> int32 {
        self.0.borrow().len() as int32
    }

    unsafe fn getParameterData(&self, index: int32) -> *mut IParamValueQueue {
        let queues = self.0.borrow();
        let queue = queues.get(index as usize).and_then(|queue| queue.as_com_ref::<IParamValueQueue>());
        queue.map_or(ptr::null_mut(), |queue| queue.as_ptr())
    }

    unsafe fn addParameterData(&self, id: *const ParamID, index: *mut int32) -> *mut IParamValueQueue {
        // SAFETY: the plugin's numbers.
        unsafe {
            index.write(self.getParameterCount());
            self.0.borrow_mut().push(ComWrapper::new(Queue(*id, RefCell::default())));
            self.getParameterData(*index)
        }
    }
}

impl IParamValueQueueTrait for Queue {
    unsafe fn getParameterId(&self) -> ParamID {
        self.0
    }

    unsafe fn getPointCount(&self) -> int32 {
        self.1.borrow().len() as int32
    }

    unsafe fn getPoint(&self, index: int32, frame: *mut int32, value: *mut ParamValue) -> tresult {
        let points = self.1.borrow();
        let Some((at, said)) = points.get(index as usize) else { return kInvalidArgument };
        // SAFETY: the caller's numbers.
        unsafe { (frame.write(*at), value.write(*said)) };
        kResultOk
    }

    unsafe fn addPoint(&self, frame: int32, value: ParamValue, index: *mut int32) -> tresult {
        // SAFETY: the plugin's number.
        unsafe { index.write(self.getPointCount()) };
        self.1.borrow_mut().push((frame, value));
        kResultOk
    }
}

/// A stream in memory.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) bytes: RefCell<Vec<u8>>,
    at: RefCell<usize>,
}

impl Memory {
    /// A stream that holds `bytes`, read from the start.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self { bytes: RefCell::new(bytes.to_vec()), at: RefCell::default() }
    }
}

impl Class for Memory {
    type Interfaces = (IBStream,);
}

impl IBStreamTrait for Memory {
    unsafe fn read(&self, buffer: *mut c_void, size: int32, read: *mut int32) -> tresult {
        let (bytes, mut at) = (self.bytes.borrow(), self.at.borrow_mut());
        let part = &bytes[*at..bytes.len().min(*at + size as usize)];
        // SAFETY: the caller's buffer of `size` bytes.
        unsafe { ptr::copy_nonoverlapping(part.as_ptr(), buffer.cast(), part.len()) };
        *at += part.len();
        if !read.is_null() {
            // SAFETY: not null, the caller's.
            unsafe { read.write(part.len() as int32) };
        }
        kResultOk
    }

    unsafe fn write(&self, buffer: *mut c_void, size: int32, written: *mut int32) -> tresult {
        // SAFETY: the caller's `size` bytes.
        let part = unsafe { std::slice::from_raw_parts(buffer.cast::<u8>(), size as usize) };
        self.bytes.borrow_mut().extend_from_slice(part);
        if !written.is_null() {
            // SAFETY: not null, the caller's.
            unsafe { written.write(size) };
        }
        kResultOk
    }

    unsafe fn seek(&self, position: int64, mode: int32, result: *mut int64) -> tresult {
        let length = self.bytes.borrow().len();
        let mut at = self.at.borrow_mut();
        let from = match mode {
            0 => 0,
            1 => *at as int64,
            _ => length as int64,
        };
        *at = (from + position).clamp(0, length as int64) as usize;
        if !result.is_null() {
            // SAFETY: not null, the caller's.
            unsafe { result.write(*at as int64) };
        }
        kResultOk
    }

    unsafe fn tell(&self, position: *mut int64) -> tresult {
        // SAFETY: the caller's.
        unsafe { position.write(*self.at.borrow() as int64) };
        kResultOk
    }
}
