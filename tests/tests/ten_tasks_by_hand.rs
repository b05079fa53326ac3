//! Nine of the README's ten tasks by keys and clicks in the program's own window, on real plugins: each does what it is to do, in so
//! many. The tenth, silence, is counted in `gui/tests/ten_tasks.rs`.

use catena_tests::cli::Home;
use catena_tests::desk::Desk;
use catena_tests::jack_server::Server;
use catena_tests::standalone::{Standalone, TROUBLE};
use host_core::model::{Aim, Chain, Node, PluginId};
use host_core::store;

const PROBE: &str = env!("CARGO_BIN_EXE_jack-probe");
/// Above the rack: what stands in its first and second line, counted from the left.
const LEARN: (usize, usize) = (1, 6);
const COPY: (usize, usize) = (1, 7);
/// On a slot, counted from the right.
const ADD: (usize, usize) = (0, 0);
const REPLACE: (usize, usize) = (0, 4);
const DELTA: (usize, usize) = (1, 0);

/// A user whose keys and clicks are counted; a name that is typed counts one.
struct Hand<'a> {
    catena: Standalone<'a>,
    desk: &'a Desk,
    count: usize,
}

impl<'a> Hand<'a> {
    fn at(catena: Standalone<'a>, desk: &'a Desk) -> Self {
        Self { catena, desk, count: 0 }
    }

    fn above(&mut self, (line, which): (usize, usize)) {
        self.count += 1;
        self.catena.click_header(line, which);
    }

    fn slot(&mut self, slot: usize, (line, which): (usize, usize)) {
        self.count += 1;
        self.catena.click_slot(slot, line, which);
    }

    fn choose(&mut self, slot: usize) {
        self.count += 1;
        self.catena.choose(slot);
        self.catena.rest();
    }

    fn key(&mut self, keys: &str) {
        self.count += 1;
        self.catena.press(keys);
    }

    fn name(&mut self, text: &str) {
        self.count += 1;
        self.desk.type_text(text);
        self.catena.rest();
    }

    /// The effect is in the chain that is saved; to look at it counts nothing.
    fn makes(&self, what: &str, wanted: impl Fn(&Chain) -> bool) {
        self.catena.save_until_chain(what, wanted);
    }
}

fn four(home: &Home) {
    home.ok(["new", "c.catena", "ZamGate", "ZamEQ2", "ZamCompX2", "ZaMaximX2"]);
    home.ok(["edit", "c.catena", "set", "ZamEQ2", "@mix", "0.5"]);
}

fn chain(home: &Home, file: &str) -> Chain {
    store::read(&home.path(file)).unwrap()
}

/// Changes a chain file as no command does.
fn change(home: &Home, file: &str, change: impl FnOnce(&mut Chain)) {
    let mut held = chain(home, file);
    change(&mut held);
    std::fs::write(home.path(file), store::pack(&held).unwrap()).unwrap();
}

fn ids(chain: &Chain) -> Vec<&str> {
    chain.slots().map(|slot| slot.plugin.id.trim_start_matches("com.zamaudio.")).collect()
}

#[test]
fn a_plugin_after_slot_two_takes_three() {
    let (home, desk) = (Home::scanned(), Desk::new());
    four(&home);
    let mut hand = Hand::at(Standalone::start(&home, &desk, "c.catena"), &desk);
    hand.slot(1, ADD);
    hand.name("zamdelay");
    hand.key("Return");
    assert_eq!(hand.count, 3);
    hand.makes("the plugin behind the second", |chain| {
        ids(chain) == ["ZamGate", "ZamEQ2", "ZamDelay", "ZamCompX2", "ZaMaximX2"]
    });
}

#[test]
fn another_plugin_in_its_place_takes_three() {
    let (home, desk) = (Home::scanned(), Desk::new());
    four(&home);
    let before = chain(&home, "c.catena").slots().nth(1).unwrap().id;
    let mut hand = Hand::at(Standalone::start(&home, &desk, "c.catena"), &desk);
    hand.slot(1, REPLACE);
    hand.name("zamgeq31");
    hand.key("Return");
    assert_eq!(hand.count, 3);
    hand.makes("the other plugin, with the mix of the first", |chain| {
        let slot = chain.slots().nth(1).expect("a slot");
        ids(chain) == ["ZamGate", "ZamGEQ31", "ZamCompX2", "ZaMaximX2"] && slot.id == before && slot.mix == 0.5
    });
}

#[test]
fn to_hear_only_what_slot_three_does_takes_one() {
    let (home, desk) = (Home::scanned(), Desk::new());
    four(&home);
    let mut hand = Hand::at(Standalone::start(&home, &desk, "c.catena"), &desk);
    hand.slot(2, DELTA);
    assert_eq!(hand.count, 1);
    hand.makes("that it is heard alone", |chain| {
        chain.slots().map(|slot| slot.strip.delta).eq([false, false, true, false])
    });
}

#[test]
fn the_slot_that_clips_is_seen_at_once() {
    let (home, desk) = (Home::scanned(), Desk::new());
    home.ok(["new", "c.catena", "ZamGate", "ZamEQ2"]);
    home.ok(["edit", "c.catena", "set", "ZamEQ2", "@output-gain", "18"]);
    let server = Server::start(&home, PROBE);
    let catena = Standalone::start_as(&home, &desk, "c.catena", "Catena", |command| {
        server.env(command.args(["--backend", "jack"]));
    });
    assert_eq!(catena.points(1, 45, TROUBLE), 0, "nothing clips yet");
    let _peak = server.measure();
    desk.wait_for("the word of the slot that clips", || catena.points(1, 45, TROUBLE) > 100);
    assert_eq!(catena.points(0, 45, TROUBLE), 0, "the other one does not");
    desk.show("ten-clips");
}

#[test]
fn where_the_latency_comes_from_is_seen_at_once() {
    let (home, desk) = (Home::scanned(), Desk::new());
    four(&home);
    home.ok(["new", "none.catena", "ZamGate", "ZamEQ2", "ZamCompX2"]);
    // What a text says cannot be asked of a window: where it says the same it looks the same.
    let above = |catena: &Standalone| {
        let window = catena.window();
        desk.picture().part(window.x + 600, window.y + 45, 330, 24)
    };
    let of = |catena: &Standalone, slot: usize| {
        let (window, top) = (catena.window(), catena.card(slot));
        desk.picture().part(window.x + 62, top + 29, 85, 14)
    };
    let catena = Standalone::start(&home, &desk, "none.catena");
    let without = above(&catena);
    catena.close();
    let catena = Standalone::start(&home, &desk, "c.catena");
    assert!(above(&catena) != without, "the whole");
    let differ = |slot: usize| of(&catena, 0).iter().zip(of(&catena, slot)).filter(|(a, b)| **a != *b).count();
    assert!(
        differ(3) > differ(1) + 100,
        "the one that has some: {} points, one that has none: {}",
        differ(3),
        differ(1)
    );
    desk.show("ten-latency");
}

#[test]
fn a_mapped_knob_takes_two() {
    let (home, desk) = (Home::scanned(), Desk::new());
    four(&home);
    change(&home, "c.catena", |chain| {
        let id = chain.slots().nth(1).unwrap().id;
        chain.slot_mut(id).unwrap().window.inside = true;
    });
    let mut hand = Hand::at(Standalone::start(&home, &desk, "c.catena"), &desk);
    let colours = |place: &catena_tests::desk::Place| {
        let part = desk.picture().part(place.x, place.y, place.width, place.height);
        part.into_iter().collect::<std::collections::BTreeSet<_>>().len()
    };
    let place = hand.catena.inside(|place| colours(place) > 100);
    hand.above(LEARN);
    // The knob of the low band's gain, in the plugin's own window.
    hand.count += 1;
    desk.drag(place.x + 112, place.y + 71, (0, -30));
    assert_eq!(hand.count, 2);
    desk.show("ten-knob");
    // The keys are the plugin's.
    hand.catena.choose(0);
    let slot = chain(&home, "c.catena").slots().nth(1).unwrap().id;
    hand.makes("a macro that moves the knob", |chain| {
        let mut targets = chain.macros.iter().flat_map(|one| &one.targets);
        targets.any(|target| matches!(&target.aim, Aim::Param(id, _) if *id == slot))
    });
}

#[test]
fn a_slot_in_parallel_takes_two() {
    let (home, desk) = (Home::scanned(), Desk::new());
    four(&home);
    let mut hand = Hand::at(Standalone::start(&home, &desk, "c.catena"), &desk);
    hand.choose(1);
    hand.key("p");
    assert_eq!(hand.count, 2);
    hand.makes("lanes with the slot in the first", |chain| match &chain.nodes[..] {
        [Node::Slot(_), Node::Lanes(group), Node::Slot(_), Node::Slot(_)] => {
            matches!(&group.lanes[0].nodes[..], [Node::Slot(slot)] if slot.plugin.id.ends_with("ZamEQ2"))
        }
        _ => false,
    });
}

#[test]
fn a_chain_on_another_track_takes_four() {
    let (home, desk) = (Home::scanned(), Desk::new());
    four(&home);
    home.ok(["new", "other.catena", "ZamDelay"]);
    let mut hand = Hand::at(Standalone::start(&home, &desk, "c.catena"), &desk);
    hand.above(COPY);
    let other = Standalone::start_as(&home, &desk, "other.catena", "Second", |command| {
        command.args(["--backend", "dummy"]);
    });
    // It was opened, which is one.
    let mut other = Hand { count: hand.count + 1, ..Hand::at(other, &desk) };
    other.choose(0);
    other.key("ctrl+v");
    assert_eq!(other.count, 4);
    other.makes("all four behind what was there", |chain| {
        ids(chain) == ["ZamDelay", "ZamGate", "ZamEQ2", "ZamCompX2", "ZaMaximX2"]
            && chain.slots().nth(2).is_some_and(|slot| slot.mix == 0.5)
    });
}

#[test]
fn what_is_missing_and_how_to_install_it_is_seen_at_once() {
    let (home, desk) = (Home::scanned(), Desk::new());
    home.ok(["new", "known.catena", "ZamGate", "ZamEQ2", "ZamCompX2"]);
    change(&home, "known.catena", |chain| {
        let id = chain.slots().nth(1).unwrap().id;
        chain.slot_mut(id).unwrap().plugin = PluginId::lv2("urn:not:here");
    });
    // Of this one nobody knows where it comes from.
    home.ok(["new", "unknown.catena", "ZamGate", "ZamCompX2"]);
    change(&home, "unknown.catena", |chain| {
        chain.insert(1, PluginId::lv2("urn:nobody:nothing"));
    });
    let mut heights = Vec::new();
    for file in ["known.catena", "unknown.catena"] {
        let catena = Standalone::start(&home, &desk, file);
        desk.wait_for("the slot to say it", || catena.points(1, 120, TROUBLE) > 100);
        assert_eq!(catena.points(0, 80, TROUBLE), 0);
        heights.push(catena.card(2) - catena.card(1));
        desk.show(&format!("ten-{file}"));
        catena.close();
    }
    assert!(heights[0] > heights[1] + 10, "how to install it is a line more: {heights:?}");
}
