//! `catena lv2-turtle`: what an LV2 bundle holds beside its library, made of the plugins themselves. For those who pack
//! Catena; not shown in the help.

use super::Failure;
use super::args::Lv2Turtle;

/// The bundle's library.
const BINARY: &str = "Catena.so";

/// Writes the files.
pub fn run(task: &Lv2Turtle) -> Result<(), Failure> {
    std::fs::create_dir_all(&task.folder).map_err(|error| Failure::io(&task.folder, &error))?;
    for file in catena::lv2_bundle(BINARY) {
        let path = task.folder.join(file.name);
        std::fs::write(&path, file.text).map_err(|error| Failure::io(&path, &error))?;
    }
    Ok(())
}
