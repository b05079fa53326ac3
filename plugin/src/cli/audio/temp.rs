//! A file that has no name until it is complete, so that nothing is left behind however a program ends.

use std::fs::File;
use std::io::Result;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags};

/// A file under way.
pub struct Unfinished {
    file: File,
    /// Where it shall be.
    goal: PathBuf,
    /// Its name meanwhile, on file systems that know no nameless files.
    named: Option<PathBuf>,
}

impl Unfinished {
    /// Begins the file that will be `goal`. A link there is followed: what it points to is replaced.
    pub fn create(goal: &Path) -> Result<Self> {
        let goal = std::fs::canonicalize(goal).unwrap_or_else(|_| goal.into());
        let folder = folder_of(&goal);
        let mode = Mode::from_raw_mode(0o666);
        match rustix::fs::open(folder, OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC, mode) {
            Ok(descriptor) => Ok(Self { file: descriptor.into(), goal, named: None }),
            Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::ISDIR | rustix::io::Errno::INVAL) => {
                let named = beside(&goal);
                let file = File::options().read(true).write(true).create_new(true).open(&named)?;
                Ok(Self { file, goal, named: Some(named) })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// A handle to write through.
    pub fn handle(&self) -> Result<File> {
        self.file.try_clone()
    }

    /// Makes it be `goal`, in one step.
    pub fn keep(mut self) -> Result<()> {
        // Some file systems tell only now that there is no room.
        self.file.sync_all()?;
        if self.named.is_none() {
            let nameless = format!("/proc/self/fd/{}", self.file.as_raw_fd());
            let named = beside(&self.goal);
            rustix::fs::linkat(CWD, nameless, CWD, &named, AtFlags::SYMLINK_FOLLOW)?;
            self.named = Some(named);
        }
        if let Some(named) = &self.named {
            std::fs::rename(named, &self.goal)?;
            self.named = None;
        }
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(named) = &self.named {
            let _gone_already = std::fs::remove_file(named);
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn beside(goal: &Path) -> PathBuf {
    folder_of(goal).join(format!(".catena-{}.part", std::process::id()))
}
