//! What happened, for bug reports: five files of 1 MiB in the state folder.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use host_core::model::Folders;
use host_core::session::{Level as Grave, listen_to_plugins, take_said};

/// Files kept, the one written to among them.
pub const FILES: usize = 5;
/// Largest size of a file, bytes.
pub const FILE_BYTES: u64 = 1024 * 1024;
/// What is longer takes several lines, bytes.
const LINE_BYTES: usize = 32 * 1024;
/// How long another process is waited for that writes at this moment.
const PATIENCE: Duration = Duration::from_millis(500);

/// How grave a line is.
#[derive(Clone, Copy, Debug)]
pub enum Level {
    /// What was done.
    Info,
    /// Something is off.
    Warning,
    /// Something failed.
    Error,
}

/// Notes the command that was given, and listens to plugins from now on.
pub fn start() {
    listen_to_plugins();
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    line(Level::Info, &format!("catena {} {:?}", env!("CARGO_PKG_VERSION"), &words[1..]));
}

/// Writes a line. A log that cannot be written stops nothing.
pub fn line(level: Level, text: &str) {
    let _no_log = write(&Folders::from_env().logs(), level, text);
}

/// Writes what plugins said since the last time.
pub fn plugins_said() {
    while let Some((level, text)) = take_said() {
        let level = match level {
            Grave::Debug | Grave::Info => Level::Info,
            Grave::Warning => Level::Warning,
            Grave::Error => Level::Error,
        };
        line(level, &text);
    }
}

/// The last `count` lines of the newest file.
pub fn last(count: usize) -> Vec<String> {
    let text = std::fs::read(path(&Folders::from_env().logs(), 0)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<_> = text.lines().map(str::to_owned).collect();
    lines[lines.len().saturating_sub(count)..].to_vec()
}

/// File number `age`; 0 is the newest.
fn path(folder: &Path, age: usize) -> PathBuf {
    if age == 0 { folder.join("catena.log") } else { folder.join(format!("catena.{age}.log")) }
}

fn write(folder: &Path, level: Level, text: &str) -> std::io::Result<()> {
    let word = match level {
        Level::Info => "info",
        Level::Warning => "warning",
        Level::Error => "error",
    };
    let head = format!("{} [{}] {word}: ", stamp(SystemTime::now()), std::process::id());
    std::fs::create_dir_all(folder)?;
    let _turn = take_turn(folder)?;
    for piece in pieces(text) {
        let mut line = head.clone();
        // One line of the log is one event, whatever a plugin or a file name holds.
        line.extend(piece.chars().map(|c| if c.is_control() { ' ' } else { c }));
        line.push('\n');
        let mut file = open(folder)?;
        if file.metadata()?.len() + line.len() as u64 > FILE_BYTES {
            rotate(folder)?;
            file = open(folder)?;
        }
        file.write_all(line.as_bytes())?;
    }
    Ok(())
}

/// `text` in parts of at most [`LINE_BYTES`]; an empty one has one part.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let (piece, after) = rest?.split_at(rest?.floor_char_boundary(LINE_BYTES));
        rest = Some(after).filter(|after| !after.is_empty());
        Some(piece)
    })
}

/// Of several processes that write at once, one does at a time. One that was stopped in the middle of it holds up nobody for long.
fn take_turn(folder: &Path) -> std::io::Result<File> {
    let lock = File::create(folder.join(".lock"))?;
    let begun = Instant::now();
    while let Err(TryLockError::WouldBlock) = lock.try_lock() {
        if begun.elapsed() > PATIENCE {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(lock)
}

fn open(folder: &Path) -> std::io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path(folder, 0))
}

/// Puts the files one back; the oldest goes.
fn rotate(folder: &Path) -> std::io::Result<()> {
    for age in (0..FILES - 1).rev() {
        if path(folder, age).exists() {
            std::fs::rename(path(folder, age), path(folder, age + 1))?;
        }
    }
    Ok(())
}

/// Time in UTC, as RFC 3339 writes it.
fn stamp(now: SystemTime) -> String {
    let seconds = now.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Day of the Gregorian calendar, `days` after 1970-01-01 (Hinnant, "chrono-compatible low-level date algorithms").
fn date(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let of_era = shifted % 146_097;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        let at = |seconds| stamp(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_796_032_799), "2026-11-30T09:59:59Z");
    }

    #[test]
    fn what_is_long_takes_several_lines_and_none_of_it_is_lost() {
        let text = "é".repeat(LINE_BYTES);
        let parts: Vec<_> = pieces(&text).collect();
        assert!(parts.len() > 1 && parts.iter().all(|part| part.len() <= LINE_BYTES));
        assert_eq!(parts.concat(), text);
        assert_eq!(pieces("").collect::<Vec<_>>(), [""]);
    }
}
