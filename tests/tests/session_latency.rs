//! The latency that a DAW is told follows what the plugins tell, and an impulse lands where it says.

use catena_tests::session_bench::{block, live, lv2_catalog, session};
use host_core::engine::Processor;
use host_core::model::PluginId;
use host_core::session::{Command, SessionHandle};

/// A look-ahead limiter: delays, and tells by how much on its latency port.
const LIMITER: &str = "http://gareus.org/oss/lv2/dpl#stereo";

/// Frame at which an impulse, sent at frame `at`, comes out.
fn impulse_lands(processor: &mut Processor, at: usize) -> usize {
    let mut out = Vec::new();
    while out.len() < at + 20_000 {
        let mut left = [0.0; 256];
        if (out.len()..out.len() + 256).contains(&at) {
            left[at - out.len()] = 0.25;
        }
        let mut right = left;
        block(processor, &mut left, &mut right);
        out.extend_from_slice(&left);
    }
    (0..out.len()).max_by(|a, b| out[*a].abs().total_cmp(&out[*b].abs())).unwrap()
}

fn add(handle: &SessionHandle, uri: &str) {
    handle.apply(Command::Add { plugin: PluginId::lv2(uri), index: 99 }).unwrap();
}

#[test]
fn the_report_is_where_an_impulse_lands() {
    let (handle, mut processor) = session(&lv2_catalog(&["dpl.lv2"]));
    add(&handle, LIMITER);
    add(&handle, LIMITER);
    handle.activate(live(256)).unwrap();
    let slot = handle.snapshot().slots[0].latency;
    assert!(slot > 0, "the limiter delays");
    assert_eq!(handle.latency(), 2 * slot);
    assert!(handle.take_outbox().latency);
    assert!(!handle.take_outbox().latency, "an errand is given once");
    let lands = impulse_lands(&mut processor, 1000);
    assert_eq!(lands as u32, 1000 + handle.latency());
    let first = handle.snapshot().slots[0].id;
    handle.apply(Command::Bypass(first, true)).unwrap();
    assert_eq!(handle.latency(), 2 * slot, "bypass changes no latency");
    handle.apply(Command::Remove(first)).unwrap();
    assert_eq!(handle.latency(), slot);
    assert!(handle.take_outbox().latency);
}
