//! What is on this computer and cannot be used here, each with its reason.

use egui::{RichText, Ui};
use host_core::model::{Catalog, Foreign};
use host_core::session::{Look, ScanView};

use crate::controls::named;
use crate::host::Host;
use crate::theme;

/// Draws those that hold `text`. How many there are.
pub(super) fn ui(ui: &mut Ui, catalog: &Catalog, scans: &ScanView, text: &str, host: &dyn Host) -> usize {
    let words: Vec<_> = text.split_whitespace().map(str::to_lowercase).collect();
    let fits = |text: &str| {
        let text = text.to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    let mut count = 0;
    for bad in &catalog.bad {
        let file = bad.path.file_name().unwrap_or(bad.path.as_os_str()).to_string_lossy();
        let plugin = bad.plugin.as_ref().map(|id| id.id.clone()).unwrap_or_default();
        if !fits(&format!("{file} {plugin}")) {
            continue;
        }
        count += 1;
        let name = if plugin.is_empty() { file.clone().into_owned() } else { format!("{file} ({plugin})") };
        ui.label(RichText::new(&name).color(theme::QUIET)).on_hover_text(bad.path.display().to_string());
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(text!("browser-cannot-be-used", reason = bad.reason)).small().color(theme::TROUBLE));
            let again =
                named(ui, scans.progress.is_none(), text!("browser-try-again"), &text!("browser-try-again-name", name));
            if again.on_hover_text(text!("browser-looks-at-this-file-once-more")).clicked() {
                host.look(Look::Again(bad.clone()));
            }
        });
        ui.add_space(4.0);
    }
    for Foreign { name, format, path } in scans.foreign.iter().filter(|one| fits(&one.name)) {
        count += 1;
        ui.label(RichText::new(name).color(theme::QUIET)).on_hover_text(path.display().to_string());
        let why = text!("browser-is-here-as-alone", format);
        ui.label(RichText::new(why).small().color(theme::QUIET));
        ui.add_space(4.0);
    }
    count
}
