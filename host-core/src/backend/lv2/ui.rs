//! `ui`: a plugin's X11 user interface while it is open. What it says becomes a user's hand on parameters, or an atom for the plugin;
//! what parameters and ports become without it, it is told 30 times a second.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::describe::{Kind, Target};
use super::ffi::ui::{Said, Setup, Ui};
use super::main::Main;
use super::{patch, uri, urid};
use crate::backend::{Opened, WindowDeed, WindowHost, WindowNews, WindowOffer};

/// Looks of a user interface a second.
const UPDATES: f32 = 30.0;
/// Time between two of them.
const PERIOD: Duration = Duration::from_millis(33);

/// What the description says of a user interface.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Its URI.
    pub uri: String,
    /// Its kinds.
    pub classes: Vec<String>,
    /// Features it requires.
    pub required: Vec<String>,
    /// Its library.
    pub binary: PathBuf,
    /// Its bundle.
    pub bundle: PathBuf,
    /// It has one size.
    pub fixed: bool,
}

/// Kinds that need a toolkit of their own, and what users call it.
const TOOLKITS: [(&str, &str); 6] = [
    ("http://lv2plug.in/ns/extensions/ui#GtkUI", "GTK 2"),
    ("http://lv2plug.in/ns/extensions/ui#Gtk3UI", "GTK 3"),
    ("http://lv2plug.in/ns/extensions/ui#Gtk4UI", "GTK 4"),
    ("http://lv2plug.in/ns/extensions/ui#Qt4UI", "Qt 4"),
    ("http://lv2plug.in/ns/extensions/ui#Qt5UI", "Qt 5"),
    ("http://lv2plug.in/ns/extensions/ui#Qt6UI", "Qt 6"),
];

/// What a plugin with these has, and the one to open.
pub fn choose(all: Vec<About>) -> (WindowOffer, Option<About>) {
    let is = |about: &About, class: &str| about.classes.iter().any(|own| own == class);
    let offered = |feature: &String| uri::OFFERED_TO_UIS.contains(&feature.as_str());
    let usable = |about: &&About| is(about, uri::UI_X11) && about.required.iter().all(offered);
    if let Some(about) = all.iter().find(usable) {
        return (WindowOffer::Inside, Some(about.clone()));
    }
    let more = [uri::UI_EXTERNAL, uri::UI_EXTERNAL_HOST, uri::UI_EXTERNAL_OLD];
    let external = |feature: &String| offered(feature) || more.contains(&feature.as_str());
    let floats = |about: &&About| about.is_external() && about.required.iter().all(external);
    if let Some(about) = all.iter().find(floats) {
        return (WindowOffer::Floating, Some(about.clone()));
    }
    if all.iter().any(|about| is(about, uri::UI_X11) || about.is_external()) {
        return (WindowOffer::Needs("what Catena does not offer"), None);
    }
    let needs = TOOLKITS.into_iter().find(|(class, _)| all.iter().any(|about| is(about, class)));
    (needs.map_or(WindowOffer::None, |(_, toolkit)| WindowOffer::Needs(toolkit)), None)
}

/// A window that is open.
pub struct Window {
    ui: Ui,
    fixed: bool,
    due: Instant,
    /// Values of control ports as it last knew them, by port.
    known: Vec<Option<f32>>,
}

impl About {
    /// Whether it has a window of its own, which floats.
    pub fn is_external(&self) -> bool {
        self.classes.iter().any(|class| class == uri::UI_EXTERNAL || class == uri::UI_EXTERNAL_OLD)
    }
}

impl Main {
    /// Opens the window; the error is the reason. `[home]`
    pub(super) fn open_ui(&mut self, host: WindowHost<'_>) -> Result<Opened, String> {
        if self.window.is_some() {
            return Ok(Opened::default());
        }
        let about = self.ui.clone().ok_or("it has none")?;
        self.ensure_any().map_err(|error| error.to_string())?;
        let Some(live) = &self.live else { return Err("it has no instance".into()) };
        let setup = Setup {
            about: &about,
            external: about.is_external(),
            plugin: &self.about.uri,
            name: &self.about.name,
            symbols: self.about.ports.iter().map(|port| port.symbol.as_str()).collect(),
            parent: host.parent,
            scale: host.scale as f32,
            rate: live.rate as f32,
            updates: UPDATES,
            title: host.title,
        };
        let ui = Ui::open(&setup, &live.instance)?;
        ui.show();
        live.shared.set_window(true);
        let known = vec![None; self.about.ports.len()];
        self.window = Some(Window { ui, fixed: about.fixed, due: Instant::now(), known });
        self.tell_ui();
        self.take_said();
        // The size that it asked for while it was made is the one to begin with.
        let last = self.news.iter().rposition(|news| matches!(news, WindowNews::Resize(..)));
        let size = last.map(|at| self.news.remove(at)).and_then(|news| match news {
            WindowNews::Resize(width, height) => Some((width, height)),
            _ => None,
        });
        let child = self.window.as_ref().and_then(|window| window.ui.window());
        Ok(Opened { size, resizable: !about.fixed, child })
    }

    /// Closes the window. `[home]`
    pub(super) fn close_ui(&mut self) {
        if self.window.take().is_some()
            && let Some(live) = &self.live
        {
            live.shared.set_window(false);
        }
    }

    /// The plugin is about to be made anew: a window that reaches into it goes first.
    pub(super) fn close_ui_of_old_instance(&mut self) {
        if self.window.is_some() {
            self.close_ui();
            self.news.push(WindowNews::Anew);
        }
    }

    /// The frame has another size. `[home]`
    pub(super) fn resize_ui(&mut self, width: u32, height: u32) {
        if let Some(window) = self.window.as_ref().filter(|window| !window.fixed) {
            // One that does not offer it sees the size of its X11 window.
            let _offered = window.ui.resize(width, height);
        }
    }

    pub(super) fn ui_deadline(&self) -> Option<Instant> {
        self.window.as_ref().map(|window| window.due)
    }

    /// Lets it work where that is due. `[home]`
    pub(super) fn serve_ui(&mut self, now: Instant) {
        let Some(window) = self.window.as_mut().filter(|window| window.due <= now) else { return };
        window.due = (window.due + PERIOD).max(now);
        self.tell_ui();
        let open = self.window.as_ref().is_none_or(|window| window.ui.idle());
        self.take_said();
        if !open {
            self.news.push(WindowNews::Close);
        }
    }

    /// Tells it values that it does not know, and what came out of the plugin.
    fn tell_ui(&mut self) {
        let controls = self.targets.iter().enumerate().filter_map(|(index, target)| match target {
            Target::Input(port) | Target::Output(port) => Some((*port, self.current(index)? as f32)),
            Target::Patch(_) => None,
        });
        let controls: Vec<_> = controls.collect();
        let (Some(window), Some(live)) = (&mut self.window, &mut self.live) else { return };
        for (port, value) in controls {
            if window.known.get(port).is_some_and(|known| known.map(f32::to_bits) != Some(value.to_bits())) {
                window.known[port] = Some(value);
                window.ui.tell_float(port as u32, value);
            }
        }
        let Some(line) = &mut live.line else { return };
        while let Some((port, kind, body)) = line.take() {
            window.ui.tell_atom(port, kind, &body);
        }
    }

    /// Takes what it said.
    fn take_said(&mut self) {
        let said = self.window.as_ref().map(|window| window.ui.take_said()).unwrap_or_default();
        for said in said {
            match said {
                Said::Float(port, value) => self.said_float(port as usize, value),
                Said::Atom(port, kind, body) => self.said_atom(port, kind, &body),
                Said::Touch(port, held) => {
                    let deed = if held { WindowDeed::Begin } else { WindowDeed::End };
                    let index = self.index_of(Target::Input(port as usize));
                    self.news.extend(index.map(|index| WindowNews::Param { index, deed }));
                }
                Said::Resize(width, height) => self.news.push(WindowNews::Resize(width, height)),
            }
        }
    }

    fn index_of(&self, wanted: Target) -> Option<usize> {
        self.targets.iter().position(|target| *target == wanted)
    }

    fn said_float(&mut self, port: usize, value: f32) {
        let Some(index) = self.index_of(Target::Input(port)).filter(|_| value.is_finite()) else { return };
        if let Some(window) = &mut self.window {
            // It is told only what becomes of it elsewhere.
            window.known[port] = Some(value);
        }
        self.news.push(WindowNews::Param { index, deed: WindowDeed::Value(value.into()) });
    }

    /// An atom for a port. What sets a parameter goes the way of all parameters; the rest goes to the plugin as it is.
    fn said_atom(&mut self, port: u32, kind: u32, body: &[u8]) {
        let is_input = |port: &super::describe::Port| port.input && matches!(port.kind, Kind::Atom(_));
        if !self.about.ports.get(port as usize).is_some_and(is_input) {
            return;
        }
        let known = urid::known();
        let (mut moved, mut sets) = (None, 0);
        if kind == known.atom_object || kind == known.atom_blank || kind == known.atom_resource {
            patch::read_sets(known, body, &mut |property, value| {
                sets += 1;
                let at = self.about.patch.iter().position(|parameter| parameter.urid == property);
                moved = at.and_then(|at| Some((self.index_of(Target::Patch(at))?, value?)));
            });
        }
        if let (Some((index, value)), 1) = (moved, sets) {
            self.news.push(WindowNews::Param { index, deed: WindowDeed::Value(value) });
            return;
        }
        if sets > 0 {
            self.news.push(WindowNews::Edited);
        }
        if let Some(line) = self.live.as_mut().and_then(|live| live.line.as_mut()) {
            // Where the plugin is not run for long, its user interface's questions are lost.
            let _full = line.send(port, kind, body);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(class: &str, required: &[&str]) -> About {
        let (classes, required) = (vec![class.into()], required.iter().map(|one| (*one).into()).collect());
        About { uri: class.into(), classes, required, ..About::default() }
    }

    #[test]
    fn an_x11_window_is_chosen_and_other_toolkits_are_named() {
        let gtk = about("http://lv2plug.in/ns/extensions/ui#GtkUI", &[]);
        let x11 = about(uri::UI_X11, &[uri::INSTANCE_ACCESS]);
        assert_eq!(choose(vec![gtk.clone(), x11.clone()]), (WindowOffer::Inside, Some(x11.clone())));
        let external = about(uri::UI_EXTERNAL, &[uri::UI_EXTERNAL]);
        assert_eq!(choose(vec![gtk.clone(), external.clone()]), (WindowOffer::Floating, Some(external)));
        let old = about(uri::UI_EXTERNAL_OLD, &[]);
        assert_eq!(choose(vec![old.clone(), x11.clone()]).0, WindowOffer::Inside, "one that lies inside is better");
        assert_eq!(choose(vec![old.clone()]), (WindowOffer::Floating, Some(old)));
        assert_eq!(choose(vec![gtk]), (WindowOffer::Needs("GTK 2"), None));
        assert_eq!(choose(vec![]), (WindowOffer::None, None));
        let odd = about(uri::UI_X11, &["urn:unknown"]);
        assert_eq!(choose(vec![odd]), (WindowOffer::Needs("what Catena does not offer"), None));
    }
}
