//! Each file of ours shows the loader its own format's symbols and nothing else: a leak from the core library into an
//! entry, or of one format into the other's file, confuses hosts and their checkers.

use std::process::Command;

use catena_tests::bundle::built;

/// Symbols that the library of `package` defines for others.
fn exported(package: &str) -> Vec<String> {
    let output = Command::new("nm").args(["-D", "--defined-only"]).arg(built(package)).output().expect("nm (binutils)");
    assert!(output.status.success(), "nm: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().filter_map(|line| line.split_whitespace().last().map(String::from)).collect()
}

#[test]
fn each_entry_exports_its_own_format_and_the_core_library_everything() {
    assert_eq!(exported("catena-entry-clap"), ["clap_entry"]);
    assert_eq!(exported("catena-entry-lv2"), ["lv2_descriptor", "lv2ui_descriptor"]);
    assert_eq!(exported("catena-entry-vst3"), ["GetPluginFactory", "ModuleEntry", "ModuleExit"]);
    let all = [
        "catena_clap_entry",
        "catena_clap_export_1",
        "catena_core_version",
        "catena_get_plugin_factory",
        "catena_lv2_descriptor",
        "catena_lv2_export_1",
        "catena_lv2ui_descriptor",
    ];
    assert_eq!(exported("catena"), all);
}

#[test]
fn entries_link_the_system_alone() {
    for entry in ["catena-entry-clap", "catena-entry-lv2", "catena-entry-vst3"] {
        let output = Command::new("readelf").arg("-d").arg(built(entry)).output().expect("readelf (binutils)");
        let text = String::from_utf8_lossy(&output.stdout);
        for line in text.lines().filter(|line| line.contains("(NEEDED)")) {
            let system = ["libc.so", "libgcc_s.so", "ld-linux", "libm.so", "libdl.so", "libpthread.so"];
            assert!(system.iter().any(|name| line.contains(name)), "{entry}: {line}");
        }
    }
}
