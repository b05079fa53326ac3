//! A chain of real plugins is bit-identical to the same plugins run one after another in a bare loop.

use catena_tests::real::{Named, Open, X42_EFFECTS, ZAM};
use catena_tests::rig::{Bare, Noise, Rig, cuts};

const FRAMES: usize = 20_000;
const MAX_BLOCK: u32 = 1024;
const SIZES: [Option<usize>; 4] = [Some(64), Some(256), Some(1024), None];

fn bare(named: &[Named], signal: &[Vec<f32>], cuts: &[usize]) -> Vec<Vec<f32>> {
    let mut open: Vec<Open> = named.iter().map(|named| named.open(MAX_BLOCK)).collect();
    let mut bare = Bare::new(open.iter_mut().map(Open::travel).collect());
    let heard = bare.run(signal, cuts);
    for (open, audio) in open.into_iter().zip(bare.end()) {
        open.close(audio);
    }
    heard
}

fn chain(named: &[Named], signal: &[Vec<f32>], cuts: &[usize]) -> Vec<Vec<f32>> {
    let mut open: Vec<Open> = named.iter().map(|named| named.open(MAX_BLOCK)).collect();
    let channels = signal.len() as u16;
    let mut rig = Rig::new(channels);
    let nodes: Vec<_> = open
        .iter_mut()
        .enumerate()
        .map(|(i, open)| {
            let audio = open.travel();
            open.slot(i, audio, channels, MAX_BLOCK)
        })
        .collect();
    rig.send(&nodes);
    let heard = rig.run(signal, cuts);
    rig.controller.deactivated(true);
    drop(rig.controller.lease().map(|mut lease| lease.exchange(None)));
    for (open, node) in open.into_iter().zip(nodes) {
        let mut halves = node.take().expect("no block runs");
        open.close(halves.remove(0));
    }
    heard
}

/// Plugins that two bare runs find the same. The others are named: they differ from themselves, with no engine near.
fn repeatable(all: &[Named], signal: &[Vec<f32>], cuts: &[usize]) -> Vec<Named> {
    let (good, bad): (Vec<Named>, Vec<Named>) =
        all.iter().partition(|named| bare(&[**named], signal, cuts) == bare(&[**named], signal, cuts));
    for named in &bad {
        println!("{}: two bare runs differ", named.id);
    }
    good
}

fn check(all: &[Named]) {
    for channels in [1, 2] {
        let fits = |named: &&Named| {
            let mut open = named.open(MAX_BLOCK);
            let audio = open.travel();
            let fits = open.channels() == channels && open.main.ports().main_outputs() == channels;
            open.close(audio);
            fits
        };
        let fitting: Vec<Named> = all.iter().filter(fits).copied().collect();
        assert!(fitting.len() > 1, "{channels} channels: {fitting:?}");
        for size in SIZES {
            check_size(&fitting, &Noise::new(11).signal(channels.into(), FRAMES), size);
        }
    }
}

fn check_size(fitting: &[Named], signal: &[Vec<f32>], size: Option<usize>) {
    let cuts = cuts(FRAMES, size, 1024, 13);
    let good = repeatable(fitting, signal, &cuts);
    assert!(good.len() * 2 > fitting.len(), "only {good:?} of {fitting:?} are repeatable");
    for length in [1, 4, 8] {
        for first in (0..good.len()).step_by(length) {
            let named: Vec<Named> = (0..length).map(|i| good[(first + i) % good.len()]).collect();
            let ids: Vec<_> = named.iter().map(|named| named.id).collect();
            let (bare, chain) = (bare(&named, signal, &cuts), chain(&named, signal, &cuts));
            assert!(bare.iter().flatten().all(|x| x.is_finite()), "{ids:?} alone gives no numbers");
            assert!(bare == chain, "{ids:?}, blocks of {size:?}");
        }
    }
}

#[test]
fn zam_plugins() {
    check(ZAM);
}

#[test]
fn x42_plugins() {
    check(X42_EFFECTS);
}
