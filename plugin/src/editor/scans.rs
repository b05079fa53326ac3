//! A scan that is made while the editor is open: `catena scan` in a terminal, or an instance that looks for a plugin it lacks. The
//! editor shows what was found without being opened again.

use std::time::{Duration, Instant, SystemTime};

use host_core::model::Folders;
use host_core::session::SessionHandle;

/// Between two looks at the cache.
const PAUSE: Duration = Duration::from_secs(1);
/// What our other threads have.
const STACK: usize = 512 * 1024;

/// What was seen of the scan cache.
#[derive(Default)]
pub struct Scans {
    looked: Option<Instant>,
    seen: Option<SystemTime>,
}

impl Scans {
    /// Looks whether there was a scan; has the session read its catalog again where there was. `[editor]`
    pub fn look(&mut self, session: &SessionHandle) {
        if self.looked.is_some_and(|at| at.elapsed() < PAUSE) {
            return;
        }
        self.looked = Some(Instant::now());
        let file = Folders::from_env().scan_cache();
        let made = std::fs::metadata(file).and_then(|data| data.modified()).ok();
        if made == self.seen {
            return;
        }
        let session = session.clone();
        let reading = std::thread::Builder::new().name("catena-catalog".into()).stack_size(STACK);
        // It waits for home, which an editor never does. Without a thread the next look tries again.
        if reading.spawn(move || session.refresh_catalog()).is_ok() {
            self.seen = made;
        }
    }
}
