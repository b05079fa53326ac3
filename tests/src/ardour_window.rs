//! Ardour's real window, on a [`Desk`]: a session in it, the strip of its track `chain`, and the plugin's editor.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use host_core::model::Chain;

use crate::ardour::Ardour;
use crate::desk::{Desk, Picture, Place};
use crate::running::Running;

/// No dialog at the first start, the sound server that needs no hardware, nothing asked of the network.
const CONFIG: &str = include_str!("../daw/ardour.config");
/// The strip beside the tracks, pixels of Ardour's window.
const STRIP: (i32, i32) = (120, 600);
/// The clock that tells bars and beats, pixels of Ardour's window: left, top, width, height.
const CLOCK: (i32, i32, i32, i32) = (500, 32, 150, 22);
/// A point of the first track's first region, pixels of Ardour's window, and how high a track is.
const REGION: (i32, i32) = (345, 372);
const TRACK: i32 = 68;
/// After this a click is tried again.
const AGAIN: Duration = Duration::from_secs(3);
/// After this a double click is: a second one hides what a late first one has opened.
const OPEN_AGAIN: Duration = Duration::from_secs(15);
/// Size of the plugin's bar that Ardour puts above an editor, pixels at most.
const BAR: i32 = 60;

/// An Ardour whose session is open in its window.
pub struct ArdourWindow<'a> {
    desk: &'a Desk,
    ardour: &'a Ardour,
    running: Running,
    log: PathBuf,
}

impl<'a> ArdourWindow<'a> {
    /// Opens the session of `ardour` on `desk`.
    pub fn open(ardour: &'a Ardour, desk: &'a Desk) -> Self {
        let settings = ardour.settings();
        std::fs::write(settings.join(".a7"), "").expect("a file");
        std::fs::write(settings.join("config"), CONFIG).expect("a file");
        select_track(&ardour.session());
        let log = ardour.session().join("window.log");
        let out = || Stdio::from(std::fs::File::create(&log).expect("a log"));
        let mut command = ardour.command(Path::new("ardour"));
        command.args(["--no-announcements", "--no-splash"]).arg(ardour.session().join("s.ardour"));
        command.env("DISPLAY", desk.display()).stdin(Stdio::null()).stdout(out()).stderr(out());
        let running = Running(command.spawn().expect("Ardour is installed"));
        let mut window = Self { desk, ardour, running, log };
        desk.wait_for_window("s - Ardour");
        window.wait_for("the plugin in the strip", |window| window.entry().is_some());
        window
    }

    /// Waits until `done`; says what Ardour said where it ends before.
    pub fn wait_for(&mut self, what: &str, mut done: impl FnMut(&Self) -> bool) {
        let desk = self.desk;
        desk.wait_for(what, || {
            assert!(self.lives(), "Ardour ended: {}", std::fs::read_to_string(&self.log).unwrap_or_default());
            done(self)
        });
    }

    /// Whether Ardour still runs.
    pub fn lives(&mut self) -> bool {
        matches!(self.running.0.try_wait(), Ok(None))
    }

    /// How many threads Ardour has.
    pub fn threads(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/task", self.running.0.id())).expect("Ardour runs").count()
    }

    /// How many descriptors Ardour has open.
    pub fn descriptors(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.running.0.id())).expect("Ardour runs").count()
    }

    /// Ardour's own window.
    pub fn main(&self) -> Place {
        self.desk.wait_for_window("s - Ardour")
    }

    /// Where the strip shows the plugin: the first line in the red of what stands before the fader.
    fn entry(&self) -> Option<(i32, i32)> {
        let (main, picture) = (self.desk.find("s - Ardour")?, self.desk.picture());
        let red = |[r, g, b]: [u8; 3]| r > 0x50 && i32::from(r) > i32::from(g) + 0x2c && g.abs_diff(b) < 0x10;
        let lines = main.y + 120..main.y + STRIP.1;
        let mut lines = lines.filter(|y| picture.count(main.x, *y, STRIP.0, 1, red) > 70);
        lines.next().map(|y| (main.x + 60, y + 8))
    }

    /// Clicks on the plugin in the strip, which selects it there.
    pub fn select_plugin(&mut self) {
        self.wait_for("the plugin in the strip", |window| window.entry().is_some());
        let (x, y) = self.entry().expect("just seen");
        self.desk.click(x, y);
    }

    /// Opens the plugin's editor with a double click. Answers the place of Catena's own window in it.
    pub fn open_editor(&mut self) -> Place {
        let main = self.main();
        self.desk.activate(&main);
        // Where Ardour is busy it may take two clicks for two single ones.
        let mut clicked: Option<Instant> = None;
        self.wait_for("the editor's frame", |window| {
            if clicked.is_none_or(|at| at.elapsed() > OPEN_AGAIN)
                && let Some((x, y)) = window.entry()
            {
                window.desk.double_click(x, y);
                clicked = Some(Instant::now());
            }
            window.frame().is_some()
        });
        // Beside the strip, which is to be clicked again.
        let frame = self.frame().expect("just seen");
        self.desk.move_to(&frame, self.main().x + 200, self.main().y + 60);
        self.wait_for("the editor", |window| window.editor().is_some_and(|editor| editor.x > window.main().x + 190));
        let editor = self.editor().expect("just seen");
        // Where nothing is: Ardour's hint about the strip would lie over the editor.
        self.desk.point(editor.x + 250, editor.bottom() - 30);
        editor
    }

    /// The window that Ardour puts round the editor.
    pub fn frame(&self) -> Option<Place> {
        self.desk.find("chain: Catena")
    }

    /// Catena's own window in the frame.
    pub fn editor(&self) -> Option<Place> {
        let frame = self.frame()?;
        let inside = |place: &Place| {
            place.window != frame.window
                && place.x == frame.x
                && (frame.y..frame.y + BAR).contains(&place.y)
                && place.name == "Catena"
        };
        self.desk.windows().into_iter().find(inside)
    }

    /// Waits until the clock of Ardour's window moves, or stands.
    pub fn wait_for_roll(&mut self, rolls: bool) {
        let main = self.main();
        let clock = || self.desk.picture().part(main.x + CLOCK.0, main.y + CLOCK.1, CLOCK.2, CLOCK.3);
        let mut last = clock();
        let what = if rolls { "the song to roll" } else { "the song to stand" };
        self.desk.wait_for(what, || {
            std::thread::sleep(Duration::from_millis(400));
            let now = clock();
            (std::mem::replace(&mut last, now.clone()) != now) == rolls
        });
    }

    /// Closes the editor as its frame's corner does, and waits until it is gone.
    pub fn close_editor(&mut self) {
        let frame = self.frame().expect("an open editor");
        self.desk.close(&frame);
        self.wait_for("the editor to close", |window| window.frame().is_none() && window.desk.find("Catena").is_none());
    }

    /// Clicks on a point of Catena's window until what the click is to do is seen.
    pub fn click_until(&mut self, what: &str, at: impl Fn(&Self) -> (i32, i32), seen: impl Fn(&Self) -> bool) {
        let editor = self.editor().expect("an open editor");
        let mut clicked: Option<Instant> = None;
        self.wait_for(what, |window| {
            if clicked.is_none_or(|at| at.elapsed() > AGAIN) && !seen(window) {
                window.desk.wait_until_still(&editor);
                let (x, y) = at(window);
                window.desk.click(x, y);
                clicked = Some(Instant::now());
            }
            seen(window)
        });
    }

    /// Takes the plugin out of the track, as with the keys of Ardour's window.
    pub fn remove_plugin(&mut self) {
        let main = self.main();
        self.desk.activate(&main);
        self.select_plugin();
        self.desk.press("Delete");
        self.wait_for("the plugin to leave the strip", |window| window.entry().is_none());
    }

    /// Has the session saved, by the keys of its window, until `wanted` takes the plugin's chain.
    pub fn save_until(&mut self, what: &str, mut wanted: impl FnMut(&Chain) -> bool) {
        self.save_until_file(what, |window, _| wanted(&window.ardour.chain("chain")));
    }

    /// Has the session saved until there is no Catena in it.
    pub fn save_until_without(&mut self, what: &str) {
        self.save_until_file(what, |_, text| !text.contains(r#"name="Catena""#));
    }

    /// Has the session saved until each of these tracks has so many regions.
    pub fn save_until_regions(&mut self, what: &str, wanted: &[(&str, usize)]) {
        self.save_until_file(what, |_, text| wanted.iter().all(|(track, count)| regions(text, track) == *count));
    }

    /// Selects the first region of a track: the `place`th below the master's, which begins at the song's start.
    pub fn select_region(&mut self, place: i32) {
        let main = self.main();
        self.desk.activate(&main);
        self.desk.wait_until_still(&main);
        self.desk.click(main.x + REGION.0, main.y + REGION.1 + place * TRACK);
    }

    fn save_until_file(&mut self, what: &str, mut wanted: impl FnMut(&Self, &str) -> bool) {
        let main = self.main();
        let file = self.ardour.session().join("s.ardour");
        self.wait_for(what, |window| {
            window.desk.activate(&main);
            window.desk.press("ctrl+s");
            std::thread::sleep(Duration::from_millis(300));
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            text.trim_end().ends_with("</Session>") && wanted(window, &text)
        });
    }
}

/// How many regions the playlist of `track` holds in a session's text.
fn regions(text: &str, track: &str) -> usize {
    let Some(at) = text.find("<Playlists>") else { return 0 };
    let playlists = text[at..].split("<Playlist ").skip(1);
    let own = playlists.filter(|playlist| {
        let tag = playlist.split('>').next().unwrap_or_default();
        tag.contains(&format!(r#" name="{track}""#)) && !tag.ends_with('/')
    });
    own.filter_map(|own| own.split("</Playlist>").next()).map(|own| own.matches("<Region ").count()).sum()
}

/// Has Ardour show the strip of the track `chain` at its start.
fn select_track(session: &Path) {
    let file = session.join("s.ardour");
    let text = std::fs::read_to_string(&file).expect("the session");
    let name = text.find(r#"name="chain""#).expect("the track");
    let id = text[..name].rfind(r#" id=""#).expect("its number") + r#" id=""#.len();
    let id = &text[id..id + text[id..].find('"').expect("its end")];
    let selection =
        format!(r#"<Selection><StripableAutomationControl stripable="{id}" control="0" order="0"/></Selection>"#);
    std::fs::write(&file, text.replacen("<Selection/>", &selection, 1)).expect("the session");
    std::fs::write(session.join("instant.xml"), include_str!("../daw/instant.xml")).expect("a file");
}

/// Upper edges of the slots that an editor shows, by the colour of their ground.
pub fn cards(picture: &Picture, editor: &Place) -> Vec<i32> {
    const CARD: [u8; 3] = [0x26, 0x29, 0x30];
    let card = |y: &i32| picture.at(editor.x + 14, *y) == CARD && picture.at(editor.x + 14, *y - 1) != CARD;
    (editor.y + 40..editor.y + editor.height).filter(card).collect()
}
