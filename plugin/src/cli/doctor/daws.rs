//! DAWs and other hosts on this machine.

use catena::export::hosts;

use super::{Finding, Grade};

/// Looks for hosts.
pub fn look() -> Vec<Finding> {
    let lines: Vec<_> = hosts()
        .into_iter()
        .map(|(name, formats, path)| format!("{name} takes {formats} ({})", path.display()))
        .collect();
    if lines.is_empty() {
        let found = "none found; Catena also plays by itself: catena FILE";
        vec![Finding::wrong("DAWs", Grade::Weak, found, "sudo apt install qtractor ardour")]
    } else {
        vec![Finding::good("DAWs", lines.join("\n"))]
    }
}
