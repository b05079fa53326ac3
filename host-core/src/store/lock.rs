//! One writer at a time of a file that several processes change: what one wrote another does not overwrite unread.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// So long a lock is waited for: who holds one reads and writes a small file.
const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(2);

/// Waits for and takes the lock of `path`, which lies beside it; released when the file is dropped or the process ends. The folder
/// is made. Some network file systems have no locks: writes are in one step all the same.
pub fn of(path: &Path) -> io::Result<File> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    let beside = path.with_extension("lock");
    let file = File::options().create(true).truncate(false).write(true).open(beside)?;
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(TryLockError::Error(_)) => return Ok(file),
            Err(TryLockError::WouldBlock) if begun.elapsed() >= PATIENCE => {
                let text = "is being changed by another program; try again";
                return Err(io::Error::new(io::ErrorKind::WouldBlock, text));
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
        }
    }
}
