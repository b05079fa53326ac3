//! `state`: an LV2 plugin's state in the form that it is kept in, and back.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::assets::Assets;
use super::ffi::state::{Paths as _, Property};
use super::{atom_urids, urid};
pub use crate::model::{Lv2Property as Stored, Lv2State as Doc};

impl Doc {
    /// Keeps what the plugin stored.
    pub fn set_properties(&mut self, properties: &[Property], assets: &mut Assets) {
        self.properties = properties.iter().filter_map(|property| Stored::of(property, assets)).collect();
        self.properties.sort_by(|a, b| a.key.cmp(&b.key));
    }

    /// What to give back to the plugin. The error is what is wrong with it.
    pub fn to_properties(&self, assets: &mut Assets) -> Result<Vec<Property>, String> {
        self.properties.iter().map(|stored| stored.to_property(assets)).collect()
    }
}

impl Stored {
    fn of(property: &Property, assets: &mut Assets) -> Option<Self> {
        let known = urid::known();
        let mut stored = Self {
            key: urid::unmap_str(property.key)?.into(),
            kind: urid::unmap_str(property.kind)?.into(),
            flags: property.flags,
            text: None,
            number: None,
            base64: None,
            urids: vec![],
        };
        let kind = property.kind;
        let value = property.value.as_slice();
        if kind == known.atom_path
            && let Some(text) = plain(value)
        {
            let name = assets.to_name(std::path::Path::new(text));
            stored.text = Some(name.to_str().unwrap_or(text).into());
        } else if kind == known.atom_string || kind == known.atom_uri {
            stored.text = plain(value).map(Into::into);
        } else if kind == known.atom_int || kind == known.atom_bool {
            stored.number = value.try_into().ok().map(|value| i32::from_ne_bytes(value).into());
        } else if kind == known.atom_long {
            stored.number = value.try_into().ok().map(i64::from_ne_bytes);
        }
        if stored.text.is_none() && stored.number.is_none() {
            let mut value = value.to_vec();
            stored.urids = atom_urids::number(known, kind, &mut value);
            stored.base64 = Some(BASE64.encode(value));
        }
        Some(stored)
    }

    fn to_property(&self, assets: &mut Assets) -> Result<Property, String> {
        let known = urid::known();
        let kind = urid::map_str(&self.kind);
        let value = if let Some(text) = &self.text {
            let path = (kind == known.atom_path).then(|| assets.to_path(std::path::Path::new(text)));
            let mut value = match &path {
                Some(path) => std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec(),
                None => text.clone().into_bytes(),
            };
            value.push(0);
            value
        } else if let Some(number) = self.number {
            if kind == known.atom_long { number.to_ne_bytes().to_vec() } else { (number as i32).to_ne_bytes().to_vec() }
        } else {
            let text = self.base64.as_deref().unwrap_or_default();
            let mut value = BASE64.decode(text).map_err(|error| format!("{}: {error}", self.key))?;
            atom_urids::restore(known, kind, &mut value, &self.urids);
            value
        };
        Ok(Property { key: urid::map_str(&self.key), value, kind, flags: self.flags })
    }
}

/// The text of a value that is one: UTF-8 with a NUL at its end and nowhere else.
fn plain(value: &[u8]) -> Option<&str> {
    let text = value.strip_suffix(&[0])?;
    if text.contains(&0) { None } else { std::str::from_utf8(text).ok() }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn property(key: &str, kind: u32, value: &[u8]) -> Property {
        Property { key: urid::map_str(key), value: value.to_vec(), kind, flags: 3 }
    }

    #[test]
    fn every_kind_of_value_comes_back_byte_for_byte_and_the_order_of_storing_does_not_matter() {
        let known = urid::known();
        let mut assets = Assets::new(Path::new("/bundle"), Path::new("/scratch"));
        let mut object = 0_u32.to_ne_bytes().to_vec();
        object.extend(known.patch_set.to_ne_bytes());
        for word in [known.patch_property, 0, 4, known.atom_urid, known.midi_event, 0] {
            object.extend(word.to_ne_bytes());
        }
        let all = [
            property("urn:a", known.atom_string, "Größe ✓\0".as_bytes()),
            property("urn:b", known.atom_string, b"no end"),
            property("urn:c", known.atom_int, &(-7_i32).to_ne_bytes()),
            property("urn:d", known.atom_long, &i64::MIN.to_ne_bytes()),
            property("urn:e", known.atom_double, &0.1_f64.to_ne_bytes()),
            property("urn:f", known.atom_float, &f32::NAN.to_ne_bytes()),
            property("urn:g", known.atom_chunk, &[0, 255, 3]),
            property("urn:h", known.atom_object, &object),
            property("urn:i", known.atom_path, b"@bundle/x.wav\0"),
            property("urn:j", known.atom_chunk, &[]),
        ];
        let mut doc = Doc::new("urn:p");
        doc.set_properties(&all, &mut assets);
        let bytes = doc.to_bytes();
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(
            text.contains("Größe ✓") && text.contains("\"number\":-7") && text.contains("midi#MidiEvent"),
            "{text}"
        );
        let mut other = Doc::new("urn:p");
        let reversed: Vec<_> = all.iter().rev().cloned().collect();
        other.set_properties(&reversed, &mut assets);
        assert_eq!(other.to_bytes(), bytes);
        let back = Doc::from_bytes(&bytes).unwrap().to_properties(&mut assets).unwrap();
        for (mut was, is) in all.into_iter().zip(back) {
            if was.kind == known.atom_path {
                was.value = b"/bundle/x.wav\0".to_vec();
            }
            assert_eq!(was, is);
        }
    }

    #[test]
    fn control_values_come_back_to_the_last_bit() {
        let mut doc = Doc::new("urn:p");
        for (i, bits) in (0..2000_u32).map(|i| (i, i.wrapping_mul(2_654_435_761))) {
            let value = f32::from_bits(bits);
            if value.is_finite() {
                doc.ports.insert(format!("p{i}"), value);
            }
        }
        assert_eq!(Doc::from_bytes(&doc.to_bytes()).unwrap(), doc);
    }

    #[test]
    fn damage_is_named() {
        assert!(Doc::from_bytes(b"{\"lv2\":1").is_err());
        assert!(Doc::from_bytes(b"{\"lv2\":9,\"plugin\":\"urn:p\"}").unwrap_err().contains("form 9"));
    }
}
