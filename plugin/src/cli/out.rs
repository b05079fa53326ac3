//! What a command prints: results on standard output, everything else on standard error.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, IsTerminal, Read, Write};
use std::sync::OnceLock;
use std::time::Duration;

use console::Term;
use indicatif::ProgressDrawTarget;
use serde::Serialize;

use super::{Failure, log};

/// Standard output as it was, once plugins no longer write to it.
static OWN_OUTPUT: OnceLock<File> = OnceLock::new();

/// Prints a result. A reader that went away (`| head`) ends the command without a word.
pub fn say(text: impl std::fmt::Display) -> Result<(), Failure> {
    check(match OWN_OUTPUT.get() {
        Some(mut own) => own.write_all(format!("{text}\n").as_bytes()),
        None => writeln!(std::io::stdout().lock(), "{text}"),
    })
}

/// Prints a result for programs.
pub fn json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Failure::failed(error.to_string()))?;
    say(text)
}

/// The terminal's standard error, once plugins no longer write to it.
static OWN_ERROR: OnceLock<File> = OnceLock::new();

/// Says something beside the result.
pub fn note(text: impl std::fmt::Display) {
    let _nobody_reads = match OWN_ERROR.get() {
        Some(mut own) => writeln!(own, "{text}"),
        None => writeln!(std::io::stderr().lock(), "{text}"),
    };
}

/// From here on what plugins write to standard output and error and say to their host goes into the log, and ours alone to the
/// terminal or to who reads it. Some plugins write a line for each block.
pub fn quiet_plugins() {
    if OWN_ERROR.get().is_some() {
        return;
    }
    let prepared = (|| {
        let own = rustix::io::fcntl_dupfd_cloexec(std::io::stderr(), 3)?;
        let (read, write) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        std::thread::Builder::new().name("catena-log".into()).spawn(move || drain(File::from(read)))?;
        std::thread::Builder::new().name("catena-said".into()).spawn(listen)?;
        rustix::stdio::dup2_stderr(&write)?;
        // None where standard output is closed: then there is nothing to keep clean.
        let output = rustix::io::fcntl_dupfd_cloexec(std::io::stdout(), 3).ok();
        if output.is_some() {
            rustix::stdio::dup2_stdout(&write)?;
        }
        std::io::Result::Ok((File::from(own), output.map(File::from)))
    })();
    // Where it cannot be done, plugins go on writing to the terminal.
    if let Ok((own, output)) = prepared {
        let _set_before = OWN_ERROR.set(own);
        let _set_before = output.map(|output| OWN_OUTPUT.set(output));
    }
}

/// Where to draw a progress bar: on the terminal, if that is one.
pub fn bar_target() -> ProgressDrawTarget {
    match OWN_ERROR.get().map(|own| (own.try_clone(), own.try_clone())) {
        Some((Ok(read), Ok(write))) => ProgressDrawTarget::term(Term::read_write_pair(read, write), 10),
        _ => ProgressDrawTarget::stderr(),
    }
}

/// Whether a progress bar would be seen.
pub fn is_terminal() -> bool {
    OWN_ERROR.get().map_or_else(|| std::io::stderr().is_terminal(), File::is_terminal)
}

/// How often it is looked whether plugins said something.
const LISTEN: Duration = Duration::from_millis(200);

/// Never ends: what is said last is written when the program ends.
fn listen() {
    loop {
        std::thread::sleep(LISTEN);
        log::plugins_said();
    }
}

/// Longest line of a plugin's that is kept in one piece, bytes.
const LONGEST_LINE: u64 = 16 * 1024;

fn drain(lines: File) {
    let mut lines = BufReader::new(lines);
    let mut line = Vec::new();
    while lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
        let text = String::from_utf8_lossy(&line);
        log::line(log::Level::Info, &format!("printed: {}", text.trim_end()));
        line.clear();
    }
}

/// Says what went wrong.
pub fn complain(text: &str) {
    note(format_args!("catena: {text}"));
}

/// What became of something printed.
pub fn check(result: std::io::Result<()>) -> Result<(), Failure> {
    let Err(error) = result else { return Ok(()) };
    match error.kind() {
        ErrorKind::BrokenPipe => Err(Failure::Closed),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Err(Failure::failed(
            "the result could not be printed: the disk that standard output goes to is full; send it somewhere else",
        )),
        _ => Err(Failure::failed(format!("the result could not be printed to standard output: {error}"))),
    }
}

/// Lines up the columns of `rows`, two blanks between them; the last column is left as it is.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut lines = Vec::with_capacity(rows.len());
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            line.push_str(cell);
            if column + 1 < row.len() {
                let blanks = widths[column] - cell.chars().count() + 2;
                line.extend(std::iter::repeat_n(' ', blanks));
            }
        }
        lines.push(line.trim_end().to_owned());
    }
    lines.join("\n")
}

/// A number without needless digits.
pub fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// A linear level in dBFS.
pub fn dbfs(linear: f32) -> String {
    if linear > 0.0 { format!("{:.1} dBFS", 20.0 * linear.log10()) } else { "silent".into() }
}
