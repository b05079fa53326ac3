//! What both halves of a plugin see: its control values, and a few marks. Relaxed atomics only.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Control values by port index (the plugin's control ports are connected to these very cells), values of
/// `patch:writable` parameters by their place, and marks.
pub struct Shared {
    cells: Box<[AtomicU32]>,
    patch: Box<[AtomicU64]>,
    /// The plugin ran since its state was last restored.
    pub ran: AtomicBool,
    /// Not in real time.
    pub offline: AtomicBool,
    /// The plugin said that its state changed.
    pub dirty: AtomicBool,
    /// The plugin changed values by itself.
    pub values: AtomicBool,
    /// Its user interface is open.
    window: AtomicBool,
}

impl Shared {
    /// Cells for `ports` ports and `patch` patch parameters, all 0. `[home]`
    pub fn new(ports: usize, patch: usize) -> Self {
        Self {
            cells: (0..ports).map(|_| AtomicU32::new(0)).collect(),
            patch: (0..patch).map(|_| AtomicU64::new(0)).collect(),
            ran: AtomicBool::new(false),
            offline: AtomicBool::new(false),
            dirty: AtomicBool::new(false),
            values: AtomicBool::new(false),
            window: AtomicBool::new(false),
        }
    }

    /// Notes whether the user interface is open. `[home]`
    pub fn set_window(&self, open: bool) {
        self.window.store(open, Relaxed);
    }

    /// Whether the user interface is open. `[any]`
    pub fn window(&self) -> bool {
        self.window.load(Relaxed)
    }

    /// The value of a control port; 0 where there is no such port. `[any]`
    pub fn get(&self, port: usize) -> f32 {
        self.cells.get(port).map_or(0.0, |cell| f32::from_bits(cell.load(Relaxed)))
    }

    /// Sets a control input. `[any]`
    pub fn set(&self, port: usize, value: f32) {
        if let Some(cell) = self.cells.get(port) {
            cell.store(value.to_bits(), Relaxed);
        }
    }

    /// The last known value of a patch parameter. `[any]`
    pub fn patch(&self, at: usize) -> f64 {
        self.patch.get(at).map_or(0.0, |cell| f64::from_bits(cell.load(Relaxed)))
    }

    /// Notes the value of a patch parameter. `[any]`
    pub fn set_patch(&self, at: usize, value: f64) {
        if let Some(cell) = self.patch.get(at) {
            cell.store(value.to_bits(), Relaxed);
        }
    }

    /// The place a control port is connected to.
    pub fn cell(&self, port: usize) -> Option<&AtomicU32> {
        self.cells.get(port)
    }
}
