//! Presets of plugins: those of both formats in one list, own ones beside them, an LV2 plugin's as every LV2 host lists it, and what
//! the user has a plugin begin with.

use std::path::Path;
use std::process::Command as Run;

use catena_tests::bundle::in_own_process;
use catena_tests::cli::{Home, texts};
use catena_tests::daw::with_fixtures;
use catena_tests::exports::{assert_valid, names};
use catena_tests::fixtures;
use catena_tests::jalv::Jalv;
use catena_tests::session_bench::{add, fixtures_catalog, session};
use host_core::model::{Chain, Folders, PluginId, PresetFrom};
use host_core::session::presets::{PresetForm, SavePreset, default_file, forget_default};
use host_core::session::{Command, EditError, SessionHandle};

const ZAM_COMP: &str = "lv2:urn:zamaudio:ZamComp";

/// A home with the CLAP fixtures and ZamComp as LV2, in which the user's own bundles are seen.
struct Studio {
    home: Home,
    lv2_path: String,
}

impl Studio {
    fn new() -> Self {
        let home = Home::new();
        for folder in ["clap", ".lv2"] {
            std::fs::create_dir(home.path(folder)).unwrap();
        }
        std::fs::copy(fixtures::clap(), home.path("clap/harmless.clap")).unwrap();
        let lv2_path = format!("{}:{}", home.path(".lv2").display(), zam().display());
        Self { home, lv2_path }
    }

    fn run(&self, args: &[&str]) -> (Option<i32>, String, String) {
        let mut catena = self.home.catena(args);
        catena.env("LV2_PATH", &self.lv2_path).env("CLAP_PATH", self.home.path("clap"));
        let output = catena.output().unwrap();
        let (out, err) = texts(&output);
        (output.status.code(), out, err)
    }

    fn ok(&self, args: &[&str]) -> String {
        let (code, out, err) = self.run(args);
        assert_eq!(code, Some(0), "{args:?}: {out}\n{err}");
        out
    }

    fn json(&self, args: &[&str]) -> serde_json::Value {
        serde_json::from_str(&self.ok(&[args, &["--json"]].concat())).unwrap()
    }

    fn param(&self, file: &str, node: usize, key: &str) -> f64 {
        self.json(&["show", file])["nodes"][node]["params"][key].as_f64().unwrap()
    }

    /// Name and kind of each preset listed.
    fn listed(&self, args: &[&str]) -> Vec<(String, String)> {
        let all = self.json(&[&["presets"], args].concat());
        let text = |preset: &serde_json::Value, field: &str| preset[field].as_str().unwrap().to_owned();
        all["presets"].as_array().unwrap().iter().map(|one| (text(one, "name"), text(one, "from"))).collect()
    }
}

/// A folder with ZamComp and the core specification alone, outside of every home.
fn zam() -> std::path::PathBuf {
    let folder = catena_tests::cli::programs().join("presets-lv2");
    std::fs::create_dir_all(&folder).unwrap();
    for bundle in ["ZamComp.lv2", "core.lv2"] {
        let _linked_before = std::os::unix::fs::symlink(Path::new("/usr/lib/lv2").join(bundle), folder.join(bundle));
    }
    folder
}

fn kinds(listed: &[(String, String)], name: &str) -> Vec<String> {
    listed.iter().filter(|(own, _)| own == name).map(|(_, from)| from.clone()).collect()
}

#[test]
fn those_of_both_formats_are_one_list_with_the_users_own_and_are_searched() {
    let studio = Studio::new();
    studio.ok(&["new", "c.catena", "Fixture presets", ZAM_COMP]);
    let listed = studio.listed(&["Fixture presets"]);
    assert_eq!((kinds(&listed, "Quiet"), kinds(&listed, "Loud")), (vec!["factory".into()], vec!["factory".into()]));
    assert!(studio.listed(&[ZAM_COMP]).iter().all(|(_, from)| from == "factory"), "{:?}", studio.listed(&[ZAM_COMP]));
    let factory = studio.listed(&[ZAM_COMP]).len();
    assert!(factory >= 2);

    studio.ok(&["edit", "c.catena", "preset", "1", "Loud"]);
    studio.ok(&["presets", "save", "c.catena", "1", "Мой громкий"]);
    studio.ok(&["presets", "save", "c.catena", "2", "Mine"]);
    let kept = studio.json(&["presets", "save", "c.catena", "2", "Mine too", "--to", "catena"]);
    assert!(kept["path"].as_str().unwrap().ends_with("Mine too.catena"), "{kept}");
    let (code, _, said) = studio.run(&["presets", "save", "c.catena", "1", "x", "--to", "lv2"]);
    assert!(code == Some(1) && said.contains("no LV2 plugin"), "{said}");
    let (code, _, said) = studio.run(&["presets", "save", "c.catena", "1", "Мой громкий"]);
    assert!(code == Some(1) && said.contains("--force"), "{said}");

    let listed = studio.listed(&[ZAM_COMP]);
    assert_eq!(
        (listed.len(), kinds(&listed, "Mine"), kinds(&listed, "Mine too")),
        (factory + 2, vec!["user".into()], vec!["catena".into()])
    );
    let found = |words: &str| studio.listed(&["Fixture presets", "--search", words]);
    assert_eq!(found("громкий МОЙ"), [("Мой громкий".to_owned(), "catena".to_owned())]);
    assert_eq!(found("factory quiet").len(), 1);
    assert_eq!(found("quiet громкий"), []);

    // Loaded as any other is.
    studio.ok(&["edit", "c.catena", "preset", "1", "Quiet"]);
    assert_eq!(studio.param("c.catena", 0, "100"), 0.25);
    studio.ok(&["edit", "c.catena", "preset", "1", "Мой громкий"]);
    assert_eq!(studio.param("c.catena", 0, "100"), 1.75);
    studio.ok(&["edit", "c.catena", "set", "2", "thr", "-40"]);
    studio.ok(&["edit", "c.catena", "preset", "2", "Mine"]);
    assert_ne!(studio.param("c.catena", 1, "thr"), -40.0);
}

#[test]
fn an_lv2_slot_saved_as_a_preset_is_valid_and_listed_and_loaded_by_every_host() {
    let studio = Studio::new();
    studio.ok(&["new", "c.catena", ZAM_COMP]);
    studio.ok(&["edit", "c.catena", "set", "1", "thr", "-33"]);
    let path = studio.ok(&["presets", "save", "c.catena", "1", "Голос \"1\""]);
    let bundle = studio.home.path(".lv2/ZamComp - Голос \"1\".preset.lv2");
    assert_eq!(path.trim(), bundle.to_str().unwrap());
    assert_eq!(names(&bundle), ["manifest.ttl", "preset.ttl"]);
    assert_valid(&bundle, &[]);
    // The same name is the same preset, and only on demand.
    studio.ok(&["edit", "c.catena", "set", "1", "thr", "-21"]);
    let (code, ..) = studio.run(&["presets", "save", "c.catena", "1", "Голос \"1\""]);
    assert_eq!(code, Some(1));
    studio.ok(&["presets", "save", "c.catena", "1", "Голос \"1\"", "--force"]);
    assert_eq!(kinds(&studio.listed(&[ZAM_COMP]), "Голос \"1\""), ["user"]);

    let info = Run::new("lv2info").arg("urn:zamaudio:ZamComp").env("LV2_PATH", &studio.lv2_path).output().unwrap();
    assert!(String::from_utf8_lossy(&info.stdout).contains("Голос \"1\""), "{}", texts(&info).0);
    let mut jalv = Jalv::new(&studio.home.path(""), &studio.lv2_path, "urn:zamaudio:ZamComp");
    jalv.ask_until("presets", "Голос \"1\"");
    let said = jalv.said();
    let uri =
        said.lines().find_map(|line| line.split_once(" (Голос")).map(|(uri, _)| uri.trim_start_matches("> ").trim());
    jalv.type_line(&format!("preset {}", uri.unwrap_or_else(|| panic!("{said}"))));
    jalv.ask_until("controls", "thr = -21");
    jalv.type_line("quit");
}

fn save(name: &str, form: PresetForm) -> SavePreset {
    SavePreset { name: name.into(), form, folder: None, force: false }
}

fn gain_of(handle: &SessionHandle, place: usize) -> f64 {
    handle.chain().unwrap().slots().nth(place).unwrap().params["100"]
}

#[test]
fn a_preset_saved_in_a_running_session_is_listed_there_and_its_load_is_one_step() {
    with_fixtures("a_preset_saved_in_a_running_session_is_listed_there_and_its_load_is_one_step", || {
        let (handle, _processor) = session(&fixtures_catalog());
        let slot = add(&handle, "gain");
        handle.apply(Command::Param(slot, "100".into(), 0.25)).unwrap();
        let path = handle.save_preset(slot, save(" Soft ", PresetForm::of(&PluginId::clap("x")))).unwrap();
        assert!(path.is_file());
        let listed = handle.presets(slot).unwrap();
        let own = listed.iter().find(|preset| preset.from == PresetFrom::Catena).unwrap();
        assert_eq!(own.name, "Soft");
        handle.apply(Command::Param(slot, "100".into(), 0.75)).unwrap();
        let (steps, before) = (handle.snapshot().history.at, handle.save().unwrap());
        handle.apply(Command::Preset(slot, "Soft".into())).unwrap();
        assert_eq!((gain_of(&handle, 0), handle.snapshot().history.at), (0.25, steps + 1));
        let after = handle.save().unwrap();
        handle.apply(Command::Undo).unwrap();
        assert!(handle.save().unwrap() == before);
        handle.apply(Command::Redo).unwrap();
        assert!(handle.save().unwrap() == after);
        // One that is damaged is named, and changes nothing.
        std::fs::write(&path, "no chain").unwrap();
        let error = handle.apply(Command::Preset(slot, own.uri.clone())).unwrap_err();
        assert!(error.to_string().contains("Soft.catena"), "{error}");
        assert_eq!(gain_of(&handle, 0), 0.25);
        let nameless = handle.save_preset(slot, save(" ", PresetForm::Catena)).unwrap_err();
        assert!(matches!(nameless, EditError::PresetFile(_)));
    });
}

#[test]
fn my_default_is_what_every_insert_begins_with_and_neither_loads_nor_undo() {
    with_fixtures("my_default_is_what_every_insert_begins_with_and_neither_loads_nor_undo", || {
        let (handle, _processor) = session(&fixtures_catalog());
        let plugin = PluginId::clap(fixtures::clap_id("gain"));
        let folders = Folders::from_env();
        let first = add(&handle, "gain");
        assert_eq!(gain_of(&handle, 0), 1.0);
        handle.apply(Command::Param(first, "100".into(), 0.25)).unwrap();
        let before = handle.save().unwrap();
        assert_eq!(handle.save_default(first).unwrap(), default_file(&folders, &plugin));
        assert!(handle.save().unwrap() == before, "the chain is as it was");

        let second = add(&handle, "gain");
        assert_eq!(gain_of(&handle, 1), 0.25);
        let added = handle.save().unwrap();
        handle.apply(Command::Param(first, "100".into(), 0.75)).unwrap();
        handle.save_default(first).unwrap();
        handle.apply(Command::Undo).unwrap();
        assert!(handle.save().unwrap() == added);
        handle.apply(Command::Undo).unwrap();
        assert!(handle.save().unwrap() == before);
        handle.apply(Command::Redo).unwrap();
        assert!(handle.save().unwrap() == added, "as it was added, not as it would be now");
        handle.apply(Command::Remove(second)).unwrap();

        let mut chain = Chain::default();
        chain.insert(0, plugin.clone());
        handle.load_chain(chain).unwrap();
        assert_eq!(gain_of(&handle, 0), 1.0);
        add(&handle, "gain");
        assert_eq!(gain_of(&handle, 1), 0.75);
        // What an editor sends.
        handle.send(Command::Add { plugin: plugin.clone(), index: 2 });
        assert!(catena_tests::session_bench::until(|| handle.snapshot().slots.len() == 3));
        handle.settle();
        assert_eq!(gain_of(&handle, 2), 0.75);

        // A damaged one hinders nobody, and is named.
        std::fs::write(default_file(&folders, &plugin), "no chain").unwrap();
        add(&handle, "gain");
        assert_eq!(gain_of(&handle, 3), 1.0);
        let notice = handle.snapshot().notice.clone();
        assert!(notice.contains("defaults") && notice.contains("catena presets forget"), "{notice}");
        assert_eq!(forget_default(&folders, &plugin), Ok(true));
        add(&handle, "gain");
        assert_eq!((gain_of(&handle, 4), handle.snapshot().notice.as_str()), (1.0, ""));
    });
}

#[test]
fn a_real_plugin_begins_as_the_command_line_was_told() {
    let home = Home::scanned();
    let threshold = |file: &str, node: usize| {
        let chain = home.json(["show", file, "--json"]);
        let params = chain["nodes"][node]["params"].as_object().unwrap().clone();
        let key = home.json(["info", "ZamComp", "--json"])["params"].as_array().unwrap().clone();
        let key = key.iter().find(|param| param["info"]["name"] == "Threshold").unwrap()["info"]["key"].clone();
        params[key.as_str().unwrap()].as_f64().unwrap()
    };
    home.ok(["new", "a.catena", "ZamComp"]);
    let made = threshold("a.catena", 0);
    home.ok(["edit", "a.catena", "set", "1", "Threshold", "-42"]);
    home.ok(["presets", "default", "a.catena", "1"]);
    let shown = home.json(["presets", "ZamComp", "--json"])["default"].as_str().unwrap().to_owned();
    assert!(Path::new(&shown).is_file());
    home.ok(["new", "b.catena", "ZamComp"]);
    home.ok(["edit", "b.catena", "add", "ZamComp"]);
    assert_eq!((threshold("b.catena", 0), threshold("b.catena", 1)), (-42.0, -42.0));
    let info = home.json(["info", "ZamComp", "--json"]);
    let now = info["params"].as_array().unwrap().iter().find(|param| param["info"]["name"] == "Threshold").unwrap();
    assert_eq!(now["value"].as_f64().unwrap(), made, "info shows the plugin as it is made");
    // Where it cannot be read, that is said.
    std::fs::write(&shown, "no chain").unwrap();
    let (_, said) = texts(&home.catena(["new", "c.catena", "ZamComp"]).output().unwrap());
    assert!(said.contains(&shown), "{said}");
    assert_eq!(threshold("c.catena", 0), made);
    home.ok(["presets", "forget", "ZamComp"]);
    home.ok(["new", "d.catena", "ZamComp"]);
    assert_eq!(threshold("d.catena", 0), made);
}

#[test]
fn nothing_is_kept_of_a_plugin_that_is_not_there() {
    in_own_process(
        "nothing_is_kept_of_a_plugin_that_is_not_there",
        |_| Vec::new(),
        |_| {
            let (handle, _processor) = session(&fixtures_catalog());
            let mut chain = Chain::default();
            let slot = chain.insert(0, PluginId::lv2("urn:nobody"));
            handle.load_chain(chain).unwrap();
            assert!(matches!(handle.save_preset(slot, save("x", PresetForm::Lv2)), Err(EditError::NoPlugin(_))));
            assert!(matches!(handle.save_default(slot), Err(EditError::PresetFile(_))));
        },
    );
}
