//! What of a window only the X server knows.

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::ConnectionExt as _;

/// The newest window inside `parent`: the one that an editor just opened there. LV2 wants its number, and a plugin's
/// editor does not tell it. `None`: no server, or no window. `[host's UI thread]`
pub fn newest_child(parent: u32) -> Option<u32> {
    let (connection, _) = x11rb::connect(None).ok()?;
    let tree = connection.query_tree(parent).ok()?.reply().ok()?;
    let _flushed = connection.flush();
    tree.children.last().copied()
}
