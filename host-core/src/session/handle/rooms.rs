//! Room in an editor for plugins' own windows.

use std::sync::mpsc::sync_channel;

use super::{FAREWELL, SessionHandle};
use crate::home::{self, home};
use crate::model::SlotId;
use crate::session::owner::Owner;
use crate::session::{EditorId, Room};

impl SessionHandle {
    /// Where in its window an editor has room for a slot's; `None`: it shows something else. Never waits. `[any but audio]`
    pub fn seat(&self, editor: EditorId, room: Option<(SlotId, Room)>) {
        self.later(move |owner| owner.give_room(editor, room));
    }

    /// What the DAW calls the track that the container is on, for the titles of windows. `[any but audio]`
    pub fn name_track(&self, name: String) {
        self.tell(move |owner| owner.name_track(name));
    }

    /// The editor's window is about to go: plugins' windows are taken out of it, and what it still asks for is too late. Waits 0.4 s at
    /// most. `[any but audio]`
    pub fn leave(&self, editor: EditorId) {
        let Ok(home) = home() else { return };
        let (id, (gone, out)) = (self.0.id, sync_channel(1));
        let work = move || {
            let _no_session = home::with(id, |owner: &mut Owner| owner.leave(editor));
            let _nobody_waits = gone.send(());
        };
        if home::is_home() {
            return work();
        }
        home.post(work);
        let _late = out.recv_timeout(FAREWELL);
    }
}
