//! Every note that the LV2 plugins began in a slot is ended in their atom port when nobody else can end it: when the slot is bypassed,
//! removed, replaced, moved to another source or restarted, when the whole chain is bypassed, and by the panic button.

use std::time::{Duration, Instant};

use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, with_fixtures};
use catena_tests::host_window::{HostWindow, on_a_screen};
use catena_tests::lv2_host::{Lv2File, Lv2Host, Lv2Window, Offer, Played, Stored};
use host_core::model::{Adapt, Aim, Chain, Law, MacroId, MidiSettings, MidiSource, PluginId, Slot, Target};
use host_core::store;

const URI: &str = "urn:catena-audio:catena";
const BLOCK: u32 = 64;
const PATIENCE: Duration = Duration::from_secs(60);
const ON: [u8; 3] = [0x92, 60, 99];
/// What comes out of the slot, an octave higher, and its end.
const MADE: [u8; 3] = [0x92, 72, 99];
const ENDED: [u8; 3] = [0x82, 72, 64];

/// A plugin that sends on what it hears, an octave higher; its slot is bypassed by macro 1.
fn echo(change: impl FnOnce(&mut Slot)) -> Stored {
    let mut chain = store::unpack(&chain(&[("note-echo", &[])])).expect("a chain");
    let id = chain.slots().next().expect("a slot").id;
    let bypass = Target::new(Aim::Bypass(id), Law::straight(0.0, 1.0));
    chain.macro_mut(MacroId::new(1).expect("a macro")).targets.push(bypass);
    let slot = chain.slot_mut(id).expect("a slot");
    slot.midi = MidiSettings { transpose: 12, ..MidiSettings::default() };
    change(slot);
    Stored::chain(&store::pack(&chain).expect("a chain"))
}

/// The messages of a block with `sent` in it.
fn block(host: &mut Lv2Host, sent: &[Played]) -> Vec<Vec<u8>> {
    let events = host.play(&[], BLOCK, sent).1.into_iter();
    let midi = events.filter_map(|event| if let Played::Midi(_, bytes) = event { Some(bytes) } else { None });
    midi.collect()
}

/// Runs blocks until `wanted` comes out; what came before it.
fn until(host: &mut Lv2Host, wanted: &[u8], mut meanwhile: impl FnMut()) -> Vec<Vec<u8>> {
    let (end, mut heard) = (Instant::now() + PATIENCE, Vec::new());
    loop {
        for bytes in block(host, &[]) {
            if bytes == wanted {
                return heard;
            }
            heard.push(bytes);
        }
        assert!(Instant::now() < end, "{wanted:02x?} never came; heard {heard:02x?}");
        meanwhile();
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A host whose slot holds a note.
fn holding(file: &Lv2File) -> Lv2Host {
    let mut host = Lv2Host::new(file, URI, Offer::all(BLOCK as i32));
    assert_eq!(host.restore(&[echo(|_| ())], None), 0);
    host.activate();
    for _ in 0..30 {
        block(&mut host, &[]);
    }
    assert_eq!(block(&mut host, &[Played::Midi(0, ON.into())]), [MADE]);
    host
}

#[test]
fn a_note_is_ended_whatever_becomes_of_its_slot() {
    with_fixtures("a_note_is_ended_whatever_becomes_of_its_slot", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let restore = |host: &mut Lv2Host, state: Stored| assert_eq!(host.restore(&[state], None), 0);
        type Change<'a> = &'a dyn Fn(&mut Lv2Host);
        let changes: [(&str, Change<'_>); 7] = [
            ("bypassed", &|host| host.set("macro_1", 1.0)),
            ("the chain bypassed", &|host| host.set("lv2_enabled", 0.0)),
            ("removed", &|host| restore(host, Stored::chain(&chain(&[])))),
            ("replaced", &|host| restore(host, Stored::chain(&chain(&[("gain", &[])])))),
            ("replaced where it stands", &|host| {
                restore(host, echo(|slot| slot.plugin = PluginId::clap(catena_tests::fixtures::clap_id("gain"))));
            }),
            ("moved to another source", &|host| restore(host, echo(|slot| slot.midi.source = MidiSource::None))),
            ("opened anew", &|host| restore(host, echo(|slot| slot.adapt = Adapt::Map))),
        ];
        for (what, change) in changes {
            let mut host = holding(&file);
            change(&mut host);
            let before = until(&mut host, &ENDED, || ());
            assert!(before.is_empty(), "{what}: {before:02x?}");
            // Once, and nothing after it.
            assert_eq!((0..20).flat_map(|_| block(&mut host, &[])).count(), 0, "{what}");
        }
    });
}

#[test]
fn a_note_is_ended_where_the_host_starts_the_plugin_anew() {
    with_fixtures("a_note_is_ended_where_the_host_starts_the_plugin_anew", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let mut host = holding(&file);
        host.deactivate();
        host.activate();
        let before = until(&mut host, &ENDED, || ());
        assert!(before.is_empty(), "{before:02x?}");
    });
}

#[test]
fn notes_of_every_channel_end_with_their_slot() {
    with_fixtures("notes_of_every_channel_end_with_their_slot", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let mut host = holding(&file);
        let on: Vec<_> = (0..16).map(|channel| Played::Midi(channel, vec![0x90 | channel as u8, 40, 1])).collect();
        block(&mut host, &on);
        host.set("macro_1", 1.0);
        let mut ended = Vec::new();
        let end = Instant::now() + PATIENCE;
        while ended.len() < 17 {
            assert!(Instant::now() < end, "{ended:02x?}");
            ended.extend(block(&mut host, &[]));
        }
        ended.sort();
        let mut wanted: Vec<_> = (0..16).map(|channel| vec![0x80 | channel, 52, 64]).collect();
        wanted.push(ENDED.into());
        wanted.sort();
        assert_eq!(ended, wanted);
    });
}

#[test]
fn the_panic_button_ends_them_and_changes_no_setting() {
    on_a_screen("the_panic_button_ends_them_and_changes_no_setting", &[], || {
        let (bundle, desk) = (Bundle::new(), HostWindow::new());
        let file = Lv2File::open(&bundle.lv2());
        let mut host = holding(&file);
        let saved: Chain = store::unpack(&host.save(None).1[0].bytes).expect("a chain");
        let window = Lv2Window::open(&file, &host, URI, desk.parent, 1.0).expect("a window");
        let mut clicked: Option<Instant> = None;
        let before = until(&mut host, &ENDED, || {
            assert!(window.idle());
            // It may not be drawn yet.
            if clicked.is_none_or(|at| at.elapsed() > Duration::from_secs(2)) {
                desk.click(PANIC.0, PANIC.1);
                clicked = Some(Instant::now());
            }
        });
        assert!(before.is_empty(), "{before:02x?}");
        drop(window);
        assert_eq!(store::unpack(&host.save(None).1[0].bytes).expect("a chain"), saved);
    });
}

/// The button, pixels of the window.
const PANIC: (i16, i16) = (871, 20);
