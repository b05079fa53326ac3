//! Chains that are LV2 plugins of their own: what their thin entries and the command line ask for. CLAP's are in `clap::exported`.

use std::sync::{Mutex, PoisonError};

use host_core::model::Exported;

use crate::container::lv2_variant;
use crate::lv2::turtle::{self, File, PORTS};
use crate::lv2::{Export, Variant, VariantParam};

/// One such plugin.
#[derive(Clone, Copy)]
struct Made {
    exported: &'static Exported,
    export: &'static Export,
}

static MADE: Mutex<Vec<Made>> = Mutex::new(Vec::new());

fn find(fits: impl Fn(&Exported) -> bool) -> Option<Made> {
    // The last of a URI is the one that is used: a DAW may have read the file again.
    MADE.lock().unwrap_or_else(PoisonError::into_inner).iter().rev().find(|made| fits(made.exported)).copied()
}

/// The chain whose URI this is. `[main]`
pub fn known(uri: &str) -> Option<&'static Exported> {
    find(|exported| exported.uri == uri).map(|made| made.exported)
}

/// What a host finds of the plugin that `payload` is; `None` for bytes that are none. `[main]`
pub fn lv2(payload: &[u8]) -> Option<&'static Export> {
    let exported = Exported::read(payload)?;
    Some(made(&exported))
}

fn made(exported: &Exported) -> &'static Export {
    if let Some(made) = find(|known| known == exported) {
        return made.export;
    }
    let exported: &'static Exported = Box::leak(Box::new(exported.clone()));
    let params = exported.macros.iter().map(|one| VariantParam {
        id: format!("macro-{}", one.number),
        name: one.name.clone(),
        default: one.value as f32,
    });
    let variant = Variant {
        uri: &exported.uri,
        name: &exported.name,
        vendor: &exported.maker,
        comment: &exported.about,
        classes: Box::leak(Box::new([exported.class.as_str()])),
        plain: exported.plain,
        params: params.collect(),
    };
    let export = lv2_variant(exported.shape, variant);
    MADE.lock().unwrap_or_else(PoisonError::into_inner).push(Made { exported, export });
    export
}

/// The Turtle of the bundle of `exported` in the library `binary`. `[main]`
pub fn bundle(exported: &Exported, binary: &str) -> Vec<File> {
    let mut files = turtle::bundle(&[made(exported).describe()], binary);
    for ports in files.iter_mut().filter(|file| file.name == PORTS && exported.mute) {
        // What the library does where the core cannot be had.
        ports.text = format!("{} mute\n", ports.text.trim_end());
    }
    files
}
