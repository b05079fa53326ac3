//! `catena qualify`: what is measured of a plugin, how long it is known, and what it is used for.

use catena_tests::cli::Home;
use catena_tests::fixtures::clap_id;
use serde_json::Value;

fn id(name: &str) -> String {
    format!("clap:{}", clap_id(name))
}

fn qualify(home: &Home, name: &str) -> Value {
    home.json(["qualify", &id(name), "--json"])["qualified"].clone()
}

#[test]
fn a_verdict_is_kept_with_what_it_rests_on_and_shown_by_info() {
    let home = Home::of_fixtures();
    assert!(!home.ok(["info", &id("gain")]).contains("qualified"));
    let found = qualify(&home, "gain");
    assert_eq!(
        (&found["safe"], &found["deterministic"], &found["gets_helpers"]),
        (&true.into(), &true.into(), &false.into())
    );
    assert!(found["watched"].as_u64().unwrap() >= 100, "{found}");
    assert!(found["state"].is_u64() && found["state_problem"].is_null() && found["helpers"].is_null(), "{found}");
    assert_eq!(found["costs"].as_array().unwrap().len(), 16, "four rates, four lengths");
    assert!(found["costs"].as_array().unwrap().iter().all(|cost| cost["nanos"].as_u64().unwrap() > 0));
    assert_eq!(found["latency"].as_array().unwrap().len(), 4);
    let text = home.ok(["info", &id("gain")]);
    assert!(text.contains("nothing seen that waits") && text.contains("it asked for none here"), "{text}");
    assert_eq!(home.json(["info", &id("gain"), "--json"])["qualified"], found);
}

#[test]
fn what_waits_loses_its_state_or_lies_is_told() {
    let home = Home::of_fixtures();
    let sleeps = qualify(&home, "sleeps");
    assert_eq!(sleeps["safe"], false);
    assert!(sleeps["waits"].as_u64().unwrap() >= sleeps["watched"].as_u64().unwrap(), "{sleeps}");
    let refuses = qualify(&home, "refuse-state");
    assert!(refuses["state"].is_null() && refuses["state_problem"].is_string(), "{refuses}");
    let text = home.ok(["qualify", &id("latency-lie")]);
    assert!(text.contains("reported 32, measured 0 frames at 48000 Hz, wrong"), "{text}");
}
