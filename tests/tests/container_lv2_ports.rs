//! What a host reads of the LV2 plugins before it opens them: the same as the library has, by the specifications, and the
//! same in every version.

use catena_tests::bundle::{Bundle, in_own_process};
use catena_tests::exports::assert_valid;
use catena_tests::lv2_host::{Kind, Lv2File, PortInfo};

const URIS: [&str; 4] = [
    "urn:catena-audio:catena",
    "urn:catena-audio:catena-mono",
    "urn:catena-audio:catena-surround",
    "urn:catena-audio:catena-instrument",
];

/// Main inputs, sidechain, outputs.
const CHANNELS: [(usize, usize, usize); 4] = [(2, 2, 2), (1, 2, 1), (8, 2, 8), (0, 0, 18)];

#[test]
fn the_library_has_what_the_turtle_tells() {
    in_own_process(
        "the_library_has_what_the_turtle_tells",
        |_| vec![],
        |_| {
            let bundle = Bundle::new();
            let file = Lv2File::open(&bundle.lv2());
            assert_eq!(file.uris(), URIS);
            assert_eq!(file.window_uris(), URIS.map(|uri| format!("{uri}#ui")));
            for (uri, (inputs, side, outputs)) in URIS.into_iter().zip(CHANNELS) {
                let ports = file.ports(uri);
                let marked = |port: &PortInfo, mark: &str| port.marks.iter().any(|own| own == mark);
                let count = |kind, input, side| {
                    let of = |port: &&PortInfo| {
                        port.kind == kind && port.input == input && marked(port, "isSideChain") == side
                    };
                    ports.iter().filter(of).count()
                };
                assert_eq!(
                    (count(Kind::Audio, true, false), count(Kind::Audio, true, true), count(Kind::Audio, false, false)),
                    (inputs, side, outputs),
                    "{uri}"
                );
                assert_eq!((count(Kind::Atom, true, false), count(Kind::Atom, false, false)), (1, 1), "{uri}");
                let controls: Vec<_> = ports.iter().take_while(|port| port.kind == Kind::Control).collect();
                let [.., enabled, free, latency] = controls.as_slice() else { panic!("{controls:?}") };
                assert!(marked(enabled, "enabled") && enabled.range == (1.0, 0.0, 1.0), "{enabled:?}");
                assert!(marked(free, "freeWheeling"), "{free:?}");
                assert!(marked(latency, "reportsLatency") && !latency.input, "{latency:?}");
                assert_eq!(latency.range.2, 262_144.0, "{latency:?}");
            }
        },
    );
}

/// URI, then index and symbol of each port: what sessions save values, automation and connections by.
const PINNED: &str = include_str!("container_lv2_ports.txt");

#[test]
fn ports_and_symbols_are_those_of_every_version_before() {
    in_own_process(
        "ports_and_symbols_are_those_of_every_version_before",
        |_| vec![],
        |_| {
            let bundle = Bundle::new();
            let file = Lv2File::open(&bundle.lv2());
            let ports = |uri: &str| -> String {
                let lines = file.ports(uri).iter().enumerate();
                lines.map(|(index, port)| format!("{index} {}\n", port.symbol)).collect()
            };
            let found: String = URIS.iter().map(|uri| format!("{uri}\n{}", ports(uri))).collect();
            let odd = found.lines().zip(PINNED.lines()).find(|(found, pinned)| found != pinned);
            assert_eq!(odd, None, "(found, pinned): sessions of users would lose it");
            assert_eq!(found.lines().count(), PINNED.lines().count());
        },
    );
}

#[test]
fn the_validator_finds_no_error() {
    in_own_process(
        "the_validator_finds_no_error",
        |_| vec![],
        |_| {
            let bundle = Bundle::new();
            let files = std::fs::read_dir(bundle.lv2()).expect("the bundle").map(|file| file.expect("a file").path());
            let turtle: Vec<_> = files.filter(|path| path.extension().is_some_and(|ttl| ttl == "ttl")).collect();
            assert_eq!(turtle.len(), 5, "a manifest and four plugins: {turtle:?}");
            assert_valid(&bundle.lv2(), &[]);
        },
    );
}
