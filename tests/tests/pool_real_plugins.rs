//! MC-1 on real plugins: lanes of them sound the same to the last bit on helper threads as without.

use std::sync::Arc;

use catena_tests::helpers;
use catena_tests::real::{CALF, Named, Open, X42_EFFECTS, ZAM};
use catena_tests::rig::{Noise, RATE, Rig, cuts};
use host_core::engine::{LaneNode, LanesNode, LanesSetup, PlanLane, PlanLanes, PlanNode};
use host_core::model::Split;
use host_core::pool::Share;

const FRAMES: usize = 12_000;
const MAX_BLOCK: u32 = 1024;
const SIZES: [Option<usize>; 3] = [Some(64), Some(1024), None];

/// What comes out of copies of the signal, each through some of the plugins, and how many pieces of work went to helpers in a block.
fn lanes(named: &[Named], size: Option<usize>, share: Option<Arc<Share>>) -> (Vec<Vec<u32>>, usize) {
    let mut open: Vec<Open> = named.iter().map(|named| named.open(MAX_BLOCK)).collect();
    let of = |(number, open): (usize, &mut Open)| {
        let audio = open.travel();
        let node = open.slot(number, audio, 2, MAX_BLOCK);
        // Each is worth a thread of its own.
        node.note_cost(300_000);
        node
    };
    let nodes: Vec<_> = open.iter_mut().enumerate().map(of).collect();
    let setup = LanesSetup { channels: 2, max_block: MAX_BLOCK, rate: RATE, fade_in: false };
    let lane = |nodes: &[_]| PlanLane {
        node: LaneNode::new(setup, false),
        delay: 0,
        sends: false,
        nodes: nodes.iter().cloned().map(PlanNode::Slot).collect(),
    };
    let lanes = nodes.chunks(2).map(lane).collect();
    let mut rig = Rig::new(2);
    rig.max_block = MAX_BLOCK;
    rig.share = share;
    let group = PlanLanes { node: LanesNode::new(&Split::Copy, setup), siblings: true, lanes };
    let plan = rig.plan_nodes(vec![PlanNode::Lanes(group)]);
    let items = plan.sharing().items();
    assert!(rig.controller.send(plan).is_ok());
    let heard = rig.run(&Noise::new(5).signal(2, FRAMES), &cuts(FRAMES, size, MAX_BLOCK as usize, 7));
    rig.controller.deactivated(true);
    drop(rig.controller.lease().map(|mut lease| lease.exchange(None)));
    for (open, node) in open.into_iter().zip(nodes) {
        let mut halves = node.take().expect("no block runs");
        open.close(halves.remove(0));
    }
    (heard.into_iter().map(|channel| channel.into_iter().map(f32::to_bits).collect()).collect(), items)
}

/// Those of which two serial runs are the same. The others are named: they differ from themselves, with no helper near.
fn repeatable(all: &[Named]) -> Vec<Named> {
    let (good, bad): (Vec<Named>, Vec<Named>) =
        all.iter().partition(|named| lanes(&[**named], None, None).0 == lanes(&[**named], None, None).0);
    for named in &bad {
        println!("{}: two serial runs differ", named.id);
    }
    good
}

fn check(all: &[Named]) {
    let good = repeatable(all);
    assert!(good.len() * 2 > all.len(), "only {good:?} of {all:?} are repeatable");
    let share = helpers::share(3);
    for size in SIZES {
        for first in (0..good.len()).step_by(6) {
            // Three lanes of two.
            let named: Vec<Named> = (0..6).map(|at| good[(first + at) % good.len()]).collect();
            let ids: Vec<_> = named.iter().map(|named| named.id).collect();
            let ((serial, none), (pooled, items)) =
                (lanes(&named, size, None), lanes(&named, size, Some(share.clone())));
            assert_eq!((none, items), (0, 3), "{ids:?}");
            assert!(serial.iter().flatten().any(|sample| *sample != 0), "{ids:?} are heard");
            assert!(serial == pooled, "{ids:?}, blocks of {size:?}");
        }
    }
    assert!(share.counts().pooled > 0, "helpers took part");
}

#[test]
fn zam_plugins() {
    check(ZAM);
}

#[test]
fn x42_and_calf_plugins() {
    check(&[X42_EFFECTS, CALF].concat());
}
