//! The dummy driver: blocks of silence at the right pace, heard nowhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use host_core::session::{HostSetup, SessionHandle};

use super::driver::Driver;
use super::rig::{MAX_BLOCK, SharedRig};
use crate::cli::Play;

struct Dummy {
    rate: u32,
    block: u32,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Starts it.
pub fn open(play: &Play, session: &SessionHandle, rig: &SharedRig) -> Result<Box<dyn Driver>, String> {
    let (rate, block) = (play.rate.unwrap_or(48_000), play.block.unwrap_or(1024));
    let setup = HostSetup { rate: rate.into(), max_block: MAX_BLOCK as u32, offline: false };
    session.activate(setup).map_err(|error| error.to_string())?;
    let stop = Arc::new(AtomicBool::new(false));
    let (ended, rig) = (stop.clone(), rig.clone());
    let thread = std::thread::Builder::new().name("catena-dummy".into()).spawn(move || run(&rig, &ended, rate, block));
    let thread = thread.map_err(|error| format!("no thread for the dummy driver: {error}"))?;
    Ok(Box::new(Dummy { rate, block, stop, thread: Some(thread) }))
}

fn run(rig: &SharedRig, stop: &AtomicBool, rate: u32, block: u32) {
    let length = Duration::from_secs_f64(f64::from(block) / f64::from(rate));
    let mut due = Instant::now();
    while !stop.load(Ordering::Acquire) {
        if let Ok(mut rig) = rig.try_borrow_mut() {
            let rig = rig.get_mut();
            for plane in &mut rig.main {
                plane[..block as usize].fill(0.0);
            }
            rig.run(block as usize, false, None, rate);
        }
        due += length;
        match due.checked_duration_since(Instant::now()) {
            Some(wait) => std::thread::sleep(wait),
            // After a stop of the whole machine nothing is caught up with.
            None => due = Instant::now(),
        }
    }
}

impl Driver for Dummy {
    fn describe(&self) -> String {
        format!("dummy driver, {} Hz, blocks of {}", self.rate, self.block)
    }

    fn dead(&self) -> Option<String> {
        None
    }
}

impl Drop for Dummy {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            let _panicked = thread.join();
        }
    }
}
