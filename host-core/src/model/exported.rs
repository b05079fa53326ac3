//! A chain that is a plugin of its own: what hosts are told of it, and the chain. This is what lies in or beside the thin entry
//! of such a plugin.
//!
//! ```text
//! catena-export 1
//! id=catena-chain.voice
//! ...
//! macro=3 0.25 Squeeze
//!
//! (the packed chain)
//! ```
//!
//! The entries, which know no crate of ours, read `id`, `name` and the like from the same lines.

use std::fmt::Write as _;

use super::{Bytes, MacroId};

/// First line: another number is another form.
const FIRST: &str = "catena-export 1";

/// Which of our plugins it is like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// An effect; stereo in LV2.
    #[default]
    Effect,
    /// An effect that is mono in LV2.
    Mono,
    /// An effect that has eight channels in LV2.
    Surround,
    /// An instrument.
    Instrument,
}

impl Shape {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Effect, "effect"),
        (Self::Mono, "mono"),
        (Self::Surround, "surround"),
        (Self::Instrument, "instrument"),
    ];

    /// As it is written.
    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(shape, _)| *shape == self).map_or("effect", |(_, text)| text)
    }
}

/// One of its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportedMacro {
    /// The chain's macro.
    pub number: MacroId,
    /// Where it stands at first, 0..1.
    pub value: f64,
    /// What it is called.
    pub name: String,
}

/// A chain as a plugin.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    /// Its CLAP id.
    pub id: String,
    /// Its LV2 URI.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// Its maker.
    pub maker: String,
    /// One line on it.
    pub about: String,
    /// CLAP's keyword for what it is.
    pub feature: String,
    /// LV2's class for it.
    pub class: String,
    /// Which of our plugins it is like.
    pub shape: Shape,
    /// Where it cannot run at all it is silent, not dry.
    pub mute: bool,
    /// Its LV2 has no ports for events: it hears neither MIDI nor the song's position.
    pub plain: bool,
    /// Its parameters.
    pub macros: Vec<ExportedMacro>,
    /// The packed chain.
    pub chain: Bytes,
}

impl Exported {
    /// As bytes.
    pub fn write(&self) -> Vec<u8> {
        // A line break would end the line.
        let plain = |text: &str| text.replace(['\n', '\r', '\0'], " ");
        let mut head = format!("{FIRST}\n");
        for (key, value) in [
            ("id", &self.id),
            ("uri", &self.uri),
            ("name", &self.name),
            ("maker", &self.maker),
            ("about", &self.about),
            ("feature", &self.feature),
            ("class", &self.class),
            ("shape", &self.shape.as_str().to_owned()),
            ("fails", &if self.mute { "mute" } else { "dry" }.to_owned()),
        ] {
            // Writing to a String cannot fail.
            let _string = writeln!(head, "{key}={}", plain(value));
        }
        if self.plain {
            head.push_str("ports=plain\n");
        }
        for one in &self.macros {
            let _string = writeln!(head, "macro={} {} {}", one.number, one.value, plain(&one.name));
        }
        head.push('\n');
        [head.as_bytes(), &self.chain].concat()
    }

    /// Reads what [`Exported::write`] wrote; what is not known of a newer form of the same number is passed over.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(2).position(|two| two == b"\n\n")?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        let mut lines = head.lines();
        if lines.next() != Some(FIRST) {
            return None;
        }
        let pairs: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once('=')).collect();
        let of = |key: &str| pairs.iter().find(|(name, _)| *name == key).map_or("", |(_, value)| value).to_owned();
        let macros = pairs.iter().filter(|(key, _)| *key == "macro").filter_map(|(_, text)| {
            let mut words = text.splitn(3, ' ');
            let number = MacroId::new(words.next()?.parse().ok()?)?;
            let value = words.next()?.parse::<f64>().ok().filter(|value| value.is_finite())?;
            Some(ExportedMacro { number, value, name: words.next().unwrap_or_default().to_owned() })
        });
        let shape = of("shape");
        let read = Self {
            id: of("id"),
            uri: of("uri"),
            name: of("name"),
            maker: of("maker"),
            about: of("about"),
            feature: of("feature"),
            class: of("class"),
            shape: Shape::ALL.iter().find(|(_, text)| *text == shape).map(|(shape, _)| *shape)?,
            mute: of("fails") == "mute",
            plain: of("ports") == "plain",
            macros: macros.collect(),
            chain: bytes[end + 2..].into(),
        };
        (!read.id.is_empty() && !read.uri.is_empty()).then_some(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_comes_back_in_any_script() {
        let one = Exported {
            id: "catena-chain.голос".into(),
            uri: "urn:catena-chain:voice".into(),
            name: "Голос = 声".into(),
            maker: "Łukasz".into(),
            about: String::new(),
            feature: "compressor".into(),
            class: "CompressorPlugin".into(),
            shape: Shape::Mono,
            mute: true,
            plain: true,
            macros: vec![ExportedMacro { number: MacroId::new(128).unwrap(), value: 0.1, name: "More of it".into() }],
            chain: b"PK\n\nbytes"[..].into(),
        };
        assert_eq!(Exported::read(&one.write()), Some(one.clone()));
        let broken = Exported { name: "two\nlines=x".into(), ..one };
        assert_eq!(Exported::read(&broken.write()).unwrap().name, "two lines=x");
    }

    #[test]
    fn what_is_no_export_is_none() {
        for bytes in
            [&b""[..], b"catena-export 1", b"catena-export 2\nid=a\nuri=b\nshape=mono\n\n", b"\n\n", b"\xff\n\n"]
        {
            assert_eq!(Exported::read(bytes), None, "{bytes:?}");
        }
    }
}
