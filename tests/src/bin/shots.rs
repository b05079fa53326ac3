//! Pictures of the program's window with real plugins, for the README: `shots FOLDER` writes them as PPM. Run by `cargo xtask shots`.
//!
//! It plays a beat of its own to the chain through a JACK server of its own, so that meters move. `shots play` is that player, in a
//! process of its own because the library chooses its server by the environment.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use catena_tests::cli::Home;
use catena_tests::desk::{Desk, Place};
use catena_tests::fresh::{Outcome, ended};
use catena_tests::rig::Noise;
use catena_tests::running::{Running, jack_server};
use host_core::store;
use jack::contrib::ClosureProcessHandler;
use jack::{AudioOut, Client, ClientOptions, Control, ProcessScope};

const SERVER: &str = "catena-shots";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["play"] => player(),
        [folder] => shots(Path::new(folder)),
        _ => Err("shots FOLDER".into()),
    };
    ended("shots", done)
}

/// Plays a beat into Catena until it is ended.
fn player() -> Outcome<()> {
    let (client, _) = Client::new("beat", ClientOptions::NO_START_SERVER)?;
    let mut out = client.register_port("out", AudioOut::default())?;
    let (mut frame, noise) = (0usize, Noise::new(1).signal(1, 48_000));
    let process = move |_: &Client, scope: &ProcessScope| {
        for sample in out.as_mut_slice(scope) {
            let (beat, off) = (frame % 24_000, (frame + 12_000) % 24_000);
            let fade = |at: usize, length: f32| (-(at as f32) / length).exp();
            let kick = (beat as f32 * 0.0072).sin() * fade(beat, 5000.0);
            let snare = noise[0][frame % 48_000] * fade(off, 2500.0);
            *sample = 0.35 * kick + 0.16 * snare;
            frame += 1;
        }
        Control::Continue
    };
    let running = client.activate_async((), ClosureProcessHandler::new(process))?;
    loop {
        for port in ["Catena:in_1", "Catena:in_2"] {
            let _not_there_or_connected = running.as_client().connect_ports_by_name("beat:out", port);
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// What a picture shows.
struct Shot<'a> {
    name: &'a str,
    theme: &'a str,
    scale: f64,
    /// The slot that is chosen, and how its page is shown: by its parameters where true.
    slot: Option<(usize, bool)>,
    /// The page that is opened, from the left.
    page: Option<usize>,
}

const SHOTS: [Shot; 6] = [
    Shot { name: "rack", theme: "dark", scale: 1.0, slot: None, page: None },
    Shot { name: "window", theme: "dark", scale: 1.0, slot: Some((1, false)), page: None },
    Shot { name: "parameters", theme: "light", scale: 2.0, slot: Some((3, true)), page: None },
    Shot { name: "presets", theme: "dark", scale: 1.0, slot: Some((3, true)), page: Some(2) },
    Shot { name: "library", theme: "light", scale: 1.0, slot: None, page: Some(3) },
    Shot { name: "settings", theme: "dark", scale: 1.0, slot: None, page: Some(4) },
];

fn shots(folder: &Path) -> Outcome<()> {
    let (home, desk) = (Home::new(), Desk::of_size("2500x1600"));
    let lv2 = |command: &mut Command| {
        command.env("LV2_PATH", "/usr/lib/lv2");
    };
    let catena = |args: &[&str]| {
        let mut command = home.catena(args);
        lv2(&mut command);
        command.stdout(Stdio::null()).status().map(|status| assert!(status.success(), "catena {args:?}"))
    };
    catena(&["scan"])?;
    let slots = ["ZamGate", "ZamEQ2", "ZamCompX2", "MVerb", "ZaMaximX2"];
    catena(&[&["new", "Drum Room.catena"], &slots[..]].concat())?;
    catena(&["edit", "Drum Room.catena", "parallel", "3"])?;
    catena(&["edit", "Drum Room.catena", "move", "MVerb", "1", "--into", "3.2"])?;
    catena(&["edit", "Drum Room.catena", "lane", "3.1", "name", "Punch"])?;
    catena(&["edit", "Drum Room.catena", "lane", "3.2", "name", "Room"])?;
    library(&home)?;
    let environment = |command: &mut Command| {
        command.env("HOME", home.path(""));
    };
    let _server = jack_server(SERVER, &home.path("jack.log"), environment);
    let mut play = home.command(std::env::current_exe()?);
    play.arg("play").env("JACK_DEFAULT_SERVER", SERVER).stdout(Stdio::null()).stderr(Stdio::null());
    let _player = Running(play.spawn()?);
    for shot in &SHOTS {
        take(shot, &home, &desk, folder)?;
        println!("{}", shot.name);
    }
    Ok(())
}

/// The chains that come with Catena, for the page that lists them.
fn library(home: &Home) -> Outcome<()> {
    let to = home.path("data/catena/factory");
    std::fs::create_dir_all(&to)?;
    for chain in std::fs::read_dir(catena_tests::built::workspace().join("bundles"))? {
        let chain = chain?.path();
        if let Some(name) = chain.file_name().filter(|_| chain.extension().is_some_and(|end| end == "d")) {
            std::os::unix::fs::symlink(&chain, to.join(name))?;
        }
    }
    Ok(())
}

fn take(shot: &Shot<'_>, home: &Home, desk: &Desk, folder: &Path) -> Outcome<()> {
    // What the picture before left unsaved would be told of in a line of its own.
    match std::fs::remove_dir_all(home.path("state")) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    let settings = home.path("config/catena/settings.json");
    std::fs::create_dir_all(home.path("config/catena"))?;
    let scale = if shot.scale > 1.0 { shot.scale.to_string() } else { "null".into() };
    std::fs::write(settings, format!(r#"{{ "version": 1, "theme": "{}", "scale": {scale} }}"#, shot.theme))?;
    let file = home.path("Drum Room.catena");
    let mut chain = store::read(&file)?;
    let ids: Vec<_> = chain.slots().map(|slot| slot.id).collect();
    for (number, id) in ids.into_iter().enumerate() {
        let Some(slot) = chain.slot_mut(id) else { continue };
        slot.window.inside = shot.slot.is_some_and(|(shown, _)| shown == number);
        slot.window.parameters = shot.slot.is_some_and(|(_, parameters)| parameters);
    }
    std::fs::write(&file, store::pack(&chain)?)?;
    let mut command = home.catena(["--backend", "jack", "Drum Room.catena"]);
    command.env("LV2_PATH", "/usr/lib/lv2").env("DISPLAY", desk.display()).env("JACK_DEFAULT_SERVER", SERVER);
    let _catena = Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?);
    let window = || desk.wait_for_window("Catena");
    let (width, height) = ((1200.0 * shot.scale) as i32, (700.0 * shot.scale) as i32);
    // A size of the user's own comes with the first picture, and with it another size of the window.
    desk.wait_for("the window's size", || {
        let fits = window().width == width;
        if !fits {
            desk.resize(&window(), width, height);
        }
        fits
    });
    desk.activate(&window());
    desk.move_to(&window(), 20, 20);
    let lit = |place: &Place| {
        let part = desk.picture().part(place.x, place.y, place.width, place.height);
        part.into_iter().collect::<std::collections::BTreeSet<_>>().len()
    };
    desk.wait_for("the window's picture", || lit(&window()) > 60);
    if shot.slot == Some((1, false)) {
        desk.wait_for("the plugin's own window", || lit(&window()) > 2000);
    }
    if let Some(page) = shot.page {
        let tab = || tabs(desk, &window(), shot.scale).get(page).copied();
        desk.wait_for("the tabs", || tab().is_some());
        let (x, y) = tab().ok_or("no tab")?;
        desk.click(x, y);
        desk.point(window().x + 4, window().bottom() - 8);
    }
    // Meters never rest: some beats, in which everything else has found its place.
    std::thread::sleep(Duration::from_secs(4));
    desk.picture_of(&window()).save(&folder.join(format!("{}.ppm", shot.name)));
    Ok(())
}

/// The middles of the tabs' words: what stands in the topmost line right of the rack, word by word.
fn tabs(desk: &Desk, window: &Place, scale: f64) -> Vec<(i32, i32)> {
    let points = |points: f64| (points * scale) as i32;
    let picture = desk.picture();
    let y = window.y + points(126.0);
    // The line between rack and page goes all the way down.
    let below = window.y + window.height - points(60.0);
    let ground = picture.at(window.right() - points(4.0), below);
    let edge = (window.x + window.width / 4..window.right() - points(100.0)).rev().find(|x| {
        (0..20).all(|step| picture.at(*x, below - step * points(8.0)) != ground) && picture.at(x + 1, below) == ground
    });
    let Some(edge) = edge else { return Vec::new() };
    let inked = |x: &i32| (y - points(5.0)..y + points(6.0)).any(|y| picture.at(*x, y) != ground);
    let (mut words, mut last): (Vec<(i32, i32)>, i32) = (Vec::new(), -100);
    for x in (edge + points(4.0)..window.right() - points(2.0)).filter(inked) {
        match words.last_mut().filter(|_| x - last < points(6.0)) {
            Some(word) => word.1 = x,
            None => words.push((x, x)),
        }
        last = x;
    }
    words.into_iter().map(|(from, to)| ((from + to) / 2, y)).collect()
}
