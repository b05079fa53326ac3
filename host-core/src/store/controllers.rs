//! Which controllers move which macros on this machine: `controllers.json` among the settings.
//!
//! They belong to the hardware on the desk, not to a chain; a chain may have its own beside them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::StoreError;
use super::kept::{self, Kept};
use crate::model::{Controller, MACROS, MacroId};

/// What this version writes.
const VERSION: u32 = 1;

/// The machine's assignments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assignments {
    version: u32,
    macros: Vec<Entry>,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

/// One of them, or one that this version does not know, which is written back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Entry {
    Known {
        #[serde(rename = "macro")]
        number: MacroId,
        #[serde(flatten)]
        controller: Controller,
    },
    Unknown(Value),
}

impl Default for Assignments {
    fn default() -> Self {
        Self { version: VERSION, macros: Vec::new(), extra: Map::new() }
    }
}

impl Assignments {
    /// By macro; of two of one macro, and of two controllers that meet, the first counts.
    pub fn all(&self) -> BTreeMap<MacroId, Controller> {
        let mut all = BTreeMap::<MacroId, Controller>::new();
        for entry in &self.macros {
            if let Entry::Known { number, controller } = entry
                && number.index() < MACROS
                && !all.values().any(|other| other.meets(*controller))
            {
                all.entry(*number).or_insert(*controller);
            }
        }
        all
    }

    /// Assigns `number` to `controller`, which moves nothing else from then on, or to none. False: it was so.
    pub fn assign(&mut self, number: MacroId, controller: Option<Controller>) -> bool {
        let before = self.macros.clone();
        self.macros.retain(|entry| match entry {
            Entry::Known { number: other, controller: old } => {
                *other != number && !controller.is_some_and(|new| new.meets(*old))
            }
            Entry::Unknown(_) => true,
        });
        self.macros.extend(controller.map(|controller| Entry::Known { number, controller }));
        self.macros.sort_by_key(|entry| match entry {
            Entry::Known { number, .. } => number.number(),
            Entry::Unknown(_) => usize::MAX,
        });
        self.macros != before
    }
}

impl Kept for Assignments {
    const VERSION: u32 = VERSION;

    fn version(&self) -> u32 {
        self.version
    }
}

/// Reads the file; none is as one without assignments. `[any but audio]`
pub fn read(path: &Path) -> Result<Assignments, StoreError> {
    kept::read(path)
}

/// Changes the file in one step. See [`kept::change`]. `[any but audio]`
pub fn change(path: &Path, change: impl FnOnce(&mut Assignments) -> bool) -> Result<Option<PathBuf>, StoreError> {
    kept::change(path, change)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(number: usize) -> MacroId {
        MacroId::new(number).unwrap()
    }

    fn controller(channel: u8, number: u8, wide: bool) -> Controller {
        Controller::new(channel, number, wide).unwrap()
    }

    #[test]
    fn a_controller_moves_one_macro_and_what_is_not_known_is_written_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("catena/controllers.json");
        assert_eq!(read(&path).unwrap(), Assignments::default());
        let assign = |at, to| change(&path, |held| held.assign(number(at), to)).unwrap();
        assert_eq!(assign(5, Some(controller(1, 39, false))), None);
        assign(2, Some(controller(3, 74, false)));
        // The finer half of 7 is 39: macro 5 loses it.
        assign(9, Some(controller(1, 7, true)));
        let all = [(number(2), controller(3, 74, false)), (number(9), controller(1, 7, true))];
        assert_eq!(read(&path).unwrap().all(), BTreeMap::from(all));
        let text = r#"{"version":1,"macros":[{"macro":2,"channel":3,"number":74},{"macro":4,"note":60},
            {"macro":200,"channel":1,"number":1}],"glow":true}"#;
        std::fs::write(&path, text).unwrap();
        assert_eq!(read(&path).unwrap().all(), BTreeMap::from([all[0]]));
        assign(2, None);
        let left: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(left["macros"].as_array().unwrap().len(), 2, "{left}");
        assert_eq!(left["glow"], true);
    }

    #[test]
    fn what_several_assign_at_once_is_all_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("catena/controllers.json");
        std::thread::scope(|scope| {
            for one in 1..=16 {
                let path = &path;
                scope.spawn(move || {
                    change(path, |held| held.assign(number(one), Some(controller(1, 63 + one as u8, false)))).unwrap()
                });
            }
        });
        assert_eq!(read(&path).unwrap().all().len(), 16);
    }

    #[test]
    fn a_broken_file_is_named_and_put_aside_by_the_first_change() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("controllers.json");
        for bytes in [&b"{\"version\":1,\"macros\":[{"[..], b"\xff\x00", b"[]", b"{\"version\":9,\"macros\":[]}"] {
            std::fs::write(&path, bytes).unwrap();
            assert!(read(&path).unwrap_err().to_string().contains("controllers.json"));
            assert_eq!(change(&path, |held| held.assign(number(1), None)).unwrap(), None, "nothing to write");
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
            let aside = change(&path, |held| held.assign(number(1), Some(controller(1, 1, false)))).unwrap().unwrap();
            assert_eq!(std::fs::read(aside).unwrap(), bytes);
            assert_eq!(read(&path).unwrap().all().len(), 1);
        }
    }
}
