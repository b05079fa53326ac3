//! The next controller that comes turns the macro that waits for it; that belongs to the machine, or to the chain by choice, and
//! survives a file that is broken.

use std::path::Path;

use catena_tests::bundle::in_own_process;
use catena_tests::session_bench::{block_with, fixtures_catalog, live, session, until};
use host_core::engine::Processor;
use host_core::model::{Controller, Folders, MacroId};
use host_core::session::{
    Assignment, CatalogSource, Command, ControllerView, EditError, MacroEdit, Purpose, SessionConfig, SessionHandle,
};

fn number(number: usize) -> MacroId {
    MacroId::new(number).unwrap()
}

fn controller(channel: u8, number: u8, wide: bool) -> Controller {
    Controller::new(channel, number, wide).unwrap()
}

fn alone(name: &str, body: impl FnOnce(&Path)) {
    in_own_process(name, |_| vec![], |_| body(&Folders::from_env().controllers()));
}

fn running() -> (SessionHandle, Processor) {
    let (handle, processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    (handle, processor)
}

fn turn(processor: &mut Processor, midi: &[(u16, &[u8])]) {
    block_with(processor, &mut [0.0; 64], &mut [0.0; 64], midi);
}

fn shown(handle: &SessionHandle, at: usize) -> Option<ControllerView> {
    handle.snapshot().macros.iter().find(|view| view.number == number(at))?.controller
}

fn learn(handle: &SessionHandle, at: usize, in_chain: bool) {
    handle.apply(Command::Macro(number(at), MacroEdit::LearnController { on: true, in_chain })).unwrap();
    assert!(until(|| handle.snapshot().learning_controller == Some(number(at))));
}

#[test]
fn the_machine_keeps_it_and_every_session_of_it_follows() {
    alone("the_machine_keeps_it_and_every_session_of_it_follows", |file| {
        let (handle, mut processor) = running();
        let (other, mut others) = running();
        learn(&handle, 5, false);
        turn(&mut processor, &[(0, &[0x92, 60, 1]), (1, &[0xB2, 123, 0]), (2, &[0xB2, 20, 9])]);
        let machine = |wide| Some(ControllerView { controller: controller(3, 20, wide), in_chain: false });
        assert!(until(|| shown(&handle, 5) == machine(false)));
        assert_eq!(handle.snapshot().learning_controller, None);
        assert!(!handle.snapshot().dirty, "no edit of the chain");
        // The finer half comes a little later.
        turn(&mut processor, &[(0, &[0xB2, 52, 9])]);
        assert!(until(|| shown(&handle, 5) == machine(true)));
        assert!(until(|| shown(&other, 5) == machine(true)), "without being told");
        // The knob is at 9, the macro at 0: down, and up.
        let up = || {
            turn(&mut others, &[(0, &[0xB2, 20, 0]), (1, &[0xB2, 20, 64])]);
            other.macros().value(4) == 8192.0 / 16_383.0
        };
        assert!(until(up));
        let written = std::fs::read_to_string(file).unwrap();
        let json: serde_json::Value = serde_json::from_str(&written).unwrap();
        assert_eq!(json["macros"][0]["macro"], 5, "{written}");
        // It moves one macro: learnt again, it leaves the first.
        learn(&handle, 9, false);
        turn(&mut processor, &[(0, &[0xB2, 20, 1])]);
        assert!(until(|| shown(&handle, 9).is_some() && shown(&handle, 5).is_none()));
        // Learning may be given up.
        learn(&handle, 1, false);
        handle.apply(Command::Macro(number(1), MacroEdit::LearnController { on: false, in_chain: false })).unwrap();
        turn(&mut processor, &[(0, &[0xB2, 30, 1])]);
        std::thread::sleep(std::time::Duration::from_millis(100));
        assert_eq!(shown(&handle, 1), None);
    });
}

#[test]
fn the_chain_keeps_it_by_choice_and_comes_first() {
    alone("the_chain_keeps_it_by_choice_and_comes_first", |file| {
        let (handle, mut processor) = running();
        let assign = |at, to| handle.apply(Command::Macro(number(at), MacroEdit::Assign(to)));
        assign(1, Assignment::Machine(controller(1, 7, false))).unwrap();
        learn(&handle, 1, true);
        turn(&mut processor, &[(0, &[0xB0, 74, 9])]);
        let own = Some(ControllerView { controller: controller(1, 74, false), in_chain: true });
        assert!(until(|| shown(&handle, 1) == own));
        assert!(handle.snapshot().dirty);
        turn(&mut processor, &[(0, &[0xB0, 7, 0]), (0, &[0xB0, 7, 127])]);
        assert_eq!(handle.macros().value(0), 0.0, "the machine's is set aside");
        // The same controller for two macros: the chain's.
        assign(2, Assignment::Machine(controller(1, 74, false))).unwrap();
        let up = || {
            turn(&mut processor, &[(0, &[0xB0, 74, 0]), (0, &[0xB0, 74, 127])]);
            handle.macros().value(0) == 1.0
        };
        assert!(until(up));
        assert_eq!(handle.macros().value(1), 0.0);
        // The file knows nothing of the chain's; another session gets the chain with it.
        let written: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        assert_eq!(written["macros"][0], serde_json::json!({ "macro": 1, "channel": 1, "number": 7 }));
        let (again, _processor) = running();
        again.load(&handle.save().unwrap()).unwrap();
        assert!(until(|| shown(&again, 1) == own));
        assign(1, Assignment::Nothing).unwrap();
        assert!(until(|| shown(&handle, 1).is_none()), "here and there");
        assert_eq!(assign(1, Assignment::Nothing), Err(EditError::NoController(number(1))));
    });
}

#[test]
fn a_render_knows_the_chains_alone() {
    alone("a_render_knows_the_chains_alone", |_| {
        let config = SessionConfig {
            purpose: Purpose::Offline,
            channels: 2,
            sidechain: 0,
            aux: 0,
            catalog: CatalogSource::Given(fixtures_catalog()),
        };
        let (handle, mut processor) = SessionHandle::open(config).unwrap();
        handle.activate(live(64)).unwrap();
        let assign = |at, to| handle.apply(Command::Macro(number(at), MacroEdit::Assign(to))).unwrap();
        assign(1, Assignment::Machine(controller(1, 1, false)));
        assign(2, Assignment::Chain(controller(1, 2, false)));
        let moved = || {
            turn(&mut processor, &[(0, &[0xB0, 1, 0]), (1, &[0xB0, 1, 127]), (0, &[0xB0, 2, 0]), (1, &[0xB0, 2, 127])]);
            handle.macros().value(1) == 1.0
        };
        assert!(until(moved));
        assert_eq!(handle.macros().value(0), 0.0);
    });
}

#[test]
fn a_broken_file_is_said_kept_and_replaced_by_the_next_assignment() {
    alone("a_broken_file_is_said_kept_and_replaced_by_the_next_assignment", |file| {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        let broken = b"{\"version\":1,\"macros\":[{\"mac\xff";
        std::fs::write(file, broken).unwrap();
        let (handle, _processor) = running();
        assert!(until(|| handle.snapshot().notice.contains("controllers.json")), "{}", handle.snapshot().notice);
        assert_eq!(std::fs::read(file).unwrap(), broken, "left as it is");
        let to = Assignment::Machine(controller(1, 7, false));
        handle.apply(Command::Macro(number(1), MacroEdit::Assign(to))).unwrap();
        assert!(until(|| shown(&handle, 1).is_some()));
        let aside = file.with_extension("json.broken");
        assert_eq!(std::fs::read(&aside).unwrap(), broken);
        assert!(until(|| handle.snapshot().notice.contains("json.broken")), "{}", handle.snapshot().notice);
        assert!(serde_json::from_slice::<serde_json::Value>(&std::fs::read(file).unwrap()).is_ok());
        // The file goes away: so do its assignments.
        std::fs::remove_file(file).unwrap();
        assert!(until(|| shown(&handle, 1).is_none()));
    });
}
