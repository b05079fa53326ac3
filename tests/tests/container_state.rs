//! What the DAW saved comes back byte for byte, whatever it was, and what changes inside marks its project dirty.

use std::sync::atomic::Ordering::SeqCst;

use catena_tests::bundle::Bundle;
use catena_tests::container_host::{ClapFile, ClapHost};
use catena_tests::daw::{chain, impulse, with_fixtures};

const IDS: [&str; 2] = ["catena-audio.catena", "catena-audio.catena-instrument"];

#[test]
fn a_saved_chain_saves_the_same_after_a_reload() {
    with_fixtures("a_saved_chain_saves_the_same_after_a_reload", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        for id in IDS {
            let host = ClapHost::new(&file, id);
            assert!(host.load(&chain(&[("gain", &[("100", 0.25)]), ("big-state", &[("100", 9.0)])])));
            let first = host.save().expect("a state");
            drop(host);
            let mut host = ClapHost::new(&file, id);
            host.activate(48_000.0, 256);
            assert!(host.load(&first), "{:?}", host.asked.log());
            assert_eq!(host.save().as_ref(), Some(&first), "{id}");
        }
    });
}

#[test]
fn bytes_that_are_no_chain_are_refused_and_kept() {
    with_fixtures("bytes_that_are_no_chain_are_refused_and_kept", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let host = ClapHost::new(&file, IDS[0]);
        let foreign = b"a state of something else".repeat(400);
        assert!(!host.load(&foreign));
        host.pump();
        assert!(host.asked.log().iter().any(|line| line.contains("not a Catena chain")), "{:?}", host.asked.log());
        assert_eq!(host.save().as_ref(), Some(&foreign), "written back as it came");
        assert!(!host.load(&[]), "nothing is no state");
        assert_eq!(host.save().as_ref(), Some(&foreign));
    });
}

#[test]
fn a_plugin_that_changes_by_itself_marks_the_project_dirty() {
    with_fixtures("a_plugin_that_changes_by_itself_marks_the_project_dirty", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let mut host = ClapHost::new(&file, IDS[0]);
        assert!(host.load(&chain(&[("talks", &[("100", 1.0)])])));
        host.activate(48_000.0, 256);
        let dirty = host.pump_until(|host| host.asked.dirty.load(SeqCst) > 0) || {
            host.process(&impulse(256, 0), &[]);
            host.pump_until(|host| host.asked.dirty.load(SeqCst) > 0)
        };
        assert!(dirty, "{:?}", host.asked.log());
    });
}
