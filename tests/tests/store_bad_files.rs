//! A chain file that is missing, damaged, hostile, of another version, or does not fit on the disk: one clear
//! sentence, nothing written outside, nothing left behind.

use std::io::{Cursor, Write};
use std::path::Path;

use host_core::model::{Chain, PluginId, PluginState};
use host_core::store::{self, StoreError};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const HEAD: &str = r#"{"schema":{"major":1,"minor":0}}"#;

fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn message(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.catena");
    std::fs::write(&path, bytes).unwrap();
    let text = store::read(&path).unwrap_err().to_string();
    assert!(text.contains("bad.catena") && !text.contains('\n'), "{text}");
    assert!(store::unpack(bytes).unwrap_err().to_string().contains("the session's data"));
    text
}

#[test]
fn what_is_no_chain_is_said_to_be_none() {
    for bytes in [&b""[..], b"RIFF....WAVE", &[0; 4096], &zip_of(&[("other.txt", b"x")])] {
        assert!(message(bytes).contains("not a Catena chain, or damaged"));
    }
    let missing = store::read(Path::new("/nowhere/x.catena")).unwrap_err().to_string();
    assert!(missing.starts_with("/nowhere/x.catena: "), "{missing}");
    let device = store::read(Path::new("/dev/zero")).unwrap_err().to_string();
    assert!(device.contains("neither a file nor a folder"), "{device}");
}

#[test]
fn any_cut_or_flipped_byte_is_an_error_or_the_same_chain() {
    let mut chain = Chain::default();
    let id = chain.insert(0, PluginId::clap("a"));
    chain.slot_mut(id).unwrap().state = Some(PluginState {
        bytes: (0..=255u8).collect::<Vec<_>>().into(),
        assets: [("n".into(), b"w"[..].into())].into(),
    });
    let good = store::pack(&chain).unwrap();
    for cut in 0..good.len() {
        assert!(store::unpack(&good[..cut]).is_err(), "cut at {cut}");
    }
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        // Bytes that no reader looks at may differ; a state must never differ unseen.
        if let Ok(read) = store::unpack(&bad) {
            assert_eq!(
                read.slot(id).and_then(|slot| slot.state.as_ref()).map(|state| &state.bytes),
                chain.slot(id).unwrap().state.as_ref().map(|state| &state.bytes),
                "byte {at}"
            );
        }
    }
}

#[test]
fn json_errors_name_line_and_column() {
    let text =
        message(&zip_of(&[("chain.json", b"{\n  \"schema\": {\"major\": 1, \"minor\": 0},\n  \"name\": oops\n}")]));
    assert!(text.contains("chain.json") && text.contains("line 3 column 11"), "{text}");
    let node = "{\n\"schema\":{\"major\":1,\"minor\":0},\n\"nodes\":[\n{\"node\":\"slot\",\"id\":1,\"plugin\":\"clap:a\"},\n\
                {\"node\":\"slot\",\"id\":2,\"plugin\":\"clap:a\",\"mix\":\"loud\"},\n{\"node\":\"x\"}\n]}";
    let text = message(&zip_of(&[("chain.json", node.as_bytes())]));
    assert!(text.contains("loud") && text.contains("node 2, which ends at line 5 column 53"), "{text}");
}

#[test]
fn another_major_version_is_told_from_damage() {
    let newer = br#"{"schema":{"major":2,"minor":0},"nodes":{"all":"different"}}"#;
    let error = store::unpack(&zip_of(&[("chain.json", newer)])).unwrap_err();
    assert!(matches!(error, StoreError::Version { found: 2, reads: 1, .. }), "{error}");
}

#[test]
fn paths_that_leave_the_chain_are_refused() {
    for name in ["../evil", "assets/../../evil", "/tmp/evil", "assets\\..\\evil"] {
        let text = message(&zip_of(&[("chain.json", HEAD.as_bytes()), (name, b"x")]));
        assert!(text.contains("no plain file inside the chain"), "{text}");
    }
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("chain.json", SimpleFileOptions::default()).unwrap();
    zip.write_all(HEAD.as_bytes()).unwrap();
    zip.add_symlink("state/1", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let text = message(&zip.finish().unwrap().into_inner());
    assert!(text.contains("no plain file inside the chain"), "{text}");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.catena.d");
    store::write(&path, &Chain::default()).unwrap();
    std::fs::create_dir(path.join("state")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", path.join("state/1")).unwrap();
    let text = store::read(&path).unwrap_err().to_string();
    assert!(text.contains("state/1"), "{text}");
}

#[test]
fn a_bomb_is_refused() {
    let zeros = vec![0; 64 << 20];
    let files: Vec<(String, &[u8])> = (0..6).map(|i| (format!("state/{i}"), &zeros[..])).collect();
    let mut all: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    all.push(("chain.json", HEAD.as_bytes()));
    let bomb = zip_of(&all);
    assert!(bomb.len() < 1 << 20);
    let text = message(&bomb);
    assert!(text.contains("would unpack to more than 256 MiB"), "{text}");
}

#[test]
fn a_full_disk_leaves_the_old_file_and_nothing_else() {
    // A process of its own: the limit on file sizes is the whole process's.
    if let Ok(path) = std::env::var("CATENA_TEST_FULL_DISK") {
        let big = {
            let mut chain = Chain::default();
            let id = chain.insert(0, PluginId::clap("a"));
            let mut noise = 1u32;
            let bytes: Vec<u8> = std::iter::repeat_with(|| {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (noise >> 24) as u8
            })
            .take(1 << 20)
            .collect();
            chain.slot_mut(id).unwrap().state = Some(PluginState { bytes: bytes.into(), assets: Default::default() });
            chain
        };
        for name in ["x.catena", "x.catena.d"] {
            let target = Path::new(&path).join(name);
            let text = store::write(&target, &big).unwrap_err().to_string();
            assert!(text.starts_with(target.to_str().unwrap()), "{text}");
        }
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for name in ["x.catena", "x.catena.d"] {
        store::write(&folder.path().join(name), &Chain::default()).unwrap();
    }
    // The shell ignores SIGXFSZ for us, so that a write past the limit is an error as on a full disk.
    let test = std::env::current_exe().unwrap();
    let output = std::process::Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$@\"", "sh"])
        .arg(test)
        .args(["--exact", "a_full_disk_leaves_the_old_file_and_nothing_else"])
        .env("CATENA_TEST_FULL_DISK", folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let mut left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["x.catena", "x.catena.d"]);
    for name in ["x.catena", "x.catena.d"] {
        assert_eq!(store::read(&folder.path().join(name)).unwrap(), Chain::default());
    }
}

#[test]
fn lanes_that_cannot_be_are_named() {
    let chain = |nodes: &str| {
        let json = format!(r#"{{"schema":{{"major":1,"minor":1}},"nodes":{nodes}}}"#);
        message(&zip_of(&[("chain.json", json.as_bytes())]))
    };
    let group = |split: &str, lanes: &str| format!(r#"[{{"node":"lanes","id":1,"split":{split},"lanes":[{lanes}]}}]"#);
    let two = r#"{"id":2},{"id":3}"#;
    for (nodes, part) in [
        (group(r#""copy""#, ""), "the lanes with the id 1 are 0"),
        (group(r#""mid-side""#, r#"{"id":2}"#), "the lanes with the id 1 are 1"),
        (group(r#"{"bands":[200,300]}"#, two), "the lanes with the id 1 are 2"),
        (group(r#"{"bands":[1,2,3,4,5]}"#, r#"{"id":2},{"id":3},{"id":4},{"id":5},{"id":6},{"id":7}"#), "6 bands"),
        (group(r#""copy""#, r#"{"id":2},{"id":2}"#), "have the id 2"),
        (group(r#""warped""#, two), "warped"),
    ] {
        let text = chain(&nodes);
        assert!(text.contains(part), "{nodes}: {text}");
    }
    let mut deep = String::from("[]");
    for level in 0..17 {
        let (id, lane) = (level * 2 + 1, level * 2 + 2);
        deep = format!(r#"[{{"node":"lanes","id":{id},"lanes":[{{"id":{lane},"nodes":{deep}}}]}}]"#);
    }
    let text = chain(&deep);
    assert!(text.contains("17 deep; 16 is the limit"), "{text}");
}

/// A zip of one file, made by hand: header, data and list say what they are told to.
fn by_hand(name: &str, data: &[u8], declared: u32, twice: bool) -> Vec<u8> {
    let crc = {
        let mut crc = flate2::Crc::new();
        crc.update(data);
        crc.sum()
    };
    let sizes = [crc.to_le_bytes(), (data.len() as u32).to_le_bytes(), declared.to_le_bytes()].concat();
    let head = |own: &[u8], last: &[u8]| {
        [own, &[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &sizes, &(name.len() as u16).to_le_bytes(), &[0, 0], last].concat()
    };
    let mut zip = Vec::new();
    let mut list = Vec::new();
    let count = if twice { 2_u16 } else { 1 };
    for _ in 0..count {
        let at = (zip.len() as u32).to_le_bytes();
        list.extend(head(b"PK\x01\x02\x14\x00", &[&[0; 10][..], &at].concat()));
        list.extend(name.as_bytes());
        zip.extend(head(b"PK\x03\x04", &[]));
        zip.extend(name.as_bytes());
        zip.extend(data);
    }
    let (at, len) = (zip.len() as u32, list.len() as u32);
    zip.extend(list);
    zip.extend(b"PK\x05\x06\0\0\0\0");
    zip.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    zip.extend([len.to_le_bytes(), at.to_le_bytes()].concat());
    zip.extend([0, 0]);
    zip
}

#[test]
fn a_file_that_is_in_it_twice_is_refused() {
    assert!(store::unpack(&by_hand("chain.json", HEAD.as_bytes(), HEAD.len() as u32, false)).is_ok(), "made by hand");
    let twice = by_hand("chain.json", HEAD.as_bytes(), HEAD.len() as u32, true);
    let text = message(&twice);
    assert!(text.contains("refused") && text.contains("twice"), "{text}");
    // Without its list, too.
    let list = twice.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    assert!(store::open_bytes(&twice[..list]).unwrap_err().to_string().contains("chain.json is in it twice"));
}

#[test]
fn a_size_that_is_a_lie_is_seen() {
    for declared in [3, 4_000_000_000_u32] {
        let text = message(&by_hand("chain.json", HEAD.as_bytes(), declared, false));
        let seen = ["not as long as the zip says", "would unpack to more", "cannot be read", "not a Catena chain"];
        assert!(seen.iter().any(|seen| text.contains(seen)), "{declared}: {text}");
    }
}

#[test]
fn what_is_made_to_harm_is_refused_with_its_list_broken_too() {
    for name in ["../evil", "/tmp/evil"] {
        let zip = zip_of(&[("chain.json", HEAD.as_bytes()), (name, b"x")]);
        let list = zip.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
        let text = store::open_bytes(&zip[..list]).unwrap_err().to_string();
        assert!(text.contains("refused") && text.contains("no plain file inside the chain"), "{text}");
    }
}

/// A chain whose zip has lost its list, with `more` in its place.
fn without_list(more: &[u8]) -> Vec<u8> {
    let zip = zip_of(&[("chain.json", HEAD.as_bytes())]);
    let list = zip.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    [&zip[..list], more].concat()
}

#[test]
fn a_file_full_of_headers_is_read_in_little_memory() {
    // Each says that its length is told later, and that its name is of 65,535 bytes: what follows.
    let header = [&b"PK\x03\x04\x14\0\x08\0"[..], &[0; 18], &[0xFF, 0xFF, 0, 0]].concat();
    let bytes = without_list(&header.repeat((1 << 20) / header.len()));
    let opened = store::open_bytes(&bytes).unwrap();
    assert!((2..=1002).contains(&opened.lost.len()), "{}", opened.lost.len());
    let told: usize = opened.lost.iter().map(String::len).sum();
    assert!(told < 1 << 20, "{told} bytes are told");
    assert!(opened.lost.join("\n").contains("more than 1000 of its files"));
}

#[test]
fn a_size_that_leads_back_to_where_it_stands_ends() {
    let (name, extra) = (b"a/", 4 + 16);
    for data in [u64::MAX - (30 + 2 + extra) + 1, u64::MAX, u64::MAX / 2] {
        let mut header = [&b"PK\x03\x04\x2D\0"[..], &[0; 12], &[0xFF; 8], &[2, 0, extra as u8, 0], name].concat();
        header.extend([1, 0, 16, 0]);
        header.extend(0_u64.to_le_bytes());
        header.extend(data.to_le_bytes());
        let opened = store::open_bytes(&without_list(&header)).unwrap();
        assert!(opened.lost[0].contains("the file is damaged"), "{:?}", opened.lost);
    }
}
