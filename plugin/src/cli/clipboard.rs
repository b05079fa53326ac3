//! `catena copy` and `catena paste`: slots and chains as text.

use std::io::{ErrorKind, IsTerminal, Read};

use host_core::model::{Chain, Node};
use host_core::store::clipboard::{self, ClipError, LONGEST};

use super::args::{Copy, Paste};
use super::chain::{open_chain, read_chain, write_chain};
use super::{Failure, edit, lanes, out};

impl From<ClipError> for Failure {
    fn from(error: ClipError) -> Self {
        Self::failed(error.to_string())
    }
}

/// Prints slots or a chain.
pub fn copy(task: &Copy) -> Result<(), Failure> {
    let (chain, lost) = open_chain(&task.chain)?;
    if let Some(first) = lost.into_iter().next() {
        return Err(Failure::failed(format!("{first}; what is not whole is not copied")));
    }
    if task.slots.is_empty() {
        if chain.nodes.is_empty() {
            return Err(Failure::failed(format!("{}: there is nothing in it to copy", task.chain.display())));
        }
        return out::say(clipboard::to_text(&chain)?.trim_end());
    }
    let ids = task.slots.iter().map(|text| edit::node_id(&chain, text)).collect::<Result<Vec<_>, _>>()?;
    let nodes = chain.copies(&ids);
    let macros = chain.macros_of(&nodes);
    out::say(clipboard::to_text(&Chain { schema: chain.schema, nodes, macros, ..Chain::default() })?.trim_end())
}

/// Puts what standard input holds into a chain.
pub fn paste(task: &Paste) -> Result<(), Failure> {
    let pasted = clipboard::from_text(&input()?)?;
    let mut chain = match std::fs::symlink_metadata(&task.chain) {
        Err(error) if error.kind() == ErrorKind::NotFound && task.at.is_none() && task.into.is_none() => {
            write_chain(&task.chain, &pasted)?;
            return told(&pasted.nodes, task);
        }
        _ => read_chain(&task.chain)?,
    };
    let into = task.into.as_deref().map(|text| lanes::lane(&chain, text)).transpose()?;
    let places = chain.list(into).map_or(0, Vec::len);
    let index = task.at.map_or(Ok(places), |at| edit::place(at, places + 1))?;
    let placed = chain.put_copies_with(into, index, &pasted.nodes, &pasted.macros);
    let placed = placed.map_err(|error| Failure::failed(host_core::session::EditError::from(error).to_string()))?;
    if !placed.left.is_empty() {
        out::note(format_args!("note: there is no free macro for {}", placed.left.join(", ")));
    }
    write_chain(&task.chain, &chain)?;
    told(&pasted.nodes, task)
}

fn told(nodes: &[Node], task: &Paste) -> Result<(), Failure> {
    let slots: Vec<_> = host_core::model::lanes::slots(nodes).into_iter().map(|slot| slot.title().to_owned()).collect();
    out::note(format_args!("Pasted into {}: {}", task.chain.display(), slots.join(", ")));
    Ok(())
}

fn input() -> Result<String, Failure> {
    let mut input = std::io::stdin().lock();
    if input.is_terminal() {
        out::note("Paste the text here, then press Ctrl+D.");
    }
    let mut text = Vec::new();
    let read = input.by_ref().take(LONGEST as u64 + 1).read_to_end(&mut text);
    read.map_err(|error| Failure::failed(format!("standard input cannot be read: {error}")))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
