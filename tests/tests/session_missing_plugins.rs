//! Plugins that are not installed: named placeholders that pass the sound as late as the plugins were and save the same bytes; what is
//! installed meanwhile is offered, and comes back with sound and values when the user says so.

use std::path::Path;

use catena_tests::daw::{impulse, peak, with_fixtures};
use catena_tests::fixtures::{self, clap_id};
use catena_tests::session_bench::{add, block, live};
use host_core::engine::Processor;
use host_core::model::{Folders, SlotId};
use host_core::scan::{self, SearchPaths};
use host_core::session::{CatalogSource, Command, Purpose, SessionConfig, SessionHandle, SlotStatus};

fn open() -> (SessionHandle, Processor) {
    let config =
        SessionConfig { purpose: Purpose::Daw, channels: 2, sidechain: 2, aux: 0, catalog: CatalogSource::Cache };
    SessionHandle::open(config).expect("a session")
}

fn look() {
    scan::scan(&SearchPaths::from_env(), &Folders::from_env(), false, &mut |_| {}).expect("a scan");
}

fn statuses(handle: &SessionHandle) -> Vec<SlotStatus> {
    handle.snapshot().slots.iter().map(|slot| slot.status.clone()).collect()
}

/// Where an impulse comes out.
fn lands(processor: &mut Processor) -> (usize, f32) {
    let [mut left, mut right]: [Vec<f32>; 2] = impulse(4096, 100).try_into().expect("stereo");
    for (left, right) in left.chunks_mut(64).zip(right.chunks_mut(64)) {
        block(processor, left, right);
    }
    (peak(&left), left[peak(&left)])
}

#[test]
fn three_keep_their_places_and_come_back_when_they_are_installed_and_the_user_says_so() {
    with_fixtures("three_keep_their_places_and_come_back_when_they_are_installed_and_the_user_says_so", || {
        fixtures::worker();
        let (handle, _processor) = open();
        let ids = ["gain", "latency-jump", "eight"].map(|name| add(&handle, name));
        let [gain, late, _] = ids;
        handle.apply(Command::Param(gain, "100".into(), 0.25)).unwrap();
        handle.apply(Command::Param(late, "100".into(), 512.0)).unwrap();
        handle.activate(live(64)).unwrap();
        let saved = handle.save().unwrap();
        drop(handle);
        let file = Path::new(&std::env::var("CLAP_PATH").unwrap()).join("harmless.clap");
        let aside = file.with_extension("aside");
        std::fs::rename(&file, &aside).unwrap();
        look();
        let (handle, mut processor) = open();
        assert_eq!(handle.load(&saved).unwrap().len(), 3);
        handle.activate(live(64)).unwrap();
        assert_eq!(statuses(&handle), [SlotStatus::Missing, SlotStatus::Missing, SlotStatus::Missing]);
        assert_eq!(handle.snapshot().slots[1].title, "Fixture latency-jump");
        assert_eq!((handle.latency(), lands(&mut processor)), (512, (612, 0.5)));
        assert!(handle.save().unwrap() == saved);
        std::fs::rename(&aside, &file).unwrap();
        look();
        handle.refresh_catalog();
        handle.settle();
        // A tick has looked at what there is now.
        handle.apply(Command::ResetMeters).unwrap();
        let shown = handle.look();
        let own = |name: &str| vec![host_core::model::PluginId::clap(clap_id(name))];
        assert_eq!(
            shown.slots.iter().map(|slot| slot.offers.clone()).collect::<Vec<_>>(),
            ["gain", "latency-jump", "eight"].map(own)
        );
        assert_eq!(statuses(&handle), [SlotStatus::Missing, SlotStatus::Missing, SlotStatus::Missing]);
        handle.deactivate();
        let retry = |id: &SlotId| _ = handle.apply(Command::Retry(*id)).unwrap();
        ids.iter().for_each(retry);
        handle.activate(live(64)).unwrap();
        assert_eq!(statuses(&handle), [SlotStatus::Running, SlotStatus::Running, SlotStatus::Running]);
        assert_eq!((handle.latency(), lands(&mut processor)), (512, (612, 0.125)));
        assert!(handle.save().unwrap() == saved);
    });
}
