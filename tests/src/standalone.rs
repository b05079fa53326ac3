//! The program's own window on a [`Desk`]: a chain in it, its slots and their buttons, saved by its keys.

use std::process::{Command, Stdio};
use std::time::Duration;

use host_core::model::{Chain, Slot};
use host_core::store;

use crate::ardour_window::cards;
use crate::cli::Home;
use crate::desk::{Desk, Place};
use crate::running::Running;

/// Grounds of a button: at rest, under the mouse, on.
const BUTTON: [[u8; 3]; 3] = [[0x33, 0x37, 0x40], [0x3e, 0x43, 0x4e], [0x1f, 0x46, 0x58]];
/// What says that something is wrong.
pub const TROUBLE: [u8; 3] = [0xf2, 0xb0, 0x6a];
/// Lines of buttons, where their upper edges have no text: of the window, below its upper edge.
pub const HEADER: [i32; 2] = [47, 75];
/// The same of a slot, below its upper edge: what stands beside its name, and the values.
pub const SLOT: [i32; 2] = [16, 53];
/// Points that change while nothing else does than levels and numbers.
const MOVING: usize = 1500;
/// The width that pages at the right take at most, pixels.
const PAGES: i32 = 290;

/// A program at a desk, with the chain of a file.
pub struct Standalone<'a> {
    home: &'a Home,
    desk: &'a Desk,
    file: &'a str,
    name: &'a str,
    /// The program.
    pub program: Running,
}

impl<'a> Standalone<'a> {
    /// Starts it with the chain of `file`, heard nowhere, in a window of 1200 to 700.
    pub fn start(home: &'a Home, desk: &'a Desk, file: &'a str) -> Self {
        Self::start_as(home, desk, file, "Catena", |command| {
            command.args(["--backend", "dummy"]);
        })
    }

    /// The same under a name, which is the window's title too; `prepare` may say more.
    pub fn start_as(
        home: &'a Home,
        desk: &'a Desk,
        file: &'a str,
        name: &'a str,
        prepare: impl FnOnce(&mut Command),
    ) -> Self {
        let mut command = home.catena(["--name", name, file]);
        let log = std::fs::File::create(home.path(format!("{name}.log"))).expect("a log");
        command.env("DISPLAY", desk.display()).stdout(Stdio::null()).stderr(log);
        prepare(&mut command);
        let this = Self { home, desk, file, name, program: Running(command.spawn().expect("catena starts")) };
        let window = this.window();
        desk.resize(&window, 1200, 700);
        desk.wait_for("the window's size", || this.window().width == 1200);
        desk.activate(&this.window());
        this.rest();
        this
    }

    /// Its window.
    pub fn window(&self) -> Place {
        self.desk.wait_for_window(self.name)
    }

    /// Waits until the window shows something and its picture stays as it is, but for levels and what blocks cost.
    pub fn rest(&self) {
        let (mut last, mut calm) = (Vec::new(), 0);
        self.desk.wait_for("a picture that rests", || {
            std::thread::sleep(Duration::from_millis(100));
            let place = self.window();
            // A window may reach over the screen's edge.
            let now = self.desk.picture().part(place.x, place.y, place.width, place.height);
            let same = now.len() == last.len() && now.iter().zip(&last).filter(|(a, b)| a != b).count() < MOVING;
            let empty = now.iter().all(|point| *point == now[0]);
            calm = if same && !empty { calm + 1 } else { 0 };
            last = now;
            calm == 2
        });
    }

    /// Upper edges of the slots that are seen.
    pub fn cards(&self) -> Vec<i32> {
        // The editor's own margin lies inside of the window's.
        let window = self.window();
        cards(&self.desk.picture(), &Place { x: window.x + 8, ..window })
    }

    /// The upper edge of a slot, once that is seen.
    pub fn card(&self, slot: usize) -> i32 {
        self.desk.wait_for("the slot", || self.cards().len() > slot);
        self.cards()[slot]
    }

    /// Gives a slot the keys.
    pub fn choose(&self, slot: usize) {
        let top = self.card(slot);
        self.desk.click(self.window().x + 68, top + 14);
    }

    /// Presses keys, and waits for what they do.
    pub fn press(&self, keys: &str) {
        self.desk.press(keys);
        self.rest();
    }

    /// Buttons whose edges lie on a line of the screen: from where to where, from the left.
    fn buttons(&self, y: i32, to: i32) -> Vec<(i32, i32)> {
        let window = self.window();
        self.desk.picture().runs(y, window.x..to, &BUTTON)
    }

    fn click_in_middle(&self, run: (i32, i32), y: i32) {
        self.desk.click((run.0 + run.1) / 2, y);
        self.rest();
    }

    /// Clicks a button of a line above the rack, counted from the left.
    pub fn click_header(&self, line: usize, which: usize) {
        let (window, mut found) = (self.window(), None);
        self.desk.wait_for("a button above the rack", || {
            found = self.buttons(window.y + HEADER[line], window.right()).get(which).copied();
            found.is_some()
        });
        self.click_in_middle(found.expect("just seen"), window.y + HEADER[line] + 8);
    }

    /// Clicks a button of a slot: of the line of its name, or of its values, counted from the right.
    pub fn click_slot(&self, slot: usize, line: usize, which: usize) {
        let (mut found, mut y) = (None, 0);
        self.desk.wait_for("a button of the slot", || {
            y = self.card(slot) + SLOT[line];
            let rack = self.window().right() - PAGES;
            found = self.buttons(y, rack).iter().rev().nth(which).copied();
            found.is_some()
        });
        self.click_in_middle(found.expect("just seen"), y + 8);
    }

    /// How many points of a slot, as high as `height`, have about a colour: strokes of letters are mixed with their ground.
    pub fn points(&self, slot: usize, height: i32, colour: [u8; 3]) -> usize {
        let (window, top) = (self.window(), self.card(slot));
        let near = |point: [u8; 3]| point.iter().zip(colour).all(|(is, wanted)| is.abs_diff(wanted) < 60);
        self.desk.picture().count(window.x, top, window.width - PAGES, height, near)
    }

    /// The plugin's window that lies deepest in ours, on the right, once `drawn` takes it.
    pub fn inside(&self, drawn: impl Fn(&Place) -> bool) -> Place {
        let mut found = None;
        self.desk.wait_for("the plugin's window inside", || {
            let window = self.window();
            let within = |place: &Place| {
                place.window != window.window && place.x > window.x + 300 && place.bottom() <= window.bottom()
            };
            let mut all = self.desk.windows().into_iter().filter(|place| within(place) && place.width > 60);
            found = all.next_back().filter(&drawn);
            found.is_some()
        });
        found.expect("just seen")
    }

    /// Saves until the file's chain is as wanted.
    pub fn save_until_chain(&self, what: &str, wanted: impl Fn(&Chain) -> bool) {
        let path = self.home.path(self.file);
        self.desk.wait_for(what, || {
            self.press("ctrl+s");
            store::read(&path).is_ok_and(|chain| wanted(&chain))
        });
    }

    /// Saves until the file's slot is as wanted.
    pub fn save_until(&self, what: &str, slot: usize, wanted: impl Fn(&Slot) -> bool) {
        let path = self.home.path(self.file);
        self.desk.wait_for(what, || {
            self.choose(slot);
            self.press("ctrl+s");
            store::read(&path).is_ok_and(|chain| chain.slots().nth(slot).is_some_and(&wanted))
        });
    }

    /// Closes the window, and waits until the program ends.
    pub fn close(mut self) {
        self.desk.close(&self.window());
        let program = &mut self.program.0;
        self.desk.wait_for("the end", || program.try_wait().expect("ours").is_some());
        assert!(self.program.0.try_wait().expect("ours").is_some_and(|status| status.success()));
    }
}
