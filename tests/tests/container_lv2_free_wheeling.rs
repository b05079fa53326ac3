//! What an LV2 host says on the freeWheeling port reaches every plugin inside, LV2 and CLAP, and back, without a restart.

use std::time::{Duration, Instant};

use catena_tests::bundle::{Bundle, in_own_process};
use catena_tests::fixtures_lv2;
use catena_tests::lv2_host::{Lv2File, Lv2Host, Offer, Stored};
use catena_tests::{daw, fixtures};
use host_core::model::Chain;

const URI: &str = "urn:catena-audio:catena";
const BLOCK: u32 = 64;
const PATIENCE: Duration = Duration::from_secs(60);

/// In a process where the fixtures of both formats are installed.
fn with_both(name: &str, body: impl FnOnce()) {
    let prepare = |home: &std::path::Path| {
        fixtures_lv2::lay_out(&home.join("lv2"));
        std::fs::create_dir(home.join("clap")).expect("a folder");
        std::fs::copy(fixtures::clap(), home.join("clap/harmless.clap")).expect("the fixtures");
        vec![("CLAP_PATH", home.join("clap")), ("LV2_PATH", home.join("lv2"))]
    };
    in_own_process(name, prepare, |_| body());
}

fn running(file: &Lv2File, state: &[u8]) -> Lv2Host {
    let mut host = Lv2Host::new(file, URI, Offer::all(BLOCK as i32));
    assert_eq!(host.restore(&[Stored::chain(state)], None), 0);
    host.activate();
    for _ in 0..40 {
        host.play(&[], BLOCK, &[]);
    }
    host
}

#[test]
fn an_lv2_plugin_inside_sees_the_port_in_the_same_block() {
    with_both("an_lv2_plugin_inside_sees_the_port_in_the_same_block", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let mut chain = Chain::default();
        chain.insert(0, fixtures_lv2::id("free-wheeling"));
        let mut host = running(&file, &host_core::store::pack(&chain).expect("a chain"));
        for (port, told) in [(0.0, 0.0), (1.0, 1.0), (1.0, 1.0), (0.0, 0.0), (1.0, 1.0)] {
            host.set("lv2_freewheel", port);
            let heard = host.play(&[], BLOCK, &[]).0.remove(0);
            assert!(heard.iter().all(|x| *x == told), "port {port}: {heard:?}");
        }
    });
}

#[test]
fn a_clap_plugin_inside_is_given_the_render_mode_while_it_runs() {
    with_both("a_clap_plugin_inside_is_given_the_render_mode_while_it_runs", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let mut host = running(&file, &daw::chain(&[("witness", &[])]));
        // The fixture writes the mode that it was given into its first frame: 1 live, 2 offline.
        for (port, told) in [(0.0, 1.0), (1.0, 2.0), (0.0, 1.0), (1.0, 2.0)] {
            host.set("lv2_freewheel", port);
            let end = Instant::now() + PATIENCE;
            loop {
                let heard = host.play(&[], BLOCK, &[]).0[0][0];
                if heard == told {
                    break;
                }
                assert!(Instant::now() < end, "port {port}: {heard}");
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        // And it stays so.
        for _ in 0..200 {
            assert_eq!(host.play(&[], BLOCK, &[]).0[0][0], 2.0);
            std::thread::sleep(Duration::from_millis(1));
        }
    });
}
