//! The page of the library, and the dialog of exports.

mod common;

use std::path::PathBuf;
use std::sync::Arc;

use common::{Fake, harness, three};
use egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use host_core::model::{About, AsPlugin, ExportTask, ExportTo, Folders};
use host_core::session::{Answer, Errand, Library, Sheet};

fn own(name: &str) -> PathBuf {
    Folders::from_env().chains().join(format!("{name}.catena"))
}

/// Two chains of the user's and one that comes along.
fn listed(favourite: bool) -> Result<Answer, String> {
    let chain = |path: PathBuf, name: &str, tags: &[&str], favourite| {
        let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
        let about = About { tags, authors: vec!["Ann".into()], notes: "warm".into(), ..About::default() };
        (path, Sheet { name: name.into(), about, ..Sheet::default() }, favourite)
    };
    let factory = PathBuf::from("/usr/share/catena/factory/Vocal.catena.d");
    Ok(Answer::Library(Arc::new(Library::known([
        chain(own("Drums"), "Drums", &["drums", "bus"], favourite),
        chain(own("Room"), "Room", &["bus"], false),
        chain(factory, "Vocal", &["vocal"], false),
    ]))))
}

fn done(line: &str) -> Result<Answer, String> {
    Ok(Answer::Done(vec![line.into()]))
}

fn page(fake: &Fake) -> Harness<'static> {
    fake.answers([listed(false)]);
    let mut harness = harness(fake);
    harness.run_steps(3);
    harness.get_by_label("Library").click();
    harness.run_steps(5);
    assert_eq!(fake.errands(), [Errand::Library]);
    harness
}

fn typed(harness: &mut Harness<'static>, field: &str, text: &str) {
    harness.get_by_label(field).focus();
    harness.run_steps(2);
    harness.get_by_label(field).type_text(text);
    harness.run_steps(3);
}

fn click(harness: &mut Harness<'static>, name: &str) {
    harness.get_by_label(name).click();
    harness.run_steps(4);
}

const DRUMS: &str = "Chain Drums, drums, bus";
const ROOM: &str = "Chain Room, bus";
const VOCAL: &str = "Chain Vocal, comes with Catena · vocal";

#[test]
fn chains_are_found_by_words_and_tags_and_those_that_come_along_are_marked() {
    let fake = three();
    let mut harness = page(&fake);
    for name in [DRUMS, ROOM, VOCAL] {
        harness.get_by_label(name);
    }
    typed(&mut harness, "Find a chain", "ann drums");
    assert!(harness.query_by_label(ROOM).is_none());
    harness.get_by_label(DRUMS);
    typed(&mut harness, "Find a chain", " nothing");
    assert!(harness.query_by_label(DRUMS).is_none());
    drop(harness);

    let mut harness = page(&fake);
    click(&mut harness, "Only chains tagged bus");
    assert!(harness.query_by_label(VOCAL).is_none());
    click(&mut harness, "Only chains tagged drums");
    assert!(harness.query_by_label(ROOM).is_none());
    click(&mut harness, "Only chains tagged drums");
    harness.get_by_label(VOCAL);
    click(&mut harness, "Only favourites");
    assert!(harness.query_by_label(DRUMS).is_none());
}

#[test]
fn one_is_loaded_by_its_button_by_two_clicks_or_by_enter() {
    let fake = three();
    let mut harness = page(&fake);
    click(&mut harness, VOCAL);
    harness.get_by_label_contains("Notes: warm");
    assert_eq!(fake.errands(), [], "a click shows it");
    click(&mut harness, "Load Vocal");
    let open = |path: PathBuf| Errand::Open(path);
    assert_eq!(fake.errands(), [open("/usr/share/catena/factory/Vocal.catena.d".into())]);
    harness.get_by_label("Loading");
    drop(harness);

    let mut harness = page(&fake);
    harness.get_by_label("Find a chain").focus();
    harness.run_steps(2);
    for key in [Key::ArrowDown, Key::ArrowDown, Key::Enter] {
        harness.key_press(key);
        harness.run_steps(2);
    }
    assert_eq!(fake.errands(), [open(own("Room"))]);
}

#[test]
fn what_an_own_chain_says_is_changed_and_what_comes_along_is_not() {
    let fake = three();
    let mut harness = page(&fake);
    click(&mut harness, VOCAL);
    assert!(harness.query_by_label("Delete Vocal").is_none() && harness.query_by_label_contains("Edit what").is_none());
    click(&mut harness, DRUMS);
    click(&mut harness, "Edit what Drums says of itself");
    typed(&mut harness, "Tags of it", ", loud");
    typed(&mut harness, "Licence", "CC0");
    fake.answers([done(""), listed(true)]);
    click(&mut harness, "Save what the chain says of itself");
    let about = About {
        tags: ["drums", "bus", "loud"].map(str::to_owned).into(),
        authors: vec!["Ann".into()],
        licence: "CC0".into(),
        notes: "warm".into(),
        ..About::default()
    };
    let describe = Errand::Describe { path: own("Drums"), name: "Drums".into(), about };
    assert_eq!(fake.errands(), [describe, Errand::Library]);
    click(&mut harness, "Drums is a favourite no more");
    assert_eq!(fake.errands(), [Errand::Favourite(own("Drums"), false)]);
}

#[test]
fn an_own_chain_goes_only_after_a_question() {
    let fake = three();
    let mut harness = page(&fake);
    click(&mut harness, DRUMS);
    click(&mut harness, "Delete Drums");
    assert_eq!(fake.errands(), []);
    click(&mut harness, "Keep it");
    click(&mut harness, "Delete Drums");
    fake.answers([done("gone"), listed(false)]);
    click(&mut harness, "Delete it");
    assert_eq!(fake.errands(), [Errand::DeleteChain(own("Drums")), Errand::Library]);
}

#[test]
fn the_chain_is_kept_under_a_name_with_tags() {
    let fake = three();
    let mut harness = page(&fake);
    typed(&mut harness, "Save as", "Mine");
    typed(&mut harness, "Tags", "vocal, , bus, vocal");
    fake.answers([Ok(Answer::Taken(own("Mine")))]);
    click(&mut harness, "Save this chain in the library");
    let save = |replace| Errand::SaveChain { name: "Mine".into(), tags: vec!["vocal".into(), "bus".into()], replace };
    assert_eq!(fake.errands(), [save(false)]);
    harness.get_by_label_contains("There is a chain of that name");
    fake.answers([Err("the disk is full".into())]);
    click(&mut harness, "Save this chain in the library");
    assert_eq!(fake.errands(), [save(true)]);
    harness.get_by_label("the disk is full");
}

#[test]
fn a_path_is_opened_or_imported_and_so_is_a_file_that_is_dropped() {
    let fake = three();
    let mut harness = page(&fake);
    typed(&mut harness, "Open or import", "/x/rack.carxp");
    fake.answers([done("not taken: the tempo"), listed(false)]);
    click(&mut harness, "Open this file");
    assert_eq!(fake.errands(), [Errand::Open("/x/rack.carxp".into()), Errand::Library]);
    harness.get_by_label("not taken: the tempo");
}

#[test]
fn every_export_is_asked_for_with_what_it_needs_and_its_lines_are_shown() {
    let fake = three();
    let mut harness = page(&fake);
    click(&mut harness, "Export this chain");
    typed(&mut harness, "Called", "Voice");
    fake.answers([done("Made /x/Voice.preset.lv2")]);
    click(&mut harness, "Make the export");
    let task = ExportTask { name: "Voice".into(), ..ExportTask::default() };
    assert_eq!(fake.errands(), [Errand::Export(task.clone())]);
    harness.get_by_label("Made /x/Voice.preset.lv2");

    click(&mut harness, "What to make of the chain");
    click(&mut harness, "Plugin of its own");
    typed(&mut harness, "Id", "org.example.voice");
    typed(&mut harness, "Folder", "/x");
    click(&mut harness, "For computers without Catena");
    click(&mut harness, "Without event ports in LV2");
    click(&mut harness, "Replace what is there");
    fake.answers([Err("/x/Voice.clap: is there already; choose another name, or have it replaced".into())]);
    click(&mut harness, "Make the export");
    let plugin = AsPlugin { id: "org.example.voice".into(), with_engine: true, plain: true, ..AsPlugin::default() };
    let task = ExportTask { to: ExportTo::Plugin, out: Some("/x".into()), replace: true, plugin, ..task };
    assert_eq!(fake.errands(), [Errand::Export(task)]);
    harness.get_by_label_contains("is there already");
    // While it is made, that is shown, and nothing else can be asked for.
    click(&mut harness, "Make the export");
    harness.get_by_label("Exporting");
    fake.errands();
    click(&mut harness, "Make the export");
    assert_eq!(fake.errands(), []);
    click(&mut harness, "Close the export dialog");
    assert!(harness.query_by_label("Make the export").is_none());
}

#[test]
fn enter_loads_nothing_that_the_search_does_not_show() {
    let fake = three();
    let mut harness = page(&fake);
    click(&mut harness, VOCAL);
    typed(&mut harness, "Find a chain", "nothing like it");
    fake.errands();
    harness.key_press(Key::Enter);
    harness.run_steps(3);
    assert_eq!(fake.errands(), []);
}
