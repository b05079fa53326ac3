//! `cargo xtask demo`: from a fresh machine to a rendered file and a picture of it.

mod picture;
mod sound;

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::run::{root, spelled, step, target};
use crate::setup::{self, Need};
use crate::{bundle, run::on_path};

/// The factory chain that the demo plays through.
const CHAIN: &str = "bundles/Demo Bus.catena.d";

/// What `catena render --json` says, as far as it is shown here.
#[derive(Deserialize)]
struct Report {
    rate: f64,
    block: u32,
    latency: u32,
    slots: Vec<Slot>,
}

#[derive(Deserialize)]
struct Slot {
    title: String,
    plugin: String,
    latency: u32,
    nanoseconds_per_block: f64,
    problem: Option<String>,
}

/// Sets up, builds, scans, renders and shows what came of it.
pub fn run(yes: bool) -> Result<()> {
    setup::run(Need::Demo, yes)?;
    let bundle = bundle::run(&bundle::Options::release())?;
    let catena = bundle.join("catena");
    step(Command::new(&catena).arg("scan"))?;
    let folder = target().join("demo");
    std::fs::create_dir_all(&folder).with_context(|| format!("{}", folder.display()))?;
    let (input, output, image) = (folder.join("in.wav"), folder.join("out.wav"), folder.join("demo.png"));
    sound::write(&input)?;
    let report = render(&catena, &input, &output)?;
    let (before, after) = (sound::read(&input)?, sound::read(&output)?);
    picture::write(&image, &before, &after)?;
    show(&report, &before, &after);
    println!("\nInput    {}", input.display());
    println!("Result   {}", output.display());
    println!("Picture  {}", image.display());
    if let Some(player) = ["pw-play", "paplay", "aplay", "play"].into_iter().find(|name| on_path(name)) {
        println!("Listen   {player} '{}'", output.display());
    }
    println!("Editor   '{}' '{}'", catena.display(), root().join(CHAIN).display());
    Ok(())
}

fn render(catena: &Path, input: &Path, output: &Path) -> Result<Report> {
    let mut command = Command::new(catena);
    command.arg("render").args([input, output]).arg("--chain").arg(root().join(CHAIN));
    command.args(["--compensate", "--bits", "24", "--json"]).stderr(Stdio::inherit());
    let said = spelled(&command);
    eprintln!("+ {said}");
    let done = command.output().with_context(|| format!("{said}: cannot be started"))?;
    if !done.status.success() {
        bail!("{said}: {}", done.status);
    }
    let report: Report = serde_json::from_slice(&done.stdout).with_context(|| format!("{said}: its report"))?;
    match report.slots.iter().find_map(|slot| Some((slot, slot.problem.as_ref()?))) {
        Some((slot, problem)) => bail!("{}: {problem}", slot.title),
        None => Ok(report),
    }
}

fn show(report: &Report, before: &sound::Sound, after: &sound::Sound) {
    let ms = |frames: u32| f64::from(frames) / report.rate * 1000.0;
    let width = report.slots.iter().map(|slot| slot.title.chars().count()).max().unwrap_or(0).max(8) + 2;
    println!("\n{:<4}{:<width$}{:<22}{:<18}plugin", "", "slot", "latency", "time per block");
    for (number, slot) in (1..).zip(&report.slots) {
        let latency = format!("{} samples ({:.1} ms)", slot.latency, ms(slot.latency));
        let time = format!("{:.1} us", slot.nanoseconds_per_block / 1000.0);
        println!("{number:<4}{:<width$}{latency:<22}{time:<18}{}", slot.title, slot.plugin);
    }
    let total: f64 = report.slots.iter().map(|slot| slot.nanoseconds_per_block).sum();
    println!(
        "\nWhole chain: latency {} samples ({:.1} ms), taken out of the result; {:.1} us per block of {} frames ({:.2} % of its time)",
        report.latency,
        ms(report.latency),
        total / 1000.0,
        report.block,
        total / 1e9 / (f64::from(report.block) / report.rate) * 100.0
    );
    println!("Level: {} in, {} out", before.level(), after.level());
}
