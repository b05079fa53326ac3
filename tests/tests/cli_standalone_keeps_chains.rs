//! The standalone window's New, Open, Save and Save as, by keyboard and mouse; and no chain that is not saved is lost, whatever
//! takes its place.

use std::process::Stdio;
use std::time::{Duration, Instant};

use catena_tests::ardour_window::cards;
use catena_tests::cli::{Home, lose_a_state};
use catena_tests::desk::{Desk, Place};
use catena_tests::running::Running;
use host_core::model::Chain;
use host_core::store;

/// Where the bar's buttons are, from the window's left edge, and how far below its upper edge, pixels.
const NEW: i32 = 29;
const OPEN: i32 = 82;
const SAVE_AS: i32 = 194;
const BAR: i32 = 14;
/// The ground of a dialog.
const DIALOG: [u8; 3] = [38, 41, 48];

/// A program at a desk.
struct Standalone<'a> {
    home: &'a Home,
    desk: &'a Desk,
    program: Running,
}

impl<'a> Standalone<'a> {
    fn start(home: &'a Home, desk: &'a Desk, args: &[&str]) -> Self {
        let mut command = home.catena(["--backend", "dummy"]);
        let log = std::fs::File::create(home.path("log")).unwrap();
        command.args(args).env("DISPLAY", desk.display()).stdout(Stdio::null()).stderr(log);
        let this = Self { home, desk, program: Running(command.spawn().expect("catena starts")) };
        this.come_to_rest();
        this
    }

    fn window(&self) -> Place {
        self.desk.wait_for_window("Catena")
    }

    /// Waits until the window is there, has the keys, and shows what it has to.
    fn come_to_rest(&self) {
        let window = self.window();
        self.desk.wait_for("the keys", || {
            self.desk.activate(&window);
            self.desk.has_keys(&window)
        });
        self.desk.wait_until_still(&window);
    }

    fn press(&self, keys: &str) {
        self.desk.press(keys);
        self.desk.wait_until_still(&self.window());
    }

    /// Clicks a button of the bar.
    fn click(&self, button: i32) {
        let window = self.window();
        self.desk.click(window.x + button, window.y + BAR);
        self.desk.wait_until_still(&window);
    }

    /// Adds a plugin by its name.
    fn add(&self, name: &str, slots: usize) {
        self.press("ctrl+f");
        self.press("ctrl+a");
        self.desk.type_text(name);
        self.press("Return");
        self.shows(slots);
        // The keys leave the field.
        self.press("Escape");
    }

    /// Types a file's name into the dialog that is open.
    fn name(&self, name: &str) {
        self.press("ctrl+a");
        self.desk.type_text(name);
        self.press("Return");
    }

    fn shows(&self, slots: usize) {
        self.desk.wait_for(&format!("{slots} slots"), || self.cards().len() == slots);
    }

    /// Where the slots begin, below the window's upper edge.
    fn cards(&self) -> Vec<i32> {
        // The editor's own margin lies inside of the window's.
        let window = self.window();
        let editor = Place { x: window.x + 8, ..window };
        cards(&self.desk.picture(), &editor).into_iter().map(|y| y - editor.y).collect()
    }

    /// Waits until the file holds these fixtures.
    fn holds(&self, name: &str, fixtures: &[&str]) {
        let path = self.home.path("data/catena/chains").join(name);
        let wanted: Vec<_> = fixtures.iter().map(|name| format!("catena.fixture.{name}")).collect();
        self.desk
            .wait_for(&format!("{wanted:?} in {name}"), || store::read(&path).is_ok_and(|chain| ids(&chain) == wanted));
    }

    /// Waits until it ended by itself, well; what it said.
    fn ended(mut self) -> String {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.program.0.try_wait().unwrap() {
                let said = std::fs::read_to_string(self.home.path("log")).unwrap();
                assert!(status.success(), "{status}: {said}");
                return said;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Whether a dialog lies over the editor's middle. The windows that come one after another have the same number.
    fn asks(&self) -> bool {
        let middle = |window: Place| {
            let (x, y) = (window.x + window.width / 2, window.y + window.height / 2);
            self.desk.picture().count(x - 2, y - 2, 5, 5, |point| point == DIALOG) > 10
        };
        self.desk.find("Catena").is_some_and(middle)
    }

    /// Closes the window by its corner, and waits until it is back with its question.
    fn close_and_be_asked(&self) {
        assert!(!self.asks());
        self.desk.close(&self.window());
        self.desk.wait_for("the window to come back", || self.asks());
        self.come_to_rest();
    }
}

fn ids(chain: &Chain) -> Vec<String> {
    chain.slots().map(|slot| slot.plugin.id.clone()).collect()
}

/// The chains that were kept because nobody saved them.
fn kept(home: &Home) -> Vec<Vec<String>> {
    let name = |number: usize| if number == 1 { "unsaved.catena".into() } else { format!("unsaved-{number}.catena") };
    let paths = (1..).map(|number| home.path("state/catena").join(name(number)));
    paths.take_while(|path| path.exists()).map(|path| ids(&store::read(&path).unwrap())).collect()
}

#[test]
fn new_open_save_and_save_as_do_what_they_say() {
    let (home, desk) = (Home::of_fixtures(), Desk::new());
    let catena = Standalone::start(&home, &desk, &[]);
    catena.add("fixture gain", 1);
    desk.show("standalone-one-slot");
    // The first save asks for a name.
    catena.press("ctrl+s");
    desk.show("standalone-save");
    catena.name("one.catena");
    catena.holds("one.catena", &["gain"]);
    // From then on it knows it.
    catena.add("fixture delay", 2);
    catena.press("ctrl+s");
    catena.holds("one.catena", &["gain", "delay"]);
    // Under another name, which needs no ending; the first stays.
    catena.click(SAVE_AS);
    catena.name("two");
    catena.holds("two.catena", &["gain", "delay"]);
    catena.add("fixture mono", 3);
    catena.press("ctrl+s");
    catena.holds("two.catena", &["gain", "delay", "mono"]);
    catena.holds("one.catena", &["gain", "delay"]);
    // A file that is there is replaced only when it is asked for twice.
    catena.press("ctrl+shift+s");
    catena.name("one.catena");
    catena.holds("one.catena", &["gain", "delay"]);
    desk.show("standalone-replace");
    catena.press("Return");
    catena.holds("one.catena", &["gain", "delay", "mono"]);
    // All is saved: nothing is asked.
    catena.click(NEW);
    catena.shows(0);
    catena.click(OPEN);
    desk.show("standalone-open");
    catena.name("one.catena");
    catena.shows(3);
    // A name that is no file is said, and the dialog stays; Escape leaves the chain as it is.
    catena.press("ctrl+o");
    catena.name("none.catena");
    desk.show("standalone-no-such-file");
    catena.press("Escape");
    catena.shows(3);
    // What was opened is what is saved again.
    catena.press("ctrl+shift+s");
    catena.name("three");
    catena.holds("three.catena", &["gain", "delay", "mono"]);
    let read = |name| store::read(&home.path("data/catena/chains").join(name)).unwrap();
    assert_eq!(read("three.catena"), read("one.catena"));
    // All is saved: the window just closes.
    desk.close(&catena.window());
    catena.ended();
    assert!(kept(&home).is_empty());
}

#[test]
fn lanes_are_made_filled_and_mixed_by_keys_and_are_in_the_file() {
    let (home, desk) = (Home::of_fixtures(), Desk::new());
    let catena = Standalone::start(&home, &desk, &[]);
    catena.add("fixture gain", 1);
    catena.add("fixture delay", 2);
    let window = catena.window();
    let top = catena.cards()[0];
    desk.click(window.x + 68, window.y + top + 14);
    desk.wait_until_still(&window);
    // In parallel; the second slot goes into the empty lane. What stands in lanes is no card at the edge.
    catena.press("p");
    catena.shows(1);
    let top = catena.cards()[0];
    desk.click(window.x + 68, window.y + top + 14);
    catena.press("alt+Right");
    catena.shows(0);
    desk.show("standalone-lanes");
    // From the slot up to its lane, which is muted.
    catena.press("Up");
    catena.press("m");
    catena.press("ctrl+s");
    catena.name("lanes.catena");
    catena.holds("lanes.catena", &["gain", "delay"]);
    let chain = store::read(&home.path("data/catena/chains/lanes.catena")).unwrap();
    let lanes: Vec<_> =
        chain.groups().flat_map(|group| &group.lanes).map(|lane| (lane.nodes.len(), lane.mute)).collect();
    assert_eq!((chain.nodes.len(), lanes), (1, vec![(1, false), (1, true)]));
    desk.close(&window);
    catena.ended();
}

#[test]
fn a_chain_that_is_not_saved_is_asked_about_before_new_open_and_the_end() {
    let (home, desk) = (Home::of_fixtures(), Desk::new());
    std::fs::create_dir_all(home.path("data/catena/chains")).unwrap();
    home.ok(["new", "data/catena/chains/one.catena", "Fixture gain"]);
    let file = home.path("data/catena/chains/one.catena").display().to_string();
    let catena = Standalone::start(&home, &desk, &[&file]);
    catena.shows(1);
    catena.add("fixture delay", 2);
    // New: back to the chain.
    catena.press("ctrl+n");
    desk.show("standalone-question");
    catena.press("Escape");
    catena.shows(2);
    catena.holds("one.catena", &["gain"]);
    // Open: save first, then go on to the choice of a file.
    catena.press("ctrl+o");
    catena.press("Return");
    catena.holds("one.catena", &["gain", "delay"]);
    catena.press("Escape");
    // New: the changes may go.
    catena.add("fixture mono", 3);
    catena.press("ctrl+n");
    catena.press("ctrl+d");
    catena.shows(0);
    catena.holds("one.catena", &["gain", "delay"]);
    // A chain without a name: saving asks for one, and New comes after it.
    catena.add("fixture nan", 1);
    catena.press("ctrl+n");
    catena.press("Return");
    catena.name("nameless");
    catena.holds("nameless.catena", &["nan"]);
    catena.shows(0);
    // The end: the window comes back to ask, and stays where the user wants it to.
    catena.add("fixture gain", 1);
    catena.close_and_be_asked();
    desk.show("standalone-question-at-the-end");
    catena.press("Escape");
    catena.shows(1);
    catena.close_and_be_asked();
    catena.press("Return");
    catena.name("last");
    catena.holds("last.catena", &["gain"]);
    catena.ended();
    assert!(kept(&home).is_empty());
}

#[test]
fn what_is_closed_without_an_answer_is_kept_and_named_at_the_next_start() {
    let (home, desk) = (Home::of_fixtures(), Desk::new());
    // Closed over the question.
    let catena = Standalone::start(&home, &desk, &[]);
    catena.add("fixture gain", 1);
    catena.close_and_be_asked();
    desk.close(&catena.window());
    let said = catena.ended();
    assert!(said.contains("unsaved.catena"), "{said}");
    assert_eq!(kept(&home), [["catena.fixture.gain"]]);
    // Ended by the system: nothing is asked, and what was kept before stays.
    let catena = Standalone::start(&home, &desk, &[]);
    desk.show("standalone-kept");
    catena.add("fixture delay", 1);
    let pid = rustix::process::Pid::from_raw(catena.program.0.id() as i32).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    catena.ended();
    assert_eq!(kept(&home), [["catena.fixture.gain"], ["catena.fixture.delay"]]);
    // Let go on purpose: not kept.
    let catena = Standalone::start(&home, &desk, &[]);
    catena.add("fixture mono", 1);
    catena.close_and_be_asked();
    catena.press("ctrl+d");
    let said = catena.ended();
    assert!(said.contains("A chain that was not saved is kept") && said.contains("unsaved-2.catena"), "{said}");
    assert_eq!(kept(&home).len(), 2);
}

#[test]
fn a_chain_that_is_opened_and_closed_untouched_asks_nothing() {
    let (home, desk) = (Home::of_fixtures(), Desk::new());
    let all = ["Fixture gain", "Fixture latency-jump", "Fixture big-state", "Fixture overrides", "Fixture instrument"];
    home.ok([&["new", "c.catena"][..], &all].concat());
    let catena = Standalone::start(&home, &desk, &["c.catena"]);
    catena.shows(5);
    desk.close(&catena.window());
    catena.ended();
    assert!(kept(&home).is_empty());
}

#[test]
fn what_is_lost_of_a_damaged_chain_or_kept_of_it_is_said_in_the_window() {
    let (home, desk) = (Home::of_fixtures(), Desk::new());
    for name in ["whole.catena", "damaged.catena"] {
        home.ok(["new", name, "Fixture gain", "Fixture gain"]);
    }
    lose_a_state(&home.path("damaged.catena"));
    // What is said stands between the buttons and the slots.
    let tops = ["whole.catena", "damaged.catena"].map(|name| {
        let catena = Standalone::start(&home, &desk, &[name]);
        catena.shows(2);
        desk.show(&format!("standalone-{name}"));
        let top = catena.cards()[0];
        let saves = name == "damaged.catena";
        if saves {
            catena.press("ctrl+s");
            desk.wait_for("the damaged one aside", || home.path("damaged.catena.damaged").exists());
            desk.show("standalone-damaged-and-saved");
        }
        desk.close(&catena.window());
        let said = catena.ended();
        assert_eq!(said.contains("the state of"), saves, "{said}");
        top
    });
    assert!(tops[1] >= tops[0] + 12, "a line or more below the bar: {tops:?}");
}

#[test]
fn what_a_killed_program_left_is_offered_and_can_be_taken_out() {
    let (home, desk) = (Home::of_fixtures(), Desk::new());
    let recovery = home.path("state/catena/recovery");
    let left = || std::fs::read_dir(&recovery).map_or(0, |files| files.flatten().count());
    let listed = || home.json(["recover", "--json"])["chains"].as_array().unwrap().clone();
    // One that is saved, or ended well, leaves nothing.
    let catena = Standalone::start(&home, &desk, &[]);
    catena.add("fixture gain", 1);
    desk.wait_for("the chain to be kept", || left() == 1);
    assert!(listed().is_empty(), "its program still runs");
    catena.press("ctrl+s");
    catena.name("one.catena");
    catena.holds("one.catena", &["gain"]);
    desk.wait_for("the chain to be let go", || left() == 0);
    // One that is killed does.
    catena.add("fixture delay", 2);
    desk.wait_for("the chain to be kept", || left() == 1);
    let pid = rustix::process::Pid::from_raw(catena.program.0.id() as i32).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    desk.wait_for("the program's end", || listed().len() == 1);
    assert_eq!(listed()[0]["plugins"], serde_json::json!(["Fixture gain", "Fixture delay"]));
    drop(catena);
    // The next one says so, and leaves it.
    let catena = Standalone::start(&home, &desk, &[]);
    desk.wait_for("a word of it", || std::fs::read_to_string(home.path("log")).unwrap().contains("catena recover"));
    desk.close(&catena.window());
    catena.ended();
    home.ok(["recover", "take", "1", "back.catena"]);
    let back = store::read(&home.path("back.catena")).unwrap();
    assert_eq!(ids(&back), ["catena.fixture.gain", "catena.fixture.delay"]);
    assert!(back.slots().all(|slot| slot.state.is_some()), "with the plugins' states");
    assert!(listed().is_empty() && left() == 0);
}
