//! Real plugins of the test packages, opened through the backends without a scan.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use host_core::backend::{Activation, PluginAudio, PluginMain};
use host_core::engine::{SlotNode, SlotSetup};
use host_core::model::{PluginEntry, PluginId, PluginLocation, PortLayout, SlotId};

use crate::clap_bench::host;

/// A plugin as it is named here: its file or bundle below the system's folder, and its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// `NAME.clap` or `NAME.lv2`.
    pub file: &'static str,
    /// CLAP id, or LV2 URI.
    pub id: &'static str,
}

/// Zam plugins, mono and stereo, as LV2.
pub const ZAM: &[Named] = &[
    lv2("ZamCompX2.lv2", "urn:zamaudio:ZamCompX2"),
    lv2("ZamEQ2.lv2", "urn:zamaudio:ZamEQ2"),
    lv2("ZamDelay.lv2", "urn:zamaudio:ZamDelay"),
    lv2("ZamTube.lv2", "urn:zamaudio:ZamTube"),
    lv2("ZamGateX2.lv2", "urn:zamaudio:ZamGateX2"),
    lv2("ZaMaximX2.lv2", "urn:zamaudio:ZaMaximX2"),
    lv2("ZamGEQ31.lv2", "urn:zamaudio:ZamGEQ31"),
    lv2("ZaMultiCompX2.lv2", "urn:zamaudio:ZaMultiCompX2"),
    lv2("ZamAutoSat.lv2", "urn:zamaudio:ZamAutoSat"),
    lv2("ZamPhono.lv2", "urn:zamaudio:ZamPhono"),
];

/// x42's equaliser.
pub const X42: &[Named] = &[lv2("fil4.lv2", "http://gareus.org/oss/lv2/fil4#stereo")];

/// Effects of x42, mono and stereo.
pub const X42_EFFECTS: &[Named] = &[
    lv2("fil4.lv2", "http://gareus.org/oss/lv2/fil4#stereo"),
    lv2("fil4.lv2", "http://gareus.org/oss/lv2/fil4#mono"),
    lv2("darc.lv2", "http://gareus.org/oss/lv2/darc#stereo"),
    lv2("darc.lv2", "http://gareus.org/oss/lv2/darc#mono"),
    lv2("dpl.lv2", "http://gareus.org/oss/lv2/dpl#stereo"),
    lv2("dpl.lv2", "http://gareus.org/oss/lv2/dpl#mono"),
    lv2("phaserotate.lv2", "http://gareus.org/oss/lv2/phaserotate#stereo"),
    lv2("phaserotate.lv2", "http://gareus.org/oss/lv2/phaserotate"),
];

/// Calf's equaliser.
pub const CALF: &[Named] = &[lv2("calf.lv2", "http://calf.sourceforge.net/plugins/Equalizer8Band")];

/// An LV2 plugin.
pub const fn lv2(file: &'static str, id: &'static str) -> Named {
    Named { file, id }
}

impl Named {
    /// Its entry, as a catalog would hold it.
    pub fn entry(&self) -> PluginEntry {
        let clap = self.file.ends_with(".clap");
        let path: PathBuf = Path::new(if clap { "/usr/lib/clap" } else { "/usr/lib/lv2" }).join(self.file);
        PluginEntry {
            id: if clap { PluginId::clap(self.id) } else { PluginId::lv2(self.id) },
            name: self.id.into(),
            vendor: String::new(),
            version: String::new(),
            location: if clap { PluginLocation::Clap(path) } else { PluginLocation::Lv2(vec![path]) },
            categories: vec![],
            ports: PortLayout::default(),
            params: vec![],
            presets: vec![],
            min_block: 1,
        }
    }

    /// Opened and activated at 48 kHz for blocks up to `max_block`.
    pub fn open(&self, max_block: u32) -> Open {
        let mut main = host_core::backend::open(&self.entry(), &host()).unwrap_or_else(|error| panic!("{error}"));
        let activation = Activation { rate: 48_000.0, min_block: 1, max_block, offline: false };
        let audio = main.activate(activation).unwrap_or_else(|error| panic!("{error}"));
        Open { main, audio: Some(audio) }
    }
}

/// An active plugin: both halves.
pub struct Open {
    /// The home half.
    pub main: Box<dyn PluginMain>,
    /// The audio half while it is at home.
    pub audio: Option<Box<dyn PluginAudio>>,
}

impl Open {
    /// The audio half, to travel.
    pub fn travel(&mut self) -> Box<dyn PluginAudio> {
        self.audio.take().expect("the audio half is at home")
    }

    /// Channels of its main input.
    pub fn channels(&self) -> u16 {
        self.main.ports().main_inputs()
    }

    /// A slot around `audio` of this plugin, on a chain of `channels`.
    pub fn slot(&mut self, number: usize, audio: Box<dyn PluginAudio>, channels: u16, max_block: u32) -> Arc<SlotNode> {
        let ports = self.main.ports().clone();
        let latency = self.main.latency();
        let setup = SlotSetup::new(SlotId(number as u64), vec![audio], ports);
        SlotNode::new(SlotSetup { latency, channels, max_block, ..setup })
    }

    /// Deactivates and closes.
    pub fn close(mut self, audio: Box<dyn PluginAudio>) {
        self.main.deactivate(audio);
    }
}
