//! Pages of controls that a CLAP plugin offers are read, followed when they change, and mapped to macros in one step.

use catena_tests::cli::Home;
use catena_tests::session_bench::{add, block, fixtures_catalog, live, session, until};
use host_core::model::{Aim, MacroId, SlotId};
use host_core::session::{Command, EditError, MacroEdit, SessionHandle};

fn number(number: usize) -> MacroId {
    MacroId::new(number).unwrap()
}

fn map(handle: &SessionHandle, slot: SlotId, page: usize, first: Option<usize>) -> Result<(), EditError> {
    handle.apply(Command::MapPage { slot, page, first: first.map(number) }).map(drop)
}

/// Name and parameters of the macros that hold something, by number.
fn held(handle: &SessionHandle) -> Vec<(usize, Option<String>, Vec<String>)> {
    let chain = handle.chain().unwrap();
    let holds = chain.macros.iter().filter(|one| one.name.is_some() || !one.targets.is_empty());
    let keys = |one: &host_core::model::Macro| {
        let of = |aim: &Aim| if let Aim::Param(_, key) = aim { key.clone() } else { String::new() };
        one.targets.iter().map(|target| of(&target.aim)).collect()
    };
    holds.map(|one| (one.number.number(), one.name.clone(), keys(one))).collect()
}

#[test]
fn pages_are_shown_and_read_again_when_they_change() {
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let slot = add(&handle, "pages");
    let pages = || handle.snapshot().slots[0].pages.clone();
    let first = pages();
    assert_eq!((first.len(), first[0].title()), (1, "Main/Tone".into()));
    let key = |key: &str| Some(key.to_owned());
    let gaps = [key("100"), None, key("101"), key("102"), None, None, None, None];
    assert_eq!(first[0].controls, gaps, "what is no parameter is a gap");
    handle.send(Command::Param(slot, "103".into(), 1.0));
    assert!(until(|| {
        block(&mut processor, &mut [0.0; 64], &mut [0.0; 64]);
        pages().len() == 2
    }));
    let second = &pages()[1];
    assert_eq!((second.title(), second.of_preset), ("More".into(), true));
    assert_eq!(pages()[0], first[0]);
}

#[test]
fn a_page_becomes_eight_macros_in_its_order_and_nothing_is_heard() {
    let (handle, mut processor) = session(&fixtures_catalog());
    handle.activate(live(64)).unwrap();
    let slot = add(&handle, "pages");
    handle.apply(Command::Param(slot, "100".into(), 0.5)).unwrap();
    let mut heard = |blocks: usize| -> Vec<f32> {
        let run = |_| {
            let (mut left, mut right) = ([0.5; 64], [0.5; 64]);
            block(&mut processor, &mut left, &mut right);
            left
        };
        (0..blocks).flat_map(run).collect()
    };
    heard(40);
    handle.apply(Command::Macro(number(3), MacroEdit::Name(Some("Mine".into())))).unwrap();
    let mut during = vec![];
    std::thread::scope(|scope| {
        let mapping = scope.spawn(|| map(&handle, slot, 0, None).unwrap());
        while !mapping.is_finished() {
            during.extend(heard(1));
        }
    });
    during.extend(heard(20));
    assert!(during.iter().all(|x| *x == 0.25), "{:?}", during.iter().find(|x| **x != 0.25));
    // 1 to 8 hold a name of the user's: the page begins at 9. What the plugin only tells is no macro.
    let named = |at, name: &str, key: &str| (at, Some(name.to_owned()), vec![key.to_owned()]);
    let expected = [(3, Some("Mine".into()), vec![]), named(9, "level", "100"), named(11, "tone", "101")];
    assert_eq!(held(&handle), expected);
    assert_eq!((handle.macros().value(8), handle.macros().value(10)), (0.25, 0.75), "0.5 of 0..2, -6 of -60..12");
    // The same once more changes nothing; another place keeps the user's name.
    map(&handle, slot, 0, Some(9)).unwrap();
    assert_eq!(held(&handle), expected);
    map(&handle, slot, 0, Some(1)).unwrap();
    assert_eq!(held(&handle)[1], (3, Some("Mine".into()), vec!["101".into()]));
}

#[test]
fn a_page_is_mapped_whole_or_not_at_all() {
    let (handle, _processor) = session(&fixtures_catalog());
    let (slot, other) = (add(&handle, "pages"), add(&handle, "gain"));
    assert!(matches!(map(&handle, slot, 1, None), Err(EditError::NoPage { page: 2, count: 1, .. })));
    assert!(matches!(map(&handle, other, 0, None), Err(EditError::NoPage { count: 0, .. })));
    assert!(matches!(map(&handle, SlotId(99), 0, None), Err(EditError::NoSlot(_))));
    assert!(matches!(map(&handle, slot, 0, Some(127)), Err(EditError::PastMacros)));
    let aim = Aim::Param(other, "100".into());
    handle.apply(Command::Macro(number(3), MacroEdit::Map { aim, range: None })).unwrap();
    assert!(matches!(map(&handle, slot, 0, Some(1)), Err(EditError::MacroTaken(taken)) if taken == number(3)));
    assert_eq!(held(&handle), [(3, None, vec!["100".into()])], "nothing of it is left");
    for first in (1..=128).step_by(8) {
        handle.apply(Command::Macro(number(first), MacroEdit::Name(Some("held".into())))).unwrap();
    }
    assert!(matches!(map(&handle, slot, 0, None), Err(EditError::NoFreeMacros)));
}

#[test]
fn pages_are_listed_and_mapped_on_the_command_line() {
    let home = Home::of_fixtures();
    let shown = home.ok(["info", "catena.fixture.pages"]);
    assert!(shown.contains("Main/Tone") && shown.contains("level, -, tone, meter, -"), "{shown}");
    let told = home.json(["info", "catena.fixture.pages", "--json"]);
    assert_eq!(told["pages"][0]["controls"][2], "101");
    home.ok(["new", "a.catena", "catena.fixture.pages"]);
    home.ok(["edit", "a.catena", "macro", "page", "1", "tone", "17"]);
    let chain = home.json(["show", "a.catena", "--json"]);
    let of = |at: usize| (chain["macros"][at]["number"].clone(), chain["macros"][at]["name"].clone());
    assert_eq!((of(0), of(1)), ((17.into(), "level".into()), (19.into(), "tone".into())));
    let said = home.fails(2, ["edit", "a.catena", "macro", "page", "1", "nonsense"]);
    assert!(said.contains("has no page"), "{said}");
    let said = home.fails(2, ["edit", "a.catena", "macro", "page", "1", "4"]);
    assert!(said.contains("no page 4") && said.contains("it has 1"), "{said}");
}
