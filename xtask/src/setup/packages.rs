//! The names of packages, as Debian and Ubuntu have them.

/// A library that building needs.
pub struct Library {
    /// Debian's package.
    pub package: &'static str,
    /// The name by which pkg-config knows it; empty for a tool.
    pub module: &'static str,
}

const fn library(package: &'static str, module: &'static str) -> Library {
    Library { package, module }
}

/// To build.
pub const BUILD: &[Library] = &[
    library("gcc", ""),
    library("g++", ""),
    library("git", ""),
    library("pkg-config", ""),
    library("liblilv-dev", "lilv-0"),
    library("lv2-dev", "lv2"),
    library("libjack-jackd2-dev", "jack"),
    library("libasound2-dev", "alsa"),
    library("libx11-dev", "x11"),
    library("libx11-xcb-dev", "x11-xcb"),
    library("libxcb1-dev", "xcb"),
    library("libxcb-icccm4-dev", "xcb-icccm"),
    library("libxcb-dri2-0-dev", "xcb-dri2"),
    library("libxcursor-dev", "xcursor"),
    library("libxkbcommon-dev", "xkbcommon"),
    library("libxkbcommon-x11-dev", "xkbcommon-x11"),
    library("libgl-dev", "gl"),
];

/// Plugins of the demo's chain.
pub const DEMO: &[&str] = &["zam-plugins", "x42-plugins", "calf-plugins", "dragonfly-reverb"];

/// Plugins and programs of the tests.
pub const TEST: &[&str] = &[
    "zam-plugins",
    "x42-plugins",
    "calf-plugins",
    "dragonfly-reverb",
    "lsp-plugins-lv2",
    "mda-lv2",
    "swh-lv2",
    "dpf-plugins",
    "guitarix-lv2",
    "lv2-examples",
    "ardour",
    "imagemagick",
    "jackd2",
    "jalv",
    "libgl1-mesa-dri",
    "lilv-utils",
    "lv2proc",
    "locales",
    "openbox",
    "qtractor",
    "sordi",
    "sox",
    "x11-apps",
    "xdotool",
    "xvfb",
];

/// What watches a stress run.
pub const STRESS: &[&str] = &["valgrind", "libc6-dbg"];
