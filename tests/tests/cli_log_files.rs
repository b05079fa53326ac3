//! The log: five files of 1 MiB, the newest text in the first, nothing lost in between; what plugins say is in it.

use std::path::Path;

use catena_tests::cli::Home;

const FILES: usize = 5;
const FILE_BYTES: u64 = 1024 * 1024;

/// The log's files that are there, newest first, after a look at their number and sizes.
fn files(folder: &Path) -> Vec<String> {
    let name = |age: usize| if age == 0 { "catena.log".into() } else { format!("catena.{age}.log") };
    let there: Vec<_> = (0..).map(|age| folder.join(name(age))).take_while(|path| path.exists()).collect();
    let all = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let logs = all.filter(|name| name.to_string_lossy().ends_with(".log")).count();
    assert_eq!(there.len(), logs, "a file of another name");
    assert!(logs <= FILES, "{logs} files");
    let sizes: Vec<_> = there.iter().map(|path| path.metadata().unwrap().len()).collect();
    assert!(sizes.iter().all(|size| *size <= FILE_BYTES), "{sizes:?}");
    there.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// A name of no file, so long that 100 of them fill the log twice over.
fn lost(run: usize) -> String {
    format!("run-{run:03}-{}", "x".repeat(50_000))
}

/// The runs whose commands are in `text`, in its order.
fn runs(text: &str) -> Vec<usize> {
    let commands = text.lines().filter(|line| line.contains(" info: catena "));
    commands.filter_map(|line| line.split("run-").nth(1)?.get(..3)?.parse().ok()).collect()
}

#[test]
fn five_files_of_one_mebibyte_stay_and_the_newest_text_is_in_the_first() {
    let home = Home::new();
    for run in 0..100 {
        home.fails(1, ["show", &lost(run)]);
    }
    let files = files(&home.path("state/catena/log"));
    assert_eq!(files.len(), FILES);
    let oldest_first: String = files.iter().rev().map(String::as_str).collect();
    let runs = runs(&oldest_first);
    assert!(runs.len() > 40, "only {} runs are left of what fits", runs.len());
    assert_eq!(runs, (100 - runs.len()..100).collect::<Vec<_>>());
    assert!(files[0].contains("run-099-"), "the newest is not in the first");
    // Every byte of every run that is whole in there: its command and its error.
    let letters = oldest_first.bytes().filter(|byte| *byte == b'x').count();
    assert!(letters >= (runs.len() - 1) * 100_000, "{letters} of {} runs", runs.len());
    assert!(oldest_first.lines().skip(1).all(|line| line.starts_with("20") && line.contains("Z [")), "a torn line");
}

#[test]
fn programs_that_write_at_once_lose_nothing_and_keep_the_bounds() {
    let home = Home::new();
    let children: Vec<_> = (0..60)
        .map(|run| {
            let mut command = home.catena(["show", &lost(run)]);
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
    let files = files(&home.path("state/catena/log"));
    // What 60 runs write fills it once and more: what is there is the newest, without a gap that a rotation tore.
    let text: String = files.iter().rev().map(String::as_str).collect();
    let whole = text.len() as u64;
    assert!(whole > (FILES as u64 - 1) * (FILE_BYTES - 64 * 1024), "{whole} bytes are left");
    assert!(text.lines().all(|line| line.starts_with("20") && line.contains("Z [")), "a torn line");
}

#[test]
fn what_plugins_say_to_their_host_and_to_standard_error_is_kept() {
    let home = Home::of_fixtures();
    home.ok(["new", "c.catena", "Fixture talks"]);
    home.sine("in.wav", 48_000, 4800);
    home.ok(["render", "in.wav", "out.wav", "--chain", "c.catena"]);
    let text = files(&home.path("state/catena/log")).concat();
    assert!(text.contains("talks"), "{text}");
}
