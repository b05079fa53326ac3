//! `clap.gui`: X11 windows that lie in a frame of ours, or float where the plugin has no others. What the plugin asks for, from any
//! thread, waits for home's next look, so nothing of it re-enters the plugin.
#![expect(unsafe_code, reason = "the frame that a plugin's window lies in must outlive it, which a call cannot show")]

use std::ffi::CString;
use std::sync::atomic::Ordering;

use clack_extensions::gui::{GuiApiType, GuiConfiguration, GuiError, GuiSize, HostGuiImpl, PluginGui, Window};
use clack_host::prelude::{HostError, PluginMainThreadHandle};

use crate::backend::clap::host::Shared;
use crate::backend::clap::main::ClapMain;
use crate::backend::clap::requests::Ask;
use crate::backend::{Opened, WindowHost, WindowNews, WindowOffer};

/// The two kinds of windows, as the plugin is asked for them.
const INSIDE: GuiConfiguration<'static> = GuiConfiguration { api_type: GuiApiType::X11, is_floating: false };
const FLOATING: GuiConfiguration<'static> = GuiConfiguration { api_type: GuiApiType::X11, is_floating: true };

/// A window that is open.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    floating: bool,
}

impl HostGuiImpl for Shared {
    fn resize_hints_changed(&self) {
        self.0.ask(Ask::WindowHints);
    }

    fn request_resize(&self, new_size: GuiSize) -> Result<(), HostError> {
        self.0.window_size.store(new_size.pack_to_u64(), Ordering::Relaxed);
        self.0.ask(Ask::WindowSize);
        Ok(())
    }

    fn request_show(&self) -> Result<(), HostError> {
        self.0.ask(Ask::WindowShow);
        Ok(())
    }

    fn request_hide(&self) -> Result<(), HostError> {
        self.0.ask(Ask::WindowClose);
        Ok(())
    }

    fn closed(&self, _was_destroyed: bool) {
        // Destroyed or not: our own `destroy` acknowledges it.
        self.0.ask(Ask::WindowClose);
    }
}

/// What the plugin has. `[home]`
pub fn offer(plugin: &PluginMainThreadHandle<'_>) -> WindowOffer {
    let Some(gui) = plugin.get_extension::<PluginGui>() else { return WindowOffer::None };
    if gui.is_api_supported(plugin, INSIDE) {
        WindowOffer::Inside
    } else if gui.is_api_supported(plugin, FLOATING) {
        WindowOffer::Floating
    } else {
        WindowOffer::None
    }
}

fn size((width, height): (u32, u32)) -> GuiSize {
    GuiSize { width, height }
}

fn pixels(size: GuiSize) -> (u32, u32) {
    (size.width, size.height)
}

impl ClapMain {
    fn gui(&mut self) -> Option<(PluginGui, PluginMainThreadHandle<'_>)> {
        let plugin = self.instance.plugin_handle();
        Some((plugin.get_extension()?, plugin))
    }

    /// Opens the window; the error is the reason. `[home]`
    pub(in crate::backend::clap) fn open_gui(&mut self, host: WindowHost<'_>) -> Result<Opened, String> {
        if self.window.is_some() {
            return Ok(Opened::default());
        }
        let floating = self.offer == WindowOffer::Floating;
        // What was asked of a window that is gone is not this one's.
        for old in [Ask::WindowSize, Ask::WindowHints, Ask::WindowShow, Ask::WindowClose] {
            self.common.take(old);
        }
        let (gui, plugin) = self.gui().ok_or("it has none")?;
        let kind = if floating { FLOATING } else { INSIDE };
        gui.create(&plugin, kind).map_err(|error| error.to_string())?;
        let shown = if floating { float(&gui, &plugin, host) } else { embed(&gui, &plugin, host) };
        match shown {
            Ok(opened) => {
                self.window = Some(Open { floating });
                Ok(opened)
            }
            Err(error) => {
                gui.destroy(&plugin);
                Err(error.to_string())
            }
        }
    }

    /// Closes the window. `[home]`
    pub(in crate::backend::clap) fn close_gui(&mut self) {
        let Some(open) = self.window.take() else { return };
        if let Some((gui, plugin)) = self.gui() {
            if open.floating {
                // One that does not hide is destroyed all the same.
                let _shown = gui.hide(&plugin);
            }
            gui.destroy(&plugin);
        }
        self.common.take(Ask::WindowClose);
    }

    /// Gives the window another size, as near as the plugin takes. `[home]`
    pub(in crate::backend::clap) fn resize_gui(&mut self, width: u32, height: u32) -> Option<(u32, u32)> {
        let open = self.window.is_some();
        let (gui, plugin) = self.gui().filter(|_| open)?;
        if !gui.can_resize(&plugin) {
            return gui.get_size(&plugin).map(pixels);
        }
        let wanted = size((width, height));
        let fit = gui.adjust_size(&plugin, wanted).unwrap_or(wanted);
        match gui.set_size(&plugin, fit) {
            Ok(()) => Some(pixels(fit)),
            Err(_) => gui.get_size(&plugin).map(pixels),
        }
    }

    /// Whether the user may resize it. `[home]`
    pub(in crate::backend::clap) fn gui_can_resize(&mut self) -> bool {
        self.gui().is_some_and(|(gui, plugin)| gui.can_resize(&plugin))
    }

    /// What the window asked for. `[home]`
    pub(in crate::backend::clap) fn gui_news(&mut self) -> Vec<WindowNews> {
        let common = &self.common;
        let resized = common.take(Ask::WindowSize).then(|| {
            let (width, height) = pixels(GuiSize::unpack_from_u64(common.window_size.load(Ordering::Relaxed)));
            WindowNews::Resize(width, height)
        });
        let marks = [
            (Ask::WindowHints, WindowNews::Hints),
            (Ask::WindowShow, WindowNews::Show),
            (Ask::WindowClose, WindowNews::Close),
        ];
        resized
            .into_iter()
            .chain(marks.into_iter().filter(|(ask, _)| common.take(*ask)).map(|(_, news)| news))
            .collect()
    }
}

/// The steps of a window inside another, after `create`.
fn embed(gui: &PluginGui, plugin: &PluginMainThreadHandle<'_>, host: WindowHost<'_>) -> Result<Opened, GuiError> {
    // Both may be refused: the plugin asks the system itself, or keeps its own size.
    let _own = gui.set_scale(plugin, host.scale);
    let resizable = gui.can_resize(plugin);
    if let Some(wanted) = host.size.filter(|_| resizable).map(size) {
        let fit = gui.adjust_size(plugin, wanted).unwrap_or(wanted);
        let _own = gui.set_size(plugin, fit);
    }
    let parent = Window::from_x11_handle(host.parent.into());
    // SAFETY: the session keeps the frame until it has closed this window (`close_window`), and where a plugin is dropped with its
    // window open, its frame is dropped after it.
    unsafe { gui.set_parent(plugin, parent) }?;
    let shown = gui.get_size(plugin).map(pixels);
    // Many show themselves when they are given a parent, and some refuse to be shown twice.
    let _shown = gui.show(plugin);
    Ok(Opened { size: gui.get_size(plugin).map(pixels).or(shown), resizable, child: None })
}

/// The steps of a window of its own, after `create`. There is no window of ours that it could stay above: the editor's is the DAW's.
fn float(gui: &PluginGui, plugin: &PluginMainThreadHandle<'_>, host: WindowHost<'_>) -> Result<Opened, GuiError> {
    if let Ok(title) = CString::new(host.title) {
        gui.suggest_title(plugin, &title);
    }
    gui.show(plugin)?;
    Ok(Opened::default())
}
