//! Search paths, and what was found in them.

use std::path::PathBuf;

use host_core::model::{Catalog, Folders, PluginEntry};
use host_core::scan;
use host_core::session::search_paths;

use super::{Finding, Grade};
use crate::cli::scan::counts;

/// Looks at folders and scan.
pub fn look(folders: &Folders) -> Vec<Finding> {
    let paths = search_paths();
    let catalog = scan::cached(folders);
    let mut findings = vec![
        path("CLAP path", "CLAP_PATH", &paths.clap, catalog.as_ref()),
        path("LV2 path", "LV2_PATH", &paths.lv2, catalog.as_ref()),
    ];
    findings.push(match &catalog {
        None => Finding::wrong("plugins", Grade::Weak, "never looked for", "catena scan"),
        Some(catalog) if catalog.plugins.is_empty() => Finding::wrong(
            "plugins",
            Grade::Bad,
            "none found",
            "sudo apt install zam-plugins x42-plugins && catena scan",
        ),
        Some(catalog) => {
            let (clap, lv2) = counts(catalog);
            Finding::good("plugins", format!("{clap} CLAP, {lv2} LV2"))
        }
    });
    if let Some(bad) = catalog.map(|catalog| catalog.bad.len()).filter(|bad| *bad > 0) {
        let found = format!("{bad} files or plugins cannot be used (`catena list --bad` says why)");
        findings.push(Finding::wrong("broken", Grade::Weak, found, "catena scan --force"));
    }
    findings
}

fn path(what: &str, variable: &str, folders: &[PathBuf], catalog: Option<&Catalog>) -> Finding {
    let from = if std::env::var_os(variable).is_some() { format!(" (from {variable})") } else { String::new() };
    let lines: Vec<_> = folders
        .iter()
        .map(|folder| {
            let inside = |entry: &&PluginEntry| entry.location.path().starts_with(folder);
            match (folder.is_dir(), catalog) {
                (false, _) => format!("{}: not there", folder.display()),
                (true, None) => folder.display().to_string(),
                (true, Some(catalog)) => {
                    format!("{}: {} plugins", folder.display(), catalog.plugins.iter().filter(inside).count())
                }
            }
        })
        .collect();
    let named = std::env::var_os(variable).unwrap_or_default();
    let lost = std::env::split_paths(&named).find(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
    match lost {
        None => Finding::good(what, format!("{}{from}", lines.join("\n"))),
        Some(lost) => {
            let found = format!("{variable} names {}, which is not there", lost.display());
            Finding::wrong(what, Grade::Weak, found, format!("unset {variable}"))
        }
    }
}
