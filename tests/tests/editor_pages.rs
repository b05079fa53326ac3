//! The editor's pages over a session that runs: what they show is what the session has, and what they do is done.

use std::cell::Cell;
use std::time::{Duration, Instant};

use catena_gui::Editor;
use catena_tests::daw::with_fixtures;
use catena_tests::session_bench::{add, fixtures_catalog, session};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use host_core::model::{ExportTask, Folders};
use host_core::session::{Command, SessionHandle};
use host_core::store;

/// The editor of a session.
struct Window(Harness<'static>);

impl Window {
    fn new(handle: &SessionHandle) -> Self {
        let mut editor = Editor::new(handle.clone());
        Self(Harness::builder().with_size([1000.0, 700.0]).build_ui(move |ui| editor.ui(ui)))
    }

    /// Draws until `done`.
    fn until(&mut self, what: &str, done: impl Fn(&Harness<'static>) -> bool) {
        let end = Instant::now() + Duration::from_secs(30);
        loop {
            self.0.run_steps(2);
            if done(&self.0) {
                return;
            }
            assert!(Instant::now() < end, "{what} never came");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn shows(&mut self, name: &str) {
        self.until(name, |window| window.query_by_label(name).is_some());
    }

    fn click(&mut self, name: &str) {
        // What is listed meanwhile moves it.
        let place = Cell::new(None);
        self.until(name, |window| {
            let now = window.query_by_label(name).map(|node| node.rect());
            now.is_some() && place.replace(now) == now
        });
        self.0.get_by_label(name).click();
        self.0.run_steps(3);
    }

    fn type_into(&mut self, field: &str, text: &str) {
        self.0.get_by_label(field).focus();
        self.0.run_steps(2);
        self.0.get_by_label(field).type_text(text);
        self.0.run_steps(2);
    }
}

#[test]
fn a_slots_presets_are_listed_loaded_kept_and_taken_away() {
    with_fixtures("a_slots_presets_are_listed_loaded_kept_and_taken_away", || {
        let (handle, _processor) = session(&fixtures_catalog());
        let slot = add(&handle, "presets");
        let title = handle.snapshot().slots[0].title.clone();
        let mut window = Window::new(&handle);
        window.shows(&format!("Slot 1: {title}, running"));
        window.0.get_by_label(&format!("Slot 1: {title}, running")).click_accesskit();
        window.click("Presets");
        window.click("Load Loud, factory");
        window.until("the preset", |_| handle.snapshot().slots[0].values[0] == 1.75);
        assert!(handle.snapshot().history.steps.last().unwrap().label.contains("Loud"));
        window.type_into("Save as", "Mine");
        window.click(&format!("Save {title} as a preset"));
        // It is kept as it is when the session comes to it: nothing else is loaded before.
        window.until("the kept preset", |window| window.query_by_label_contains("Kept in").is_some());
        window.shows("Load Mine, own");
        window.click("Load Quiet, factory");
        window.until("the preset", |_| handle.snapshot().slots[0].values[0] == 0.25);
        window.click("Load Mine, own");
        window.until("the preset", |_| handle.snapshot().slots[0].values[0] == 1.75);
        window.click("Delete Mine");
        window.click("Delete it");
        window.until("the end of it", |window| window.query_by_label("Load Mine, own").is_none());
        handle.apply(Command::Undo).unwrap();
        assert!(handle.snapshot().slots.iter().any(|view| view.id == slot));
    });
}

fn made(handle: &SessionHandle, task: &ExportTask) -> Result<Vec<String>, String> {
    let slots = handle.chain().map_err(|error| error.to_string())?.slots().count();
    Ok(vec![format!("Made {} of {slots} slots", task.name)])
}

#[test]
fn the_chain_is_kept_in_the_library_found_and_loaded_and_exported() {
    with_fixtures("the_chain_is_kept_in_the_library_found_and_loaded_and_exported", || {
        let (handle, _processor) = session(&fixtures_catalog());
        handle.set_exporter(made);
        add(&handle, "gain");
        let mut window = Window::new(&handle);
        window.click("Library");
        window.shows("No chain is kept yet.");
        window.type_into("Save as", "Mine");
        window.type_into("Tags", "drums");
        window.click("Save this chain in the library");
        let path = Folders::from_env().chains().join("Mine.catena");
        window.until("the file", |_| path.exists());
        assert_eq!(store::read(&path).unwrap().about.tags, ["drums"]);
        handle.apply(Command::Clear).unwrap();
        let row = "Chain Mine, drums · Fixture gain";
        window.click(row);
        window.click("Load Mine");
        window.until("the chain", |_| handle.snapshot().slots.len() == 1);
        assert!(handle.snapshot().history.steps.last().unwrap().label.contains("Mine"));
        window.click("Export this chain");
        window.click("Make the export");
        window.shows("Made Mine of 1 slots");
        window.click("Close the export dialog");
        window.click("Delete Mine");
        window.click("Delete it");
        window.until("the end of it", |window| window.query_by_label(row).is_none());
        assert!(!path.exists());
    });
}
