//! The head of a library file, so that a file that can never be loaded here is named for what it is.

use std::io::Read;
use std::path::Path;

/// Machines by their number in an ELF head (elf.h, `e_machine`), and as Rust calls them.
const MACHINES: [(u16, &str); 6] =
    [(3, "x86"), (40, "arm"), (62, "x86_64"), (183, "aarch64"), (243, "riscv64"), (258, "loongarch64")];

/// Why the file cannot be loaded here; `None` where nothing speaks against trying.
pub fn flaw(path: &Path) -> Option<String> {
    let mut head = [0; 20];
    if let Err(error) = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head)) {
        return Some(match error.kind() {
            std::io::ErrorKind::UnexpectedEof => "cannot be loaded: it is no library, it is too short".to_owned(),
            _ => format!("cannot be loaded: {error}"),
        });
    }
    if head[..4] != *b"\x7fELF" {
        return Some("cannot be loaded: it is no Linux library (no ELF file)".to_owned());
    }
    // Byte 5 tells the order of bytes; a foreign order is a foreign machine.
    let machine =
        if head[5] == 1 { u16::from_le_bytes([head[18], head[19]]) } else { u16::from_be_bytes([head[18], head[19]]) };
    let (ours, _) = *MACHINES.iter().find(|(_, name)| *name == std::env::consts::ARCH)?;
    if machine == ours {
        return None;
    }
    let name = MACHINES.iter().find(|(number, _)| *number == machine).map_or("another processor", |(_, name)| name);
    Some(format!("cannot be loaded: it is made for {name}, this machine is {}", std::env::consts::ARCH))
}
