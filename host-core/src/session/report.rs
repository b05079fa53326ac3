//! A report of what there is and what is wrong: what `catena doctor --report` says, in a file.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::child;
use crate::model::Folders;

/// Writes it and answers where. The program is asked: it looks at its own installation as a terminal's user would. `[jobs]`
pub fn write_report() -> Result<PathBuf, String> {
    let program = child::find_program().ok_or("the program `catena` is not installed beside this plugin")?;
    let text = child::output(&program, &["doctor", "--report"]).map_err(|error| error.to_string())?;
    if text.trim().is_empty() {
        return Err(format!("{} said nothing", program.display()));
    }
    let folder = Folders::from_env().reports();
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let path = folder.join(format!("catena-report-{seconds}.md"));
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, text));
    written.map(|()| path.clone()).map_err(|error| format!("{}: {error}", path.display()))
}
