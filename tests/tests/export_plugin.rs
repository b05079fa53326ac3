//! A chain as a plugin of its own: it sounds as the chain in Catena does, has the mapped macros alone as parameters, keeps its state,
//! loads without Catena, is refused in itself, and is a member of other chains like any plugin.

use std::path::{Path, PathBuf};

use catena_tests::bundle::{Bundle, foreign_core, in_own_process};
use catena_tests::cli::{Home, samples, texts};
use catena_tests::container_host::{ClapFile, ClapHost, HostEvent};
use catena_tests::daw::with_fixtures;
use catena_tests::exports::{assert_valid, chain_file, export, exported, names, strip as packed};
use catena_tests::fixtures;
use catena_tests::lv2_host::{Kind, Lv2File, Lv2Host, Offer, Stored, log_lines};
use host_core::model::{IfFails, PluginId};
use host_core::store;

const BLOCK: usize = 256;
const BLOCKS: usize = 40;

/// Noise, the same each time.
fn noise(block: usize) -> Vec<f32> {
    let mut seed = block as u32 + 1;
    let next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32 - 0.5
    };
    std::iter::repeat_with(next).take(BLOCK).collect()
}

/// What noise becomes, with the macro at `level` from the middle on.
fn clap_sound(host: &mut ClapHost, id: u32, level: f64) -> Vec<f32> {
    host.activate(48_000.0, BLOCK as u32);
    let mut heard = Vec::new();
    for block in 0..BLOCKS {
        let moved = [HostEvent::Param(5, id, level)];
        let events: &[HostEvent] = if block == BLOCKS / 2 { &moved } else { &[] };
        let sound = noise(block);
        heard.extend_from_slice(&host.process(&[sound.clone(), sound], events).0[0][0]);
    }
    heard
}

fn lv2_sound(host: &mut Lv2Host, symbol: &str, level: f32) -> Vec<f32> {
    host.activate();
    let mut heard = Vec::new();
    for block in 0..BLOCKS {
        if block == BLOCKS / 2 {
            host.set(symbol, level);
        }
        let sound = noise(block);
        heard.extend_from_slice(&host.play(&[&sound, &sound], BLOCK as u32, &[]).0[0]);
    }
    heard
}

/// The largest difference in dBFS.
fn residual(one: &[f32], other: &[f32]) -> f64 {
    assert_eq!(one.len(), other.len());
    let most = one.iter().zip(other).map(|(a, b)| f64::from(a - b).abs()).fold(0.0, f64::max);
    20.0 * most.log10()
}

#[test]
fn it_sounds_like_the_chain_and_has_its_mapped_macros_in_clap() {
    with_fixtures("it_sounds_like_the_chain_and_has_its_mapped_macros_in_clap", || {
        let bundle = Bundle::new();
        let out = bundle.path().join("out");
        let file = chain_file(&out, "in.catena", &packed());
        let (done, said, err) =
            export(&file, "plugin", &out, &["--name", "Голос 1", "--maker", "Ann", "--category", "compressor"]);
        assert!(done && said.lines().count() == 2, "{said}{err}");
        assert!(err.contains("needs these plugins") && err.contains(&fixtures::clap_id("delay")), "{err}");
        let clap = ClapFile::open(&out.join("Голос 1.clap"));
        let id = format!("catena-chain.{}", store::export::slug("Голос 1"));
        let plugins = clap.plugins();
        assert_eq!((plugins.len(), plugins[0].id.as_str(), plugins[0].name.as_str()), (1, id.as_str(), "Голос 1"));

        let mut host = ClapHost::new(&clap, &id);
        let params = host.described();
        let told: Vec<_> = params.iter().map(|param| (param.name.as_str(), param.range[2])).collect();
        assert_eq!((told[0], told[1].1, told.len()), (("Level", 0.5), 0.8, 3), "{told:?}");
        assert_eq!(host.bypass_id(), Some(params[2].id));
        assert_eq!((host.value(params[0].id), host.value(params[1].id)), (0.5, 0.8));
        assert_eq!((host.pages().len(), host.pages()[0].2[..2].to_vec()), (1, vec![params[0].id, params[1].id]));

        let mut plain = ClapHost::new(&ClapFile::open(&bundle.clap()), "catena-audio.catena");
        assert!(plain.load(&packed()));
        let level = plain.macro_id(2);
        let (own, chain) = (clap_sound(&mut host, params[0].id, 0.125), clap_sound(&mut plain, level, 0.125));
        assert!(own.iter().any(|sample| sample.abs() > 0.03), "something is heard");
        assert_eq!(host.latency(), 100);
        assert!(residual(&own, &chain) < -144.0, "{} dBFS", residual(&own, &chain));

        // Its state holds what was turned.
        let saved = host.save().unwrap();
        let again = ClapHost::new(&clap, &id);
        assert!(again.load(&saved));
        assert_eq!(again.value(params[0].id), 0.125);
        assert_eq!(again.save().unwrap(), saved);
    });
}

#[test]
fn it_sounds_like_the_chain_and_has_its_mapped_macros_in_lv2() {
    with_fixtures("it_sounds_like_the_chain_and_has_its_mapped_macros_in_lv2", || {
        let bundle = Bundle::new();
        let out = bundle.path().join("out");
        let file = chain_file(&out, "in.catena", &packed());
        exported(&file, "plugin", &out, &["--id", "org.example.strip", "--category", "compressor"]);
        let folder = out.join("Strip.lv2");
        assert_valid(&folder, &[]);
        assert_eq!(names(&folder), ["chain.export", "chain.so", "manifest.ttl", "org.example.strip.ttl", "ports.txt"]);
        let lv2 = Lv2File::open(&folder);
        let uri = "urn:catena-chain:org.example.strip";
        assert_eq!((lv2.uris(), lv2.window_uris()), (vec![uri.to_owned()], vec![format!("{uri}#ui")]));
        let controls: Vec<_> = lv2
            .ports(uri)
            .iter()
            .filter(|port| port.kind == Kind::Control && port.input)
            .map(|port| (port.symbol.as_str(), port.name.as_str(), port.range.0))
            .collect();
        assert_eq!(controls[0], ("macro_2", "Level", 0.5));
        assert_eq!((controls[1].0, controls[1].2), ("macro_9", 0.8));
        assert_eq!(controls[2..].iter().map(|port| port.0).collect::<Vec<_>>(), ["lv2_enabled", "lv2_freewheel"]);

        let mut host = Lv2Host::new(&lv2, uri, Offer::all(BLOCK as i32));
        let mut plain =
            Lv2Host::new(&Lv2File::open(&bundle.lv2()), "urn:catena-audio:catena", Offer::all(BLOCK as i32));
        assert_eq!(plain.restore(&[Stored::chain(&packed())], None), 0);
        plain.set("macro_2", 0.5);
        plain.set("macro_9", 0.8);
        let (own, chain) = (lv2_sound(&mut host, "macro_2", 0.125), lv2_sound(&mut plain, "macro_2", 0.125));
        assert!(own.iter().any(|sample| sample.abs() > 0.03), "something is heard");
        assert!(residual(&own, &chain) < -144.0, "{} dBFS", residual(&own, &chain));
        let saved = host.save(None).1;
        assert_eq!(store::unpack(&saved[0].bytes).unwrap().macros[0].value, 0.125);
    });
}

/// Where the test below finds the plugins.
const PLACE: &str = "CATENA_TEST_EXPORTED";

/// Both plugins of that chain, exported in a folder that no core library is near; mute where they cannot run.
fn stranded(home: &Path, mute: bool) -> PathBuf {
    let mut chain = store::unpack(&packed()).unwrap();
    if mute {
        let id = chain.slots().next().unwrap().id;
        chain.slot_mut(id).unwrap().if_fails = IfFails::MuteChain;
    }
    let out = home.join("out");
    let file = chain_file(&out, "in.catena", &store::pack(&chain).unwrap());
    let more = ["--name", if mute { "mute" } else { "dry" }, "--force"];
    exported(&file, "plugin", &out, &more);
    out
}

#[test]
fn without_catena_it_is_dry_or_mute_and_says_what_to_install() {
    let prepare = |home: &Path| {
        stranded(home, false);
        vec![(PLACE, stranded(home, true))]
    };
    in_own_process("without_catena_it_is_dry_or_mute_and_says_what_to_install", prepare, |_| {
        let out = PathBuf::from(std::env::var_os(PLACE).unwrap());
        let ramp: Vec<f32> = (0..64).map(|i| i as f32 / 64.0).collect();
        for (name, mute) in [("dry", false), ("mute", true)] {
            let silent = vec![0.0; 64];
            let wanted = if mute { silent } else { ramp.clone() };
            let clap = ClapFile::open(&out.join(format!("{name}.clap")));
            let plugins = clap.plugins();
            let id = format!("catena-chain.{name}");
            assert_eq!((plugins.len(), plugins[0].id.as_str()), (1, id.as_str()));
            let does = if mute { "is silent" } else { "passes audio unchanged" };
            assert_eq!(plugins[0].name, format!("{name} (core library missing or older)"));
            let described = &plugins[0].description;
            assert!(described.contains("was not found") && described.contains(does), "{described}");
            let mut host = ClapHost::new(&clap, &id);
            assert!(host.load(b"what the DAW kept"));
            host.activate(48_000.0, 64);
            let (heard, _) = host.process(&[ramp.clone(), ramp.clone()], &[]);
            assert_eq!(heard, [[wanted.clone(), wanted.clone()]], "{name}");
            assert_eq!(host.save().as_deref(), Some(&b"what the DAW kept"[..]));

            let lv2 = Lv2File::open(&out.join(format!("{name}.lv2")));
            let uri = format!("urn:catena-chain:{name}");
            let mut host = Lv2Host::new(&lv2, &uri, Offer::all(64));
            let told = |line: &String| [&uri, "was not found", does].iter().all(|part| line.contains(part));
            assert!(log_lines().iter().any(told), "{:?}", log_lines());
            host.activate();
            assert_eq!(host.play(&[&ramp, &ramp], 64, &[]).0, [wanted.clone(), wanted], "{name}");
        }
    });
}

#[test]
fn an_older_catena_that_knows_no_such_plugins_is_named() {
    let prepare = |home: &Path| {
        let out = stranded(home, false);
        foreign_core(&out, env!("CARGO_PKG_VERSION"));
        vec![(PLACE, out)]
    };
    in_own_process("an_older_catena_that_knows_no_such_plugins_is_named", prepare, |_| {
        let out = PathBuf::from(std::env::var_os(PLACE).unwrap());
        let clap = ClapFile::open(&out.join("dry.clap"));
        let plugins = clap.plugins();
        assert!(plugins[0].name.starts_with("dry") && plugins[0].description.contains("older"), "{plugins:?}");
        let mut host = ClapHost::new(&clap, "catena-chain.dry");
        assert!(host.asked.log().iter().any(|line| line.contains("older")), "{:?}", host.asked.log());
        host.activate(48_000.0, 64);
        assert_eq!(host.process(&[vec![0.5; 64], vec![0.5; 64]], &[]).0, [[vec![0.5; 64], vec![0.5; 64]]]);
        let lv2 = Lv2File::open(&out.join("dry.lv2"));
        let mut host = Lv2Host::new(&lv2, "urn:catena-chain:dry", Offer::all(64));
        assert!(log_lines().iter().any(|line| line.contains("older")), "{:?}", log_lines());
        host.activate();
        assert_eq!(host.play(&[&[0.5; 64], &[0.5; 64]], 64, &[]).0, [vec![0.5; 64], vec![0.5; 64]]);
    });
}

#[test]
fn an_lv2_whose_chain_cannot_be_read_is_listed_dry_and_says_so() {
    let prepare = |home: &Path| {
        let out = stranded(home, false);
        std::fs::rename(out.join("dry.lv2"), out.join("gone.lv2")).unwrap();
        std::fs::remove_file(out.join("gone.lv2/chain.export")).unwrap();
        stranded(home, false);
        std::fs::write(out.join("dry.lv2/chain.export"), "cut off").unwrap();
        // With Catena beside it, which could run the chain.
        let core = out.join("libcatena.so");
        std::os::unix::fs::symlink(catena_tests::bundle::built("catena"), core).unwrap();
        vec![(PLACE, out)]
    };
    in_own_process("an_lv2_whose_chain_cannot_be_read_is_listed_dry_and_says_so", prepare, |_| {
        let out = PathBuf::from(std::env::var_os(PLACE).unwrap());
        for (folder, why) in [("gone.lv2", "chain.export cannot be read"), ("dry.lv2", "the chain is damaged")] {
            let lv2 = Lv2File::open(&out.join(folder));
            assert_eq!(lv2.uris(), ["urn:catena-chain:dry"], "{folder}");
            let mut host = Lv2Host::new(&lv2, "urn:catena-chain:dry", Offer::all(64));
            let told = |line: &String| line.contains(why) && line.contains("passes audio unchanged");
            assert!(log_lines().iter().any(told), "{folder}: {:?}", log_lines());
            host.activate();
            assert_eq!(host.play(&[&[0.5; 64], &[0.5; 64]], 64, &[]).0, [vec![0.5; 64], vec![0.5; 64]], "{folder}");
        }
    });
}

#[test]
fn with_the_engine_it_needs_no_catena() {
    let prepare = |home: &Path| {
        let out = home.join("dist");
        let file = chain_file(home, "in.catena", &packed());
        exported(&file, "plugin", &out, &["--with-engine", "--id", "catena-chain.strip"]);
        vec![(PLACE, out)]
    };
    in_own_process("with_the_engine_it_needs_no_catena", prepare, |_| {
        let out = PathBuf::from(std::env::var_os(PLACE).unwrap());
        assert_eq!(names(&out), ["Strip", "Strip.lv2"]);
        assert_eq!(names(&out.join("Strip")), ["catena-worker", "chain.clap", "libcatena.so"]);
        let clap = ClapFile::open(&out.join("Strip/chain.clap"));
        assert_eq!(clap.plugins()[0].name, "Strip");
        let lv2 = Lv2File::open(&out.join("Strip.lv2"));
        let host = Lv2Host::new(&lv2, "urn:catena-chain:strip", Offer::all(64));
        // No member is installed here: what is saved is the chain all the same.
        assert_eq!(store::unpack(&host.save(None).1[0].bytes).unwrap().slots().count(), 3);
    });
}

/// A home that sees the fixtures and what is exported into the same folder.
fn home() -> Home {
    for package in ["catena-entry-clap", "catena-entry-lv2"] {
        catena_tests::bundle::built(package);
    }
    let home = Home::of_fixtures();
    // Where the entries in its folder of plugins look.
    std::fs::create_dir(home.path("lib")).unwrap();
    std::os::unix::fs::symlink(catena_tests::bundle::built("catena"), home.path("lib/libcatena.so")).unwrap();
    home
}

#[test]
fn with_and_without_the_engine_are_one_plugin_and_never_both_there() {
    let home = home();
    home.ok(["new", "v.catena"]);
    let export = ["export", "v.catena", "--to", "plugin", "--id", "catena-chain.v"];
    home.ok(export);
    let engine = [&export[..], &["--with-engine", "--force"]].concat();
    let said = home.fails(1, &engine[..engine.len() - 1]);
    assert!(said.contains(".clap/v.clap") && said.contains("--force"), "{said}");
    assert!(!home.path(".clap/v").exists());
    home.ok(&engine);
    assert_eq!(names(&home.path(".clap")), ["v"]);
    home.ok([&export[..], &["--force"]].concat());
    assert_eq!(names(&home.path(".clap")), ["v.clap"]);
}

#[test]
fn without_a_folder_it_goes_where_hosts_look_and_half_of_it_is_nothing() {
    let home = home();
    home.ok(["new", "v.catena"]);
    for (to, places) in [
        ("plugin", &[".clap/v.clap", ".lv2/v.lv2/manifest.ttl"][..]),
        ("lv2-preset", &[".lv2/v.preset.lv2/preset.ttl"]),
        ("vstpreset", &[".vst3/presets/Catena/Catena/v.vstpreset"]),
        ("clap-preset", &["data/catena/chains/v.catena"]),
    ] {
        home.ok(["export", "v.catena", "--to", to]);
        places.iter().for_each(|place| assert!(home.path(place).is_file(), "{to}: {place}"));
        let said = home.fails(1, ["export", "v.catena", "--to", to]);
        assert!(said.contains("is there already"), "{to}: {said}");
    }
    // The CLAP is written first, and finds that the LV2 cannot be.
    std::fs::create_dir(home.path("out")).unwrap();
    std::fs::write(home.path("out/v.lv2"), "in the way").unwrap();
    home.fails(1, ["export", "v.catena", "--to", "plugin", "--out", "out", "--force"]);
    assert_eq!(names(&home.path("out")), ["v.lv2"]);
    for bad in ["", "with blank", "ключ"] {
        home.fails(2, ["export", "v.catena", "--to", "plugin", "--out", "out", "--id", bad]);
    }
}

#[test]
fn it_is_a_member_of_other_chains() {
    let home = home();
    let gain = format!("clap:{}", fixtures::clap_id("gain"));
    home.ok(["new", "half.catena", &gain]);
    home.ok(["edit", "half.catena", "set", "1", "100", "0.5"]);
    home.ok(["export", "half.catena", "--to", "plugin", "--out", "clap", "--name", "half"]);
    home.ok(["scan"]);
    home.sine("in.wav", 48_000, 4800);
    let render = |plugin: &str, out: &str| {
        home.ok(["new", "outer.catena", plugin, plugin, "--force"]);
        home.ok(["render", "in.wav", out, "--chain", "outer.catena", "--tail", "0", "--bits", "32f"]);
        samples(&home.path(out)).1
    };
    for (plugin, out) in [("clap:catena-chain.half", "clap.wav"), ("lv2:urn:catena-chain:half", "lv2.wav")] {
        let (heard, given) = (render(plugin, out), samples(&home.path("in.wav")).1);
        let ratio = heard[9000] / given[9000];
        assert!((ratio - 0.25).abs() < 1e-4, "{plugin}: {ratio}");
    }
}

#[test]
fn a_chain_that_holds_its_own_export_is_refused_by_name_however_deep() {
    let home = home();
    let gain = format!("clap:{}", fixtures::clap_id("gain"));
    home.ok(["new", "a.catena", &gain]);
    home.ok(["export", "a.catena", "--to", "plugin", "--out", "clap", "--name", "a"]);
    home.ok(["scan"]);
    home.ok(["new", "b.catena", "clap:catena-chain.a"]);
    let said = home.fails(1, ["export", "b.catena", "--to", "plugin", "--out", "clap", "--name", "a", "--force"]);
    assert!(said.contains("clap:catena-chain.a") && said.contains("--id"), "{said}");
    // A that holds B, which holds A.
    home.ok(["export", "b.catena", "--to", "plugin", "--out", "clap", "--name", "b"]);
    home.ok(["scan"]);
    home.ok(["new", "c.catena", "clap:catena-chain.b"]);
    home.ok(["export", "c.catena", "--to", "plugin", "--out", "clap", "--name", "a", "--force"]);
    home.ok(["scan", "--force"]);
    home.sine("in.wav", 48_000, 480);
    let output = home.catena(["render", "in.wav", "out.wav", "--chain", "b.catena", "--keep-going"]).output().unwrap();
    assert!(output.status.success(), "it ends: {:?}", texts(&output));
    assert!(home.path("out.wav").exists());
}

#[test]
fn it_is_refused_by_name_in_the_chain_that_it_is() {
    with_fixtures("it_is_refused_by_name_in_the_chain_that_it_is", || {
        let plugins = PathBuf::from(std::env::var_os("CLAP_PATH").unwrap());
        let home = plugins.parent().unwrap();
        std::fs::create_dir(home.join("lib")).unwrap();
        std::os::unix::fs::symlink(catena_tests::bundle::built("catena"), home.join("lib/libcatena.so")).unwrap();
        let file = chain_file(home, "in.catena", &packed());
        exported(&file, "plugin", &plugins, &["--id", "catena-chain.strip"]);
        let host = ClapHost::new(&ClapFile::open(&plugins.join("Strip.clap")), "catena-chain.strip");
        let mut chain = store::unpack(&packed()).unwrap();
        chain.insert(0, PluginId::clap("catena-chain.strip"));
        assert!(host.load(&store::pack(&chain).unwrap()));
        host.pump_until(|host| host.asked.log().iter().any(|line| line.contains("cannot be in itself")));
        let log = host.asked.log();
        let refused = log.iter().find(|line| line.contains("cannot be in itself"));
        assert!(refused.is_some_and(|line| line.contains("clap:catena-chain.strip")), "{log:?}");
    });
}

#[test]
fn only_what_was_exported_is_replaced_and_only_by_the_same_parameters() {
    let home = home();
    let gain = format!("clap:{}", fixtures::clap_id("gain"));
    home.ok(["new", "one.catena", &gain]);
    let force = ["export", "one.catena", "--to", "plugin", "--out", "out", "--name", "one", "--force"];
    // Another maker's, of either format: neither is touched.
    std::fs::create_dir_all(home.path("out/one.lv2")).unwrap();
    std::fs::write(home.path("out/one.lv2/manifest.ttl"), "other").unwrap();
    let said = home.fails(1, force);
    assert!(said.contains("one.lv2") && said.contains("choose another name"), "{said}");
    assert_eq!(
        (names(&home.path("out")), names(&home.path("out/one.lv2"))),
        (vec!["one.lv2".into()], vec!["manifest.ttl".into()])
    );
    std::fs::remove_dir_all(home.path("out/one.lv2")).unwrap();
    std::fs::write(home.path("out/one.clap"), "another maker's").unwrap();
    let said = home.fails(1, force);
    assert!(said.contains("one.clap") && said.contains("choose another name"), "{said}");
    assert_eq!(names(&home.path("out")), ["one.clap"]);
    assert_eq!(std::fs::read(home.path("out/one.clap")).unwrap(), b"another maker's");
    std::fs::remove_file(home.path("out/one.clap")).unwrap();

    home.ok(force);
    home.ok(force);
    let carried = || std::fs::read(home.path("out/one.lv2/chain.export")).unwrap();
    let before = carried();
    home.ok(["edit", "one.catena", "macro", "map", "1", "1", "@mix"]);
    let said = home.fails(1, force);
    assert!(said.contains("one.lv2") && said.contains("sessions know it by") && said.contains("--id"), "{said}");
    assert!(carried() == before, "nothing is written");
    home.ok([&force[..], &["--id", "org.example.one"]].concat());
    assert!(carried() != before);
    home.ok([&force[..], &["--id", "org.example.one", "--shape", "mono", "--new-ports"]].concat());
    let said = home.fails(1, [&force[..], &["--id", "org.example.one"]].concat());
    assert!(said.contains("--new-ports"), "{said}");
}
