//! Names of files inside a chain: any text becomes a path that stays inside, and back.

use std::fmt::Write as _;

/// An asset's name as a path of ordinary components. What a path cannot hold, or would climb out with, is written `%XX`.
pub fn encode(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut parts = name.split('/').peekable();
    while let Some(part) = parts.next() {
        match part {
            "" => out.push_str(if parts.peek().is_some() { "%-" } else { "%_" }),
            "." => out.push_str("%2E"),
            ".." => out.push_str("%2E%2E"),
            _ => part.chars().for_each(|c| push(&mut out, c)),
        }
        if parts.peek().is_some() {
            out.push('/');
        }
    }
    out
}

fn push(out: &mut String, c: char) {
    if c.is_ascii_control() || matches!(c, '%' | '\\' | ':') {
        // Writing to a String cannot fail.
        let _ok = write!(out, "%{:02X}", c as u32);
    } else {
        out.push(c);
    }
}

/// The name that [`encode`] made `path` from. `None`: it made no such path.
pub fn decode(path: &str) -> Option<String> {
    let parts: Option<Vec<String>> = path.split('/').map(decode_part).collect();
    Some(parts?.join("/"))
}

fn decode_part(part: &str) -> Option<String> {
    if matches!(part, "%-" | "%_") {
        return Some(String::new());
    }
    let mut out = String::with_capacity(part.len());
    let mut rest = part;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let digits = rest.get(at + 1..at + 3).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        let byte = u8::from_str_radix(digits, 16).ok().filter(u8::is_ascii)?;
        out.push(byte.into());
        rest = &rest[at + 3..];
    }
    out.push_str(rest);
    Some(out)
}

/// Whether `path` is relative, stays inside its folder on every system, and is written in one way only.
pub fn is_inside(path: &str) -> bool {
    let ordinary = |part: &str| {
        !matches!(part, "" | "." | "..") && part.chars().all(|c| !c.is_control() && !matches!(c, '\\' | ':'))
    };
    path.split('/').all(ordinary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_stays_inside_and_comes_back() {
        let names = [
            "a.wav",
            "sub/b.wav",
            "../x",
            "/etc/passwd",
            "a//b",
            "",
            ".",
            "C:\\x",
            "50%",
            "%2E",
            "ノイズ/шум.wav",
            "a\n\u{7f}b",
        ];
        for name in names {
            let path = encode(name);
            assert!(is_inside(&path), "{name:?} became {path:?}");
            assert_eq!(decode(&path).as_deref(), Some(name));
        }
    }

    #[test]
    fn paths_that_climb_out_are_seen() {
        for path in ["../a", "a/../b", "/a", "a//b", "", "a/", "..\\a", "c:a", "a\0b"] {
            assert!(!is_inside(path), "{path:?}");
        }
        assert_eq!(decode("a%G1"), None);
        assert_eq!(decode("a%F"), None);
        assert_eq!(decode("a%+1"), None);
    }
}
