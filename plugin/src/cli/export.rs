//! `catena export`: a chain as a preset of other hosts, as a plugin of its own, or in its other form.

use std::collections::BTreeMap;
use std::path::PathBuf;

use catena::export::{self, ExportError};
use host_core::model::{AsPlugin, Catalog, Chain, ExportTask, ExportTo, MacroId};
use host_core::session::Purpose;
use host_core::store;

use super::args::{AssetsGo, Export, ExportTo as To};
use super::chain::{open_chain, open_session, problems};
use super::{Failure, find, out};

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Usage(text) => Self::usage(text),
            ExportError::Failed(text) => Self::failed(text),
            ExportError::Store(error) => error.into(),
        }
    }
}

/// Makes it.
pub fn run(task: &Export) -> Result<(), Failure> {
    let (chain, lost) = open_chain(&task.chain)?;
    if let Some(first) = lost.first() {
        let cure = match store::misses_files(&chain) {
            true => "put the file back there, or take its slot out, and export then",
            false => "open and save the chain with what is left of it, then export that",
        };
        let text = format!("{first}; {cure}");
        return Err(Failure::failed(text));
    }
    if task.plugin.id.as_deref() == Some("") {
        return Err(Failure::usage("an id is letters, digits and . - _ : / #; without --id one is made of the name"));
    }
    let asked = asked(task);
    let titles = if asked.to == ExportTo::Plugin { titles(&chain)? } else { BTreeMap::new() };
    let made = export::run(&asked, &chain, Some(&task.chain), &titles)?;
    made.paths.iter().try_for_each(|path| out::say(path.display()))?;
    made.notes.iter().for_each(out::note);
    Ok(())
}

/// What the arguments say.
fn asked(task: &Export) -> ExportTask {
    let own = &task.plugin;
    ExportTask {
        to: match task.to {
            To::Lv2Preset => ExportTo::Lv2Preset,
            To::ClapPreset => ExportTo::ClapPreset,
            To::Vstpreset => ExportTo::Vst3Preset,
            To::Plugin => ExportTo::Plugin,
            To::Pack => ExportTo::Pack,
            To::Unpack => ExportTo::Unpack,
        },
        out: task.out.clone(),
        name: task.name.clone().unwrap_or_default(),
        replace: task.force,
        beside: task.assets == AssetsGo::Beside,
        plugin: AsPlugin {
            id: own.id.clone().unwrap_or_default(),
            maker: own.maker.clone(),
            category: own.category,
            shape: own.shape.map(Into::into),
            with_engine: own.with_engine,
            new_ports: own.new_ports,
            plain: own.plain,
        },
    }
}

/// Says what was made, and what makes hosts of `format` see it.
pub(super) fn told(paths: &[PathBuf], format: &str) -> Result<(), Failure> {
    paths.iter().try_for_each(|path| out::say(path.display()))?;
    export::appears(format).into_iter().for_each(out::note);
    Ok(())
}

/// What the session calls the mapped macros.
fn titles(chain: &Chain) -> Result<BTreeMap<MacroId, String>, Failure> {
    // An empty chain needs no plugins, so nothing is scanned for it.
    let catalog = if chain.slots().next().is_none() { Catalog::default() } else { find::catalog()? };
    let (session, _processor) = open_session(Purpose::Offline, 2, 0, catalog)?;
    let wrong = problems(&session.load_chain(chain.clone())?);
    session.settle();
    for problem in &wrong {
        out::note(format_args!("note: {problem}"));
    }
    Ok(export::titles(&session.snapshot()))
}
