//! A recall is over soon though the DAW's automation never leaves the slots alone that it sets: nobody waits for the song's end.

use catena_tests::rolling_daw::Daw;
use host_core::model::{Aim, Letter, MacroId};
use host_core::session::{Command, MacroEdit, SnapshotEdit};

/// Blocks that a recall is over in, however slow the machine; one that nothing ends takes fifty times as many.
const SOON: usize = 4000;

#[test]
fn a_recall_ends_while_automation_moves_its_slots() {
    // The second moves nothing: between two steps of what it moves there is but one value.
    for range in [(-60.0, 12.0), (0.0, 0.0)] {
        let (mut daw, _late) = Daw::rolling();
        let slot = daw.fixture("eight");
        let map = MacroEdit::Map { aim: Aim::Param(slot, "101".into()), range: Some(range) };
        daw.edit(Command::Macro(MacroId::new(1).unwrap(), map));
        daw.edit(Command::Snapshot(Letter::A, SnapshotEdit::Store));
        daw.edit(Command::Param(slot, "100".into(), 0.75));
        daw.roll(100);
        daw.settle_rolling();
        let handle = daw.handle.clone();
        let recall = Command::Snapshot(Letter::A, SnapshotEdit::Recall);
        let recalled = std::thread::spawn(move || handle.apply(recall).unwrap());
        let mut played = 0;
        while !recalled.is_finished() {
            let at = (played % 97) as f64 / 97.0;
            daw.processor.set_macro(0, 0, at);
            daw.roll(1);
            played += 1;
            assert!(played < SOON, "it goes on and on with {range:?}");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let shown = daw.handle.snapshot();
        assert_eq!(shown.slots.iter().find(|view| view.id == slot).unwrap().values[0], 0.0);
    }
}
