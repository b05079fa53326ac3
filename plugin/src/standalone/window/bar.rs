//! New, Open, Save, Save as, and what there is to say.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

use egui::{ComboBox, DragValue, Key, Modifiers, Panel, RichText, Ui};

use super::closing::Closing;
use super::dialog::{Dialog, Kind, Outcome};
use super::question::{Answer, Question};
use crate::cli::{Failure, Signature, TEMPO_RANGE};
use crate::standalone::document::Document;
use crate::standalone::keeper::Sound;
use crate::standalone::song::Song;

/// How often it is looked whether work is done.
const LOOK: Duration = Duration::from_millis(100);

/// How a job ended.
enum Done {
    /// It was done, and this is to be said of it.
    Said(Vec<String>),
    /// It would lose what is not saved: the user is to be asked.
    Unsaved,
}

/// The bar at the top.
pub struct Bar {
    document: Document,
    sound: Sound,
    song: Arc<Song>,
    closing: Closing,
    dialog: Option<Dialog>,
    question: Option<Question>,
    job: Option<Job>,
    message: String,
}

/// Work under way, and what comes after it if it succeeds.
struct Job {
    what: &'static str,
    done: Receiver<Result<Done, Failure>>,
    next: Option<Next>,
}

/// What the user wants.
#[derive(Clone, Copy)]
enum Wish {
    New,
    Open,
    Save,
    SaveAs,
}

/// What takes the place of the chain that is open: whatever is not saved is asked about before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// An empty chain.
    New,
    /// Another file.
    Open,
    /// The end of the program.
    Close,
}

impl Bar {
    /// A bar for `document`. Where the window was closed over a chain that is not saved, it asks what to do with that.
    pub fn new(document: Document, sound: Sound, song: Arc<Song>, closing: Closing) -> Self {
        let question = closing.asks().then(|| Question::new(Next::Close, document.path().as_deref()));
        Self { document, sound, song, closing, dialog: None, question, job: None, message: String::new() }
    }

    /// Says something under the buttons, a line each, until it is closed or the next thing is done.
    pub fn say(&mut self, lines: &[String]) {
        self.message = lines.join("\n");
    }

    /// Draws it, and the dialog that is open.
    pub fn show(&mut self, ui: &mut Ui) {
        self.collect();
        let mut wish = if self.is_free() { shortcut(ui) } else { None };
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
        if let Some(wish) = wish {
            self.begin(wish);
        }
        self.show_dialog(ui);
        self.show_question(ui);
        if self.job.is_some() || self.closing.agreed() {
            ui.ctx().request_repaint_after(LOOK);
        }
    }

    /// `told` is called when there is something else to show.
    pub fn on_change(&self, told: impl Fn() + Send + 'static) {
        self.sound.on_change(Box::new(told));
    }

    fn line(&mut self, ui: &mut Ui) -> Option<Wish> {
        let mut wish = None;
        ui.horizontal(|ui| {
            ui.add_enabled_ui(self.is_free(), |ui| {
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
            ui.label(if muted { line.color(catena_gui::theme::TROUBLE) } else { line });
        });
    }

    fn is_free(&self) -> bool {
        self.job.is_none() && self.dialog.is_none() && self.question.is_none()
    }

    fn title(&self) -> String {
        if let Some(Job { what, .. }) = &self.job {
            return format!("{what} ...");
        }
        self.document.path().map_or("not saved yet".into(), |path| shown(&path))
    }

    fn begin(&mut self, wish: Wish) {
        self.message.clear();
        match wish {
            Wish::New => self.look_before(Next::New),
            Wish::Open => self.look_before(Next::Open),
            Wish::Save => self.save_then(None),
            Wish::SaveAs => self.dialog = Some(Dialog::new(Kind::Save, self.document.path().as_deref(), None)),
        }
    }

    /// Does what was asked for where nothing would be lost by it, else asks first.
    fn look_before(&mut self, next: Next) {
        let look = |document: &Document| Ok(if document.is_unsaved() { Done::Unsaved } else { Done::Said(vec![]) });
        self.work("Looking", look, Some(next));
    }

    fn go_on(&mut self, next: Next) {
        match next {
            Next::New => self.work("New", |document| document.clear().map(Done::Said), None),
            Next::Open => self.dialog = Some(Dialog::new(Kind::Open, self.document.path().as_deref(), None)),
            Next::Close => self.closing.agree(),
        }
    }

    fn show_question(&mut self, ui: &mut Ui) {
        let Some(question) = &mut self.question else { return };
        let next = question.next();
        let Some(answer) = question.show(ui) else { return };
        self.question = None;
        match answer {
            Answer::Save => self.save_then(Some(next)),
            Answer::Discard => self.go_on(next),
            Answer::Back => self.closing.forget(),
        }
    }

    fn show_dialog(&mut self, ui: &mut Ui) {
        let Some(dialog) = &mut self.dialog else { return };
        match dialog.show(ui) {
            Outcome::Open => {}
            Outcome::Cancelled => {
                self.dialog = None;
                self.closing.forget();
            }
            Outcome::Chosen(path) => {
                let (kind, next) = (dialog.kind(), dialog.next());
                self.dialog = None;
                match kind {
                    Kind::Open => self.work("Opening", move |document| document.open(&path).map(Done::Said), None),
                    Kind::Save => self.save(path, next),
                }
            }
        }
    }

    /// Saves where the chain has its place, else asks for one.
    fn save_then(&mut self, next: Option<Next>) {
        match self.document.path() {
            Some(path) => self.save(path, next),
            None => self.dialog = Some(Dialog::new(Kind::Save, None, next)),
        }
    }

    fn save(&mut self, path: PathBuf, next: Option<Next>) {
        let save = move |document: &Document| {
            let aside = document.save(&path)?;
            Ok(Done::Said(std::iter::once(format!("Saved {}", shown(&path))).chain(aside).collect()))
        };
        self.work("Saving", save, next);
    }

    /// Plugins take their time: the window does not wait for them.
    fn work(
        &mut self,
        what: &'static str,
        job: impl FnOnce(&Document) -> Result<Done, Failure> + Send + 'static,
        next: Option<Next>,
    ) {
        let (tell, done) = channel();
        let document = self.document.clone();
        let run = move || {
            let _window_gone = tell.send(job(&document));
        };
        match std::thread::Builder::new().name("catena-file".into()).spawn(run) {
            Ok(_) => self.job = Some(Job { what, done, next }),
            Err(error) => self.fail(format!("{what} failed: no thread ({error})")),
        }
    }

    fn collect(&mut self) {
        let Some(Job { what, done, next }) = &self.job else { return };
        let (what, next) = (*what, *next);
        let said = match done.try_recv() {
            Err(TryRecvError::Empty) => return,
            said => said,
        };
        self.job = None;
        match (said, next) {
            (Ok(Ok(Done::Said(said))), next) => {
                self.say(&said);
                next.into_iter().for_each(|next| self.go_on(next));
            }
            (Ok(Ok(Done::Unsaved)), next) => {
                self.question = next.map(|next| Question::new(next, self.document.path().as_deref()));
            }
            (Ok(Err(failure)), _) => self.fail(failure.to_string()),
            (Err(_), _) => self.fail(format!("{what} failed")),
        }
    }

    /// What did not succeed ends what was to come after it.
    fn fail(&mut self, message: String) {
        self.message = message;
        self.closing.forget();
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
