//! New, Open, Save, Save as, and what there is to say.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

use egui::{Color32, ComboBox, DragValue, Key, Modifiers, Panel, RichText, Ui};

use super::dialog::{Dialog, Kind, Outcome};
use crate::cli::{Failure, Signature, TEMPO_RANGE};
use crate::standalone::document::Document;
use crate::standalone::keeper::Sound;
use crate::standalone::song::Song;

/// How often the line about sound is read again.
const LOOK: Duration = Duration::from_millis(500);

/// What a job said at its end.
type Said = Result<Vec<String>, Failure>;

/// The bar at the top.
pub struct Bar {
    document: Document,
    sound: Sound,
    song: Arc<Song>,
    dialog: Option<Dialog>,
    job: Option<(&'static str, Receiver<Said>)>,
    message: String,
}

#[derive(Clone, Copy)]
enum Wish {
    New,
    Open,
    Save,
    SaveAs,
}

impl Bar {
    /// A bar for `document`.
    pub fn new(document: Document, sound: Sound, song: Arc<Song>) -> Self {
        Self { document, sound, song, dialog: None, job: None, message: String::new() }
    }

    /// Draws it, and the dialog that is open.
    pub fn show(&mut self, ui: &mut Ui) {
        self.collect();
        let mut wish = if self.dialog.is_none() { shortcut(ui) } else { None };
        Panel::top("file").show(ui, |ui| {
            if let Some(clicked) = self.line(ui) {
                wish = Some(clicked);
            }
            if !self.message.is_empty() {
                ui.horizontal_wrapped(|ui| {
                    ui.label(&self.message);
                    if ui.small_button("Close").clicked() {
                        self.message.clear();
                    }
                });
            }
        });
        self.show_sound(ui);
        if self.job.is_none()
            && let Some(wish) = wish
        {
            self.begin(wish);
        }
        self.show_dialog(ui);
        ui.ctx().request_repaint_after(LOOK);
    }

    fn line(&mut self, ui: &mut Ui) -> Option<Wish> {
        let mut wish = None;
        ui.horizontal(|ui| {
            ui.add_enabled_ui(self.job.is_none() && self.dialog.is_none(), |ui| {
                for (label, hint, what) in [
                    ("New", "An empty chain (Ctrl+N)", Wish::New),
                    ("Open", "Open a chain file (Ctrl+O)", Wish::Open),
                    ("Save", "Save the chain (Ctrl+S)", Wish::Save),
                    ("Save as", "Save under another name (Ctrl+Shift+S)", Wish::SaveAs),
                ] {
                    if ui.button(label).on_hover_text(hint).clicked() {
                        wish = Some(what);
                    }
                }
            });
            ui.separator();
            transport(ui, &self.song);
            ui.separator();
            ui.label(self.title());
        });
        wish
    }

    /// Where sound goes, in a line of its own: why there is none may take some words.
    fn show_sound(&self, ui: &mut Ui) {
        Panel::bottom("sound").show(ui, |ui| {
            let line = RichText::new(self.sound.line()).small();
            let muted = self.sound.no_sound().is_some();
            ui.label(if muted { line.color(Color32::from_rgb(240, 160, 60)) } else { line });
        });
    }

    fn title(&self) -> String {
        if let Some((what, _)) = &self.job {
            return format!("{what} ...");
        }
        self.document.path().map_or("not saved yet".into(), |path| shown(&path))
    }

    fn begin(&mut self, wish: Wish) {
        self.message.clear();
        let here = self.document.path();
        match (wish, here) {
            (Wish::New, _) => self.work("New", Document::clear),
            (Wish::Open, here) => self.dialog = Some(Dialog::new(Kind::Open, here.as_deref())),
            (Wish::Save, Some(path)) => self.save(path),
            (Wish::Save | Wish::SaveAs, here) => self.dialog = Some(Dialog::new(Kind::Save, here.as_deref())),
        }
    }

    fn show_dialog(&mut self, ui: &mut Ui) {
        let Some(dialog) = &mut self.dialog else { return };
        match dialog.show(ui) {
            Outcome::Open => {}
            Outcome::Cancelled => self.dialog = None,
            Outcome::Chosen(path) => {
                let kind = dialog.kind();
                self.dialog = None;
                match kind {
                    Kind::Open => self.work("Opening", move |document| document.open(&path)),
                    Kind::Save => self.save(path),
                }
            }
        }
    }

    fn save(&mut self, path: PathBuf) {
        self.work("Saving", move |document| document.save(&path).map(|()| vec![format!("Saved {}", shown(&path))]));
    }

    /// Plugins take their time: the window does not wait for them.
    fn work(&mut self, what: &'static str, job: impl FnOnce(&Document) -> Said + Send + 'static) {
        let (done, wait) = channel();
        let document = self.document.clone();
        let run = move || {
            let _window_gone = done.send(job(&document));
        };
        match std::thread::Builder::new().name("catena-file".into()).spawn(run) {
            Ok(_) => self.job = Some((what, wait)),
            Err(error) => self.message = format!("{what} failed: no thread ({error})"),
        }
    }

    fn collect(&mut self) {
        let Some((what, wait)) = &self.job else { return };
        match wait.try_recv() {
            Ok(Ok(said)) => self.message = said.join("\n"),
            Ok(Err(failure)) => self.message = failure.to_string(),
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => self.message = format!("{what} failed"),
        }
        self.job = None;
    }
}

/// Play or stop, tempo and time signature, for where the driver has none of its own.
fn transport(ui: &mut Ui, song: &Song) {
    let playing = song.playing();
    if ui
        .button(if playing { "Stop" } else { "Play" })
        .on_hover_text("Lets the song roll, for plugins that follow it")
        .clicked()
    {
        song.press(!playing);
    }
    let mut pace = song.pace();
    let before = pace;
    let tempo = DragValue::new(&mut pace.tempo).range(TEMPO_RANGE).speed(0.5).max_decimals(2).suffix(" bpm");
    ui.add(tempo).on_hover_text("Tempo, where JACK does not say its own");
    let Signature(count, unit) = &mut pace.signature;
    ui.add(DragValue::new(count).range(1..=64).speed(0.1)).on_hover_text("Beats in a bar");
    let units = ComboBox::from_id_salt("unit").selected_text(format!("/{unit}")).width(48.0);
    let units = units.show_ui(ui, |ui| {
        for each in [1, 2, 4, 8, 16, 32] {
            ui.selectable_value(unit, each, format!("/{each}"));
        }
    });
    units.response.on_hover_text("The note that is one beat");
    if pace != before {
        song.set_pace(pace);
    }
}

fn shown(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn shortcut(ui: &Ui) -> Option<Wish> {
    let both = Modifiers::COMMAND | Modifiers::SHIFT;
    let keys = [
        (both, Key::S, Wish::SaveAs),
        (Modifiers::COMMAND, Key::S, Wish::Save),
        (Modifiers::COMMAND, Key::O, Wish::Open),
        (Modifiers::COMMAND, Key::N, Wish::New),
    ];
    ui.input_mut(|input| keys.into_iter().find(|(modifiers, key, _)| input.consume_key(*modifiers, *key))).map(|k| k.2)
}
