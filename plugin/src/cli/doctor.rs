//! `catena doctor`: what is there, what is wrong, and the one command that cures it.

mod audio;
mod daws;
mod parts;
mod plugins;

use host_core::model::Folders;

use serde::Serialize;

use super::args::Doctor;
use super::{Failure, log, out};

/// How a finding is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// As it should be.
    Good,
    /// Works, but not as well as it could.
    Weak,
    /// Keeps Catena from working.
    Bad,
}

/// One finding.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// What was looked at.
    what: String,
    /// How it is.
    grade: Grade,
    /// What was found.
    found: String,
    /// The command that cures it.
    #[serde(skip_serializing_if = "Option::is_none")]
    cure: Option<String>,
}

impl Finding {
    /// All is well.
    pub fn good(what: &str, found: impl Into<String>) -> Self {
        Self { what: what.into(), grade: Grade::Good, found: found.into(), cure: None }
    }

    /// Something is off, and `cure` is the command against it.
    pub fn wrong(what: &str, grade: Grade, found: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { what: what.into(), grade, found: found.into(), cure: Some(cure.into()) }
    }
}

/// Looks at everything.
pub fn run(task: &Doctor) -> Result<(), Failure> {
    let folders = Folders::from_env();
    let mut findings = plugins::look(&folders);
    findings.extend(parts::look());
    findings.extend(parts::folders(&folders));
    findings.extend(audio::look());
    findings.extend(daws::look());
    let bad = findings.iter().any(|finding| finding.grade == Grade::Bad);
    if task.json {
        out::json(&serde_json::json!({ "version": env!("CARGO_PKG_VERSION"), "findings": findings }))?;
    } else if task.report {
        report(&folders, &findings)?;
    } else {
        say(&findings)?;
    }
    if bad {
        Err(Failure::failed("something above keeps Catena from working; the lines marked ! name the cure"))
    } else {
        Ok(())
    }
}

fn say(findings: &[Finding]) -> Result<(), Failure> {
    out::say(format_args!("Catena {}", env!("CARGO_PKG_VERSION")))?;
    let width = findings.iter().map(|finding| finding.what.chars().count()).max().unwrap_or(0);
    for finding in findings {
        let mark = match finding.grade {
            Grade::Good => ' ',
            Grade::Weak => '~',
            Grade::Bad => '!',
        };
        let mut lines = finding.found.lines();
        out::say(format_args!("{mark} {:width$}  {}", finding.what, lines.next().unwrap_or("")))?;
        for line in lines {
            out::say(format_args!("  {:width$}  {line}", ""))?;
        }
        if let Some(cure) = &finding.cure {
            out::say(format_args!("  {:width$}  cure: {cure}", ""))?;
        }
    }
    Ok(())
}

/// Everything, as Markdown; the user's own folder is written `~`.
fn report(folders: &Folders, findings: &[Finding]) -> Result<(), Failure> {
    let home = std::env::var("HOME").ok().filter(|home| home.len() > 1);
    let plain = |text: &str| home.as_ref().map_or(text.to_owned(), |home| text.replace(home.as_str(), "~"));
    out::say(format_args!("## Catena {}\n", env!("CARGO_PKG_VERSION")))?;
    for line in parts::system() {
        out::say(format_args!("- {line}"))?;
    }
    out::say("\n## Findings\n")?;
    for finding in findings {
        let cure = finding.cure.as_ref().map(|cure| format!(" (cure: `{cure}`)")).unwrap_or_default();
        let found = finding.found.replace('\n', "; ");
        let grade = format!("{:?}", finding.grade).to_lowercase();
        out::say(plain(&format!("- {} [{grade}]: {found}{cure}", finding.what)))?;
    }
    if let Some(catalog) = host_core::scan::cached(folders).filter(|catalog| !catalog.bad.is_empty()) {
        out::say("\n## Plugins that cannot be used\n")?;
        for bad in &catalog.bad {
            out::say(plain(&format!("- {}: {}", bad.path.display(), bad.reason)))?;
        }
    }
    out::say("\n## Last lines of the log\n\n```")?;
    for line in log::last(40) {
        out::say(plain(&line))?;
    }
    out::say("```")
}
