//! A program that is killed while it writes a chain leaves the old one or the new one, whole.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use catena_tests::rig::Noise;
use catena_tests::session_bench::until;
use host_core::model::{Chain, PluginId, PluginState};
use host_core::store;

const FOLDER: &str = "CATENA_TEST_KILLED_WRITER";
/// How often a writer is killed.
const KILLS: u64 = 40;

/// One of two chains, larger than what a system writes at once.
fn chain(which: u8) -> Chain {
    let mut chain = Chain { name: format!("chain {which}"), ..Chain::default() };
    for _ in 0..4 {
        let id = chain.insert(0, PluginId::clap("a"));
        let bytes = Noise::new(u64::from(which) + 1).bytes(256 * 1024);
        chain.slot_mut(id).unwrap().state = Some(PluginState { bytes: bytes.into(), assets: Default::default() });
    }
    chain
}

#[test]
fn a_writer_that_is_killed_leaves_the_old_chain_or_the_new_one() {
    if let Ok(folder) = std::env::var(FOLDER) {
        let (one, two) = (chain(1), chain(2));
        std::fs::write(Path::new(&folder).join("begun"), b"").unwrap();
        for chain in [&one, &two].into_iter().cycle() {
            for name in ["x.catena", "x.catena.d"] {
                store::write(&Path::new(&folder).join(name), chain).unwrap();
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let paths = ["x.catena", "x.catena.d"].map(|name| folder.path().join(name));
    paths.iter().for_each(|path| store::write(path, &chain(1)).unwrap());
    let mut seen = [0; 3];
    for round in 0..KILLS {
        let mut writer = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_writer_that_is_killed_leaves_the_old_chain_or_the_new_one"])
            .env(FOLDER, folder.path())
            .spawn()
            .unwrap();
        // The first comes to the end of a write, the others are killed anywhere in the two or three that this is time for.
        assert!(until(|| folder.path().join("begun").exists()), "the writer begins");
        if round == 0 {
            assert!(until(|| store::read(&paths[0]).is_ok_and(|read| read == chain(2))), "the other chain is written");
        }
        std::thread::sleep(Duration::from_micros((round * 7_919) % 100_000));
        writer.kill().unwrap();
        writer.wait().unwrap();
        std::fs::remove_file(folder.path().join("begun")).unwrap();
        for path in &paths {
            let read = store::read(path).unwrap_or_else(|error| panic!("kill {round}: {error}"));
            let which = [1, 2].into_iter().find(|which| read == chain(*which));
            seen[which.unwrap_or_else(|| panic!("kill {round}: a third chain, {}", read.name)) as usize] += 1;
        }
    }
    assert!(seen[1] > 0 && seen[2] > 0, "nothing was written between the kills: {seen:?}");
}
