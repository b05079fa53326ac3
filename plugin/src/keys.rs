//! Keys that the editor does not want go to the DAW, in every format.
//!
//! The editor's X11 window selects the keyboard, and baseview drops what the editor says of a key, so that a key pressed
//! there never reaches the DAW by itself. What is left in egui's input once the editor has drawn is what nobody took: it
//! is sent to the window that the editor's own lies in, as if it had been pressed there.

use egui::{Event, Key, Modifiers};
use nice_plug_egui::Frame;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{
    ConnectionExt as _, EventMask, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, KeyButMask, KeyPressEvent, Keycode,
};
use x11rb::rust_connection::RustConnection;

use crate::rooms::window_id;

/// The way to the DAW's window.
#[derive(Default)]
pub struct Keys {
    /// `None` until a key needs it; the inner `None` where there is no way.
    way: Option<Option<Way>>,
    /// What was sent down and not up yet.
    down: Vec<Key>,
    /// Whether text was typed into a field, and whether anything had the focus, at the end of the last frame: the key that
    /// ends either is the editor's too.
    before: (bool, bool),
    /// As they were at the last event: where a frame holds both, Control is up again by its end.
    held: Modifiers,
}

struct Way {
    connection: RustConnection,
    root: u32,
    own: u32,
    /// Lowest keycode, and symbols of each from there on.
    codes: (Keycode, Vec<[u32; 2]>),
}

/// Keys with which egui works on what has the focus.
const OF_FOCUS: [Key; 7] =
    [Key::Space, Key::Enter, Key::Escape, Key::ArrowUp, Key::ArrowDown, Key::ArrowLeft, Key::ArrowRight];

/// What has the editor's own focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Focus {
    /// Nothing.
    None,
    /// A field that text is typed into.
    Text,
    /// A whole slot: the space bar does nothing to it.
    LeavesSpace,
    /// A button, a slider.
    Other,
}

/// What one event asks to be sent: symbol, modifiers, down or up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stroke {
    symbol: u32,
    modifiers: Modifiers,
    pressed: bool,
}

impl Keys {
    /// Sends on what is left of this frame's keys; the space bar too where what has the focus leaves it. `[editor]`
    pub fn pass_on(&mut self, context: &egui::Context, frame: &Frame, leaves_space: bool) {
        // The second pass over a frame has the same keys again.
        if context.current_pass_index() > 0 {
            return;
        }
        let now = (context.text_edit_focused(), context.egui_wants_keyboard_input());
        let before = std::mem::replace(&mut self.before, now);
        let focus = match (now.0 || before.0, now.1 || before.1) {
            (true, _) => Focus::Text,
            (_, true) if leaves_space => Focus::LeavesSpace,
            (_, true) => Focus::Other,
            _ => Focus::None,
        };
        let strokes = context.input(|input| self.left(&input.events, focus));
        if strokes.is_empty() {
            return;
        }
        let way = self.way.get_or_insert_with(|| Way::open(frame));
        for stroke in strokes {
            // A window that is gone hears nothing.
            let _sent = way.as_ref().and_then(|way| way.send(stroke));
        }
    }

    /// The strokes that nobody in the editor wants.
    fn left(&mut self, events: &[Event], focus: Focus) -> Vec<Stroke> {
        let typing = focus == Focus::Text;
        let mut strokes = Vec::new();
        for event in events {
            match event {
                Event::Key { key, pressed: false, modifiers, .. } => {
                    if let Some(at) = self.down.iter().position(|down| down == key) {
                        self.down.swap_remove(at);
                        strokes.extend(symbol(*key).map(|symbol| Stroke {
                            symbol,
                            modifiers: *modifiers,
                            pressed: false,
                        }));
                    }
                }
                Event::Key { key, pressed: true, modifiers, .. } => {
                    // Tab walks through the editor.
                    let egui_s = match focus {
                        Focus::None => *key == Key::Tab,
                        Focus::LeavesSpace => *key == Key::Tab || *key != Key::Space && OF_FOCUS.contains(key),
                        Focus::Other | Focus::Text => *key == Key::Tab || OF_FOCUS.contains(key),
                    };
                    if let (false, false, Some(symbol)) = (typing, egui_s, symbol(*key)) {
                        if !self.down.contains(key) {
                            self.down.push(*key);
                        }
                        strokes.push(Stroke { symbol, modifiers: *modifiers, pressed: true });
                    }
                }
                // Signs that egui has no key for: capitals, points, letters with accents. With Control it is the clipboard's text.
                Event::ModifiersChanged(now) => self.held = *now,
                Event::Text(text) if !typing && !self.held.ctrl && !self.held.command => {
                    let modifiers = self.held;
                    for sign in text.chars().filter(|sign| !sign.is_ascii_lowercase() && !is_key(*sign)) {
                        let symbol = sign_symbol(sign);
                        strokes.extend([true, false].map(|pressed| Stroke { symbol, modifiers, pressed }));
                    }
                }
                _ => {}
            }
        }
        strokes
    }
}

/// Whether the sign comes as a key too.
fn is_key(sign: char) -> bool {
    sign == ' ' || sign.is_ascii_digit() || sign.is_control()
}

/// The X11 symbol of a sign (X11 protocol, appendix A).
fn sign_symbol(sign: char) -> u32 {
    match u32::from(sign) {
        latin @ (0x20..=0x7E | 0xA0..=0xFF) => latin,
        code => 0x0100_0000 + code,
    }
}

/// The X11 symbol of a key that egui-baseview tells.
fn symbol(key: Key) -> Option<u32> {
    Some(match key {
        Key::Space => 0x20,
        Key::Backspace => 0xFF08,
        Key::Tab => 0xFF09,
        Key::Enter => 0xFF0D,
        Key::Escape => 0xFF1B,
        Key::Home => 0xFF50,
        Key::ArrowLeft => 0xFF51,
        Key::ArrowUp => 0xFF52,
        Key::ArrowRight => 0xFF53,
        Key::ArrowDown => 0xFF54,
        Key::PageUp => 0xFF55,
        Key::PageDown => 0xFF56,
        Key::End => 0xFF57,
        Key::Insert => 0xFF63,
        Key::Delete => 0xFFFF,
        // Letters and digits: their lower-case sign.
        key => {
            let mut signs = key.name().chars();
            let sign = signs.next().filter(|sign| sign.is_ascii_alphanumeric() && signs.next().is_none())?;
            u32::from(sign.to_ascii_lowercase())
        }
    })
}

impl Way {
    /// From the editor's window. `None` where it is no X11 window or no server answers.
    fn open(frame: &Frame) -> Option<Self> {
        let own = window_id(frame)?;
        let (connection, screen) = x11rb::connect(None).ok()?;
        let setup = connection.setup();
        let (root, first) = (setup.roots.get(screen)?.root, setup.min_keycode);
        let count = setup.max_keycode.checked_sub(first)?.checked_add(1)?;
        let mapping = connection.get_keyboard_mapping(first, count).ok()?.reply().ok()?;
        let width = usize::from(mapping.keysyms_per_keycode).max(1);
        let pair = |symbols: &[u32]| [symbols[0], symbols.get(1).copied().unwrap_or(0)];
        let codes = (first, mapping.keysyms.chunks_exact(width).map(pair).collect());
        Some(Self { connection, root, own, codes })
    }

    /// Sends one stroke to the window that ours lies in, or to the first around it that listens to the keyboard.
    fn send(&self, stroke: Stroke) -> Option<()> {
        let (code, shifted) = self.code(stroke.symbol)?;
        // Asked each time: a DAW may move a window to another.
        let parent = self.connection.query_tree(self.own).ok()?.reply().ok()?.parent;
        let Modifiers { shift, ctrl, alt, mac_cmd, .. } = stroke.modifiers;
        let mut state = KeyButMask::from(0_u16);
        for (held, mask) in [
            (shift || shifted, KeyButMask::SHIFT),
            (ctrl, KeyButMask::CONTROL),
            (alt, KeyButMask::MOD1),
            (mac_cmd, KeyButMask::MOD4),
        ] {
            if held {
                state |= mask;
            }
        }
        let (kind, mask) = match stroke.pressed {
            true => (KEY_PRESS_EVENT, EventMask::KEY_PRESS),
            false => (KEY_RELEASE_EVENT, EventMask::KEY_RELEASE),
        };
        let event = KeyPressEvent {
            response_type: kind,
            detail: code,
            sequence: 0,
            time: x11rb::CURRENT_TIME,
            root: self.root,
            event: parent,
            child: x11rb::NONE,
            root_x: 0,
            root_y: 0,
            event_x: 0,
            event_y: 0,
            state,
            same_screen: true,
        };
        self.connection.send_event(true, parent, mask, event).ok()?;
        self.connection.flush().ok()
    }

    /// The keycode that gives `symbol`, and whether with shift.
    fn code(&self, symbol: u32) -> Option<(Keycode, bool)> {
        let (first, codes) = &self.codes;
        [0, 1].into_iter().find_map(|level| {
            let at = codes.iter().position(|symbols| symbols[level] == symbol)?;
            Some((first.checked_add(u8::try_from(at).ok()?)?, level == 1))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(key: Key, pressed: bool) -> Event {
        Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE }
    }

    fn left(events: &[Event], focus: Focus) -> Vec<(u32, bool)> {
        let strokes = Keys::default().left(events, focus);
        strokes.into_iter().map(|stroke| (stroke.symbol, stroke.pressed)).collect()
    }

    #[test]
    fn what_is_left_goes_on_once_and_comes_up_again() {
        let space = [key(Key::Space, true), Event::Text(" ".into()), key(Key::Space, false)];
        assert_eq!(left(&space, Focus::None), [(0x20, true), (0x20, false)]);
        assert_eq!(left(&[key(Key::Space, false)], Focus::None), [], "never sent down");
        let capital = [Event::Text("R".into()), Event::Text(".".into())];
        assert_eq!(left(&capital, Focus::None), [(0x52, true), (0x52, false), (0x2E, true), (0x2E, false)]);
        assert_eq!(left(&[key(Key::G, true), Event::Text("g".into())], Focus::None), [(0x67, true)]);
    }

    #[test]
    fn what_is_typed_into_a_field_stays() {
        let typed = [key(Key::A, true), Event::Text("a".into()), key(Key::A, false), Event::Text("B".into())];
        assert_eq!(left(&typed, Focus::Text), []);
    }

    #[test]
    fn what_moves_the_focus_stays_with_what_has_it() {
        let keys = [key(Key::Space, true), key(Key::ArrowUp, true), key(Key::Enter, true), key(Key::R, true)];
        assert_eq!(left(&keys, Focus::Other), [(0x72, true)]);
        assert_eq!(left(&[key(Key::Tab, true)], Focus::None), []);
        assert_eq!(left(&keys, Focus::LeavesSpace), [(0x20, true), (0x72, true)]);
    }

    #[test]
    fn a_pasted_text_is_no_keys() {
        for with in [Modifiers::COMMAND, Modifiers::CTRL] {
            // Also where Control is let go in the same frame.
            let pasted = [
                Event::ModifiersChanged(with),
                Event::Text("Delete Everything.".into()),
                Event::ModifiersChanged(Modifiers::NONE),
            ];
            assert_eq!(left(&pasted, Focus::None), []);
        }
    }
}
