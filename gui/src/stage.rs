//! What stands beside the rack: one page of several, chosen by a tab.
//!
//! A page is a struct with what it remembers between frames, a function that draws it, and an entry in [`Page`].

use std::sync::Arc;

use egui::{Button, Key, Modifiers, Role, Ui, WidgetInfo};
use host_core::model::{Catalog, Desk, SlotId};
use host_core::session::Snapshot;

use crate::browser::{Browser, Wish};
use crate::host::Host;
use crate::inside::Inside;
use crate::library::Library;
use crate::outline::Outline;
use crate::plugin_page::PluginPage;
use crate::presets::Presets;
use crate::rack;
use crate::settings::SettingsPage;

/// The pages, in the order of their tabs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Page {
    /// The plugins of this machine.
    #[default]
    Find,
    /// The selected slot.
    Plugin,
    /// The presets of its plugin.
    Presets,
    /// The chains of this computer.
    Library,
    /// Of this chain and this computer.
    Settings,
}

impl Page {
    /// All of them.
    const ALL: [Self; 5] = [Self::Find, Self::Plugin, Self::Presets, Self::Library, Self::Settings];

    /// A tab's text, and what it tells of itself.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Find => (text!("stage-find"), text!("stage-all-plugins-of-this-computer-ctrl")),
            Self::Plugin => (text!("stage-plugin"), text!("stage-the-selected-slots-own-window-or")),
            Self::Presets => (text!("stage-presets"), text!("stage-the-presets-of-the-selected-slots")),
            Self::Library => (text!("stage-library"), text!("stage-chains-that-are-kept-on-this")),
            Self::Settings => (text!("stage-settings"), text!("stage-latency-look-meters-and-folders")),
        }
    }
}

/// What every page is shown of the chain.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub snapshot: &'a Snapshot,
    pub outline: &'a Outline<'a>,
    pub catalog: &'a Arc<Catalog>,
    pub desk: &'a Desk,
    /// What the rack has chosen.
    pub selected: Option<SlotId>,
}

/// The pages and which one is shown.
#[derive(Default)]
pub(crate) struct Stage {
    page: Page,
    browser: Browser,
    plugin: PluginPage,
    presets: Presets,
    library: Library,
    settings: SettingsPage,
}

impl Stage {
    /// Shows `page` from now on.
    pub fn show(&mut self, page: Page) {
        self.page = page;
    }

    /// The page that is shown.
    pub fn page(&self) -> Page {
        self.page
    }

    /// The slot that the page of plugins showed, and whether its parameters were wanted rather than its window.
    pub fn shown(&self) -> Option<(SlotId, bool)> {
        self.plugin.shown()
    }

    /// Room for that slot's window.
    pub fn inside(&self) -> Option<&Inside> {
        self.plugin.inside()
    }

    /// Shows the plugins, with the keys in the search field.
    pub fn find(&mut self, wish: Wish) {
        self.show(Page::Find);
        self.browser.wants_keys(wish);
    }

    /// Draws the tabs and the page.
    pub fn ui(&mut self, ui: &mut Ui, seen: Seen<'_>, host: &dyn Host) {
        let room = ui.max_rect();
        if ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::F)) {
            self.find(Wish::Add);
        }
        let dropped = ui.input(|input| input.raw.dropped_files.first().map(|file| file.path().to_path_buf()));
        if let Some(path) = dropped {
            self.show(Page::Library);
            self.library.open(path, host);
        }
        self.tabs(ui);
        if self.page != Page::Plugin {
            self.plugin.rest();
        }
        match self.page {
            Page::Find => self.browser.ui(ui, seen, host),
            Page::Plugin => self.plugin.ui(ui, seen, host),
            Page::Presets => self.presets.ui(ui, seen, host),
            Page::Library => self.library.ui(ui, seen, host),
            Page::Settings => self.settings.ui(ui, seen, host),
        }
        // What is meant for a control here is never done in the DAW's session.
        if rack::focus_in(ui, room).is_some() {
            rack::keep_edits(ui, host);
        }
    }

    fn tabs(&mut self, ui: &mut Ui) {
        ui.horizontal_wrapped(|ui| {
            // All of them in one line of the narrowest window.
            ui.spacing_mut().item_spacing.x = 1.0;
            ui.spacing_mut().button_padding.x = 4.0;
            for page in Page::ALL {
                let (text, help) = page.words();
                let shown = self.page == page;
                let tab = ui.add(Button::selectable(shown, text));
                tab.widget_info(|| WidgetInfo::selected(Role::Tab, true, shown, text));
                if tab.on_hover_text(help).clicked() {
                    self.page = page;
                }
            }
        });
    }
}
