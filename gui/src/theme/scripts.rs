//! Signs that the editor's own font lacks, from the fonts of the system: a job finds them, and a later picture has them.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use egui::epaint::text::{FallbackRequest, FontInsert, FontPriority, FontProvider, InsertFontFamily};
use egui::{Context, FontData, FontFamily, Id};
use fontdb::{Database, Style, Weight};

/// The system's fonts, looked for once in a process.
static SYSTEM: OnceLock<Database> = OnceLock::new();

/// What was asked for and found, of one window. It holds no context: that would hold itself.
#[derive(Default)]
struct Signs {
    asked: Vec<char>,
    working: bool,
    /// Names of the fonts that were found.
    known: Vec<String>,
    found: Vec<FontInsert>,
}

#[derive(Clone, Default)]
struct Scripts(Arc<Mutex<Signs>>);

impl Scripts {
    fn lock(&self) -> MutexGuard<'_, Signs> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds what is asked for until nothing is.
    fn work(&self) {
        let system = SYSTEM.get_or_init(|| {
            let mut system = Database::new();
            system.load_system_fonts();
            system
        });
        loop {
            let signs = {
                let mut own = self.lock();
                own.working = !own.asked.is_empty();
                if !own.working {
                    return;
                }
                std::mem::take(&mut own.asked)
            };
            for sign in signs {
                let Some((name, data)) = font_with(system, sign) else { continue };
                let mut own = self.lock();
                if !own.known.contains(&name) {
                    own.known.push(name.clone());
                    own.found.push(FontInsert::new(&name, data, families()));
                }
            }
        }
    }
}

impl FontProvider for Scripts {
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        let sign = request.cluster.chars().next()?;
        let mut own = self.lock();
        own.asked.push(sign);
        if !std::mem::replace(&mut own.working, true) {
            let this = self.clone();
            let job = std::thread::Builder::new().name("catena-fonts".into());
            own.working = job.spawn(move || this.work()).is_ok();
        }
        None
    }
}

fn families() -> Vec<InsertFontFamily> {
    let lowest = |family| InsertFontFamily { family, priority: FontPriority::Lowest };
    vec![lowest(FontFamily::Proportional), lowest(FontFamily::Monospace)]
}

/// A font that has `sign`, upright and of usual weight where there is one.
fn font_with(system: &Database, sign: char) -> Option<(String, FontData)> {
    let has = |id| {
        let glyph = |bytes: &[u8], index| ttf_parser::Face::parse(bytes, index).ok()?.glyph_index(sign);
        system.with_face_data(id, glyph).flatten().is_some()
    };
    let plain = |face: &&fontdb::FaceInfo| face.style == Style::Normal && face.weight == Weight::NORMAL;
    let (first, others): (Vec<_>, Vec<_>) = system.faces().partition(plain);
    let face = first.into_iter().chain(others).find(|face| has(face.id))?;
    let data =
        system.with_face_data(face.id, |bytes, index| FontData { index, ..FontData::from_owned(bytes.to_vec()) });
    Some((format!("{} {}", face.post_script_name, face.index), data?))
}

/// Has `context` ask for signs that it lacks, and gives it what was found since the last picture. `[editor]`
pub(super) fn follow(context: &Context) {
    let id = Id::unique("catena's scripts");
    let known = context.data(|data| data.get_temp::<Scripts>(id));
    let scripts = known.unwrap_or_else(|| {
        let scripts = Scripts::default();
        context.data_mut(|data| data.insert_temp(id, scripts.clone()));
        context.add_font_provider(Arc::new(scripts.clone()));
        scripts
    });
    let (found, working) = {
        let mut own = scripts.lock();
        (std::mem::take(&mut own.found), own.working)
    };
    if working {
        context.request_repaint_after(std::time::Duration::from_millis(100));
    }
    found.into_iter().for_each(|font| context.add_font(font));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_is_found_in_a_font_that_has_it_and_nowhere_else() {
        let mut fonts = Database::new();
        fonts
            .load_font_data(egui::FontDefinitions::default().font_data["Ubuntu-Light"].font.as_ref().as_ref().to_vec());
        assert!(font_with(&fonts, 'Ж').is_some());
        assert!(font_with(&fonts, '漢').is_none());
    }
}
