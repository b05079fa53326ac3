//! The command line: what can be typed, and what an ending means (0 done, 1 failed, 2 wrong use).

mod args;
mod audio;
mod aux;
mod chain;
mod clipboard;
mod doctor;
mod edit;
mod export;
mod failure;
mod find;
mod import;
mod info;
mod lanes;
mod library;
mod list;
pub mod log;
mod macros;
mod matching;
mod midi;
mod needs;
mod numbers;
mod out;
mod presets;
mod progress;
mod qualify;
mod recover;
mod render;
mod scan;
mod show;
mod sidechain;
mod song;
mod strip;
mod turtle;

use std::process::ExitCode;

use clap::Parser;

pub use args::{Backend, Connect, Play};
use args::{Catena, Task};
pub use chain::{open_chain, open_session, problems, write_chain};
pub use failure::Failure;
pub use find::{catalog, near};
pub use out::{complain, note};
pub use progress::Progress;
pub use song::{Pace, Signature, TEMPO_RANGE};

/// Runs what was asked for and says how it ended.
pub fn main() -> ExitCode {
    // Before any thread is made, so that all inherit it: an over-long file is then an error to report, and an
    // end asked for by the terminal reaches the one place that waits for it.
    crate::standalone::signals::block_file_limit();
    let asked = match Catena::try_parse() {
        Ok(asked) => asked,
        Err(error) if error.use_stderr() => {
            let _nobody_reads = error.print();
            return ExitCode::from(2);
        }
        // Help and version go to standard output and are no mistake.
        Err(error) => return end(out::check(error.print())),
    };
    log::start();
    end(std::panic::catch_unwind(|| run(asked)).unwrap_or_else(|_| {
        let text = "an error in Catena itself; please report it with the output of: catena doctor --report";
        Err(Failure::failed(text))
    }))
}

/// Says what failed, if anything did, and how the program ends.
fn end(done: Result<(), Failure>) -> ExitCode {
    log::plugins_said();
    let Err(failure) = done else { return ExitCode::SUCCESS };
    if let Some(text) = failure.text() {
        log::line(log::Level::Error, text);
        out::complain(text);
    }
    ExitCode::from(failure.code())
}

fn run(asked: Catena) -> Result<(), Failure> {
    match asked.task {
        None => crate::standalone::run(&asked.play),
        Some(Task::Scan(task)) => scan::run(&task),
        Some(Task::List(task)) => list::run(&task),
        Some(Task::Info(task)) => info::run(&task),
        Some(Task::Qualify(task)) => qualify::run(&task),
        Some(Task::New(task)) => edit::new(&task),
        Some(Task::Edit(task)) => edit::run(&task),
        Some(Task::Show(task)) => show::run(&task),
        Some(Task::Needs(task)) => needs::run(&task),
        Some(Task::Render(task)) => render::run(&task),
        Some(Task::Export(task)) => export::run(&task),
        Some(Task::Import(task)) => import::run(&task),
        Some(Task::Library(task)) => library::run(&task),
        Some(Task::Presets(task)) => presets::run(&task),
        Some(Task::Copy(task)) => clipboard::copy(&task),
        Some(Task::Paste(task)) => clipboard::paste(&task),
        Some(Task::Recover(task)) => recover::run(&task),
        Some(Task::Doctor(task)) => doctor::run(&task),
        Some(Task::Lv2Turtle(task)) => turtle::run(&task),
    }
}
