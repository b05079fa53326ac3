//! What a command prints: results on standard output, everything else on standard error.

use std::io::{ErrorKind, Write};

use serde::Serialize;

use super::Failure;

/// Prints a result. A reader that went away (`| head`) ends the command without a word.
pub fn say(text: impl std::fmt::Display) -> Result<(), Failure> {
    check(writeln!(std::io::stdout().lock(), "{text}"))
}

/// Prints a result for programs.
pub fn json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Failure::failed(error.to_string()))?;
    say(text)
}

/// Says something beside the result.
pub fn note(text: impl std::fmt::Display) {
    let _nobody_reads = writeln!(std::io::stderr().lock(), "{text}");
}

/// Says what went wrong.
pub fn complain(text: &str) {
    note(format_args!("catena: {text}"));
}

fn check(result: std::io::Result<()>) -> Result<(), Failure> {
    match result {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure::Closed),
        Err(error) => Err(Failure::io(std::path::Path::new("standard output"), &error)),
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
