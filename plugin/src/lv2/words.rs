//! Names as LV2 takes them.

/// A port's symbol: letters, digits and underscores, no digit first. It is made of the parameter's id, which never
/// changes. `[any but audio]`
pub fn symbol(id: &str) -> String {
    let mut symbol: String = id.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if symbol.is_empty() || symbol.starts_with(|c: char| c.is_ascii_digit()) {
        symbol.insert(0, '_');
    }
    symbol
}

/// The local name of LV2's unit for what nice-plug appends to a value, where LV2 has one. `[any]`
pub fn unit(unit: &str) -> Option<&'static str> {
    Some(match unit.trim() {
        "dB" => "db",
        "Hz" => "hz",
        "kHz" => "khz",
        "%" => "pc",
        "ms" => "ms",
        "s" => "s",
        "st" => "semitone12TET",
        "ct" | "cents" => "cent",
        "oct" => "oct",
        "BPM" | "bpm" => "bpm",
        "°" => "degree",
        _ => return None,
    })
}

/// Turtle's text in quotes. `[any but audio]`
pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Bytes of a short message, by its status (MIDI 1.0, table 1). `[any]`
pub fn midi_len(status: u8) -> usize {
    match status {
        0xC0..=0xDF | 0xF1 | 0xF3 => 2,
        0xF4..=0xFF => 1,
        _ => 3,
    }
}

/// A number that Turtle takes for a decimal. `[any but audio]`
pub fn number(value: f32) -> String {
    // `1e-7` is a double in Turtle: legal, and read the same.
    format!("{value:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_legal_and_keep_what_they_can_of_the_id() {
        assert_eq!(symbol("macro-12"), "macro_12");
        assert_eq!(symbol("8ths"), "_8ths");
        assert_eq!(symbol(""), "_");
    }

    #[test]
    fn text_that_would_end_a_literal_is_escaped() {
        assert_eq!(quoted("a \"b\" \\ c"), "\"a \\\"b\\\" \\\\ c\"");
        assert_eq!(quoted("a\u{7}\n"), "\"a\\u0007\\n\"");
        assert_eq!(number(1.0), "1.0");
        assert_eq!(number(-0.25), "-0.25");
    }
}
