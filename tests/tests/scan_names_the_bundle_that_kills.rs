//! A bundle whose Turtle kills or holds up whoever reads it is listed with its reason; all others are listed as good, and the
//! next scan leaves it alone until it changes.

use std::path::Path;

use catena_tests::scan_bench::Bench;
use host_core::model::{Catalog, PluginId};

const PREFIXES: &str = "\
@prefix doap: <http://usefulinc.com/ns/doap#> .
@prefix lv2: <http://lv2plug.in/ns/lv2core#> .
@prefix pset: <http://lv2plug.in/ns/ext/presets#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
";

fn bundle(bench: &Bench, name: &str, manifest: &str, files: &[(&str, &str)]) {
    let folder = bench.paths.lv2[0].join(format!("{name}.lv2"));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("fixtures.so"), "").unwrap();
    std::fs::write(folder.join("manifest.ttl"), format!("{PREFIXES}{manifest}")).unwrap();
    for (file, text) in files {
        std::fs::write(folder.join(file), format!("{PREFIXES}{text}")).unwrap();
    }
}

/// A bundle with one plugin, which is as good as a description can show, but for what `more` says of it.
fn plugin(bench: &Bench, name: &str, more: &str) {
    let manifest = format!("<urn:scan:{name}> a lv2:Plugin ; lv2:binary <fixtures.so> ; rdfs:seeAlso <about.ttl> .\n");
    let about = format!(
        "<urn:scan:{name}> doap:name \"{name}\" ; lv2:port [ a lv2:InputPort , lv2:AudioPort ; lv2:index 0 ;
 lv2:symbol \"in\" ; lv2:name \"In\" ] .\n{more}"
    );
    bundle(bench, name, &manifest, &[("about.ttl", &about)]);
}

/// Text that the reader of Turtle descends into until its stack is at its end.
fn bottomless() -> String {
    let deep = 400_000;
    format!("<urn:deep> <urn:p> {}\"x\"{} .\n", "[ <urn:p> ".repeat(deep), " ]".repeat(deep))
}

/// A file whose opening never comes back.
fn endless(path: &Path) {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR, 0).unwrap();
}

fn plugins(catalog: &Catalog) -> Vec<&str> {
    catalog.plugins.iter().map(|entry| entry.id.id.as_str()).collect()
}

fn bad(catalog: &Catalog) -> Vec<(String, String)> {
    let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut bad: Vec<_> = catalog.bad.iter().map(|bad| (name(&bad.path), bad.reason.clone())).collect();
    bad.sort();
    bad
}

#[test]
fn one_that_kills_is_named_and_the_others_are_good() {
    let bench = Bench::new();
    for name in ["alpha", "beta", "gamma"] {
        plugin(&bench, name, "");
    }
    plugin(&bench, "crashes", &bottomless());
    bundle(&bench, "crashes-early", &bottomless(), &[]);
    let (catalog, _) = bench.scan(false);
    assert_eq!(plugins(&catalog), ["urn:scan:alpha", "urn:scan:beta", "urn:scan:gamma"], "{:?}", catalog.bad);
    let bad = bad(&catalog);
    assert_eq!(bad.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["crashes", "crashes-early"]);
    assert!(bad.iter().all(|(_, reason)| reason.starts_with("crashed (")), "{bad:?}");
}

#[test]
fn one_that_hangs_is_named_costs_its_time_once_and_is_looked_at_again_when_it_changes() {
    let bench = Bench::new();
    plugin(&bench, "alpha", "");
    plugin(&bench, "hangs", "");
    let file = bench.paths.lv2[0].join("hangs.lv2/about.ttl");
    let text = std::fs::read(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    endless(&file);
    let (catalog, _) = bench.scan(false);
    assert_eq!(plugins(&catalog), ["urn:scan:alpha"]);
    assert_eq!(bad(&catalog), [("hangs".to_owned(), "did not answer within 2 s".to_owned())]);

    // Another bundle comes: all are described again, but for the one that hung.
    plugin(&bench, "beta", "");
    let begun = std::time::Instant::now();
    let (catalog, _) = bench.scan(false);
    assert!(begun.elapsed() < std::time::Duration::from_secs(2), "it was waited for again: {:?}", begun.elapsed());
    assert_eq!(plugins(&catalog), ["urn:scan:alpha", "urn:scan:beta"]);
    assert_eq!(bad(&catalog).len(), 1);
    assert_eq!(host_core::scan::cached(&bench.folders), Some(catalog));

    std::fs::remove_file(&file).unwrap();
    std::fs::write(&file, text).unwrap();
    let (catalog, _) = bench.scan(false);
    assert_eq!(plugins(&catalog), ["urn:scan:alpha", "urn:scan:beta", "urn:scan:hangs"]);
    assert_eq!(bad(&catalog), []);
}

#[test]
fn a_bundle_of_presets_or_of_a_specification_is_told_from_the_plugin_it_speaks_of() {
    let bench = Bench::new();
    plugin(&bench, "alpha", "");
    let preset = "<urn:scan:alpha#p> a pset:Preset ; lv2:appliesTo <urn:scan:alpha> ; rdfs:seeAlso <p.ttl> .\n";
    bundle(&bench, "presets", preset, &[("p.ttl", &bottomless())]);
    let space = "<urn:scan:space> a lv2:Specification ; rdfs:seeAlso <space.ttl> .\n";
    bundle(&bench, "space", space, &[("space.ttl", &bottomless())]);
    let (catalog, _) = bench.scan(false);
    assert_eq!(plugins(&catalog), ["urn:scan:alpha"]);
    let names: Vec<_> = bad(&catalog).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["presets", "space"]);
    let alpha = catalog.find(&PluginId::lv2("urn:scan:alpha")).unwrap();
    assert_eq!(alpha.presets, [], "a preset that kills its reader is not offered");
}
