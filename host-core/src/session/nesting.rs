//! A chain that is a plugin of its own must not be in itself, however deep: it would be opened without end. All `[home]`.

use std::cell::RefCell;

use super::owner::Owner;
use crate::model::PluginId;

thread_local! {
    /// Ids of the exported chains that have a slot being opened at this moment, outer ones first.
    static OPENING: RefCell<Vec<PluginId>> = const { RefCell::new(Vec::new()) };
}

/// Notes, while it lives, that a chain opens a slot.
pub(super) struct Opening(usize);

impl Opening {
    fn of(own: &[PluginId]) -> Self {
        OPENING.with_borrow_mut(|opening| {
            opening.extend_from_slice(own);
            Self(own.len())
        })
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        OPENING.with_borrow_mut(|opening| opening.truncate(opening.len().saturating_sub(self.0)));
    }
}

impl Owner {
    /// Begins to open a slot with `plugin`; why not, where this chain is that plugin or lies in it.
    pub(super) fn enter(&self, plugin: &PluginId) -> Result<Opening, String> {
        let inside = OPENING.with_borrow(|opening| opening.contains(plugin)) || self.own.contains(plugin);
        match inside {
            true => Err(format!("{plugin} holds this chain: a plugin that is made of a chain cannot be in itself")),
            false => Ok(Opening::of(&self.own)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_being_opened_is_forgotten_when_it_is_open() {
        let ids = [PluginId::clap("a"), PluginId::lv2("urn:a")];
        let outer = Opening::of(&ids);
        let inner = Opening::of(&[PluginId::clap("b")]);
        drop(inner);
        OPENING.with_borrow(|opening| assert_eq!(*opening, ids));
        drop(outer);
        OPENING.with_borrow(|opening| assert!(opening.is_empty()));
    }
}
