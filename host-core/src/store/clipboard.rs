//! Slots and chains as text, for clipboards, mails and chats: `catena-slots:1:BASE64;`, a packed chain in base64.
//!
//! What stands before and behind it is passed over, and so are the line ends, blanks and `>` with which mails and terminals break
//! it. The number is the form's; the chain has its schema's own.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::{pack, references, unpack};
use crate::model::Chain;

/// What it begins with, before the form's number.
const BEGIN: &str = "catena-slots:";
/// The form's number: another one is refused.
const FORM: u32 = 1;
/// What ends it: a text that was cut off is known by that.
const END: char = ';';
/// Letters of a line.
const LINE: usize = 76;
/// The longest text, bytes: more is no clipboard's.
pub const LONGEST: usize = 64 << 20;

/// Why there are no slots to take. Every message is for the user.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ClipError {
    /// Something else.
    #[error("there are no slots in the text; copy some with Ctrl+C in the rack, or with `catena copy`")]
    Other,
    /// Another form.
    #[error(
        "the slots were copied by another version of Catena (form {0}; this one reads {FORM}); copy them with this one"
    )]
    Form(String),
    /// Not whole.
    #[error("the text with the slots is damaged: {0}; copy it again, whole")]
    Damaged(String),
    /// Too much for a text.
    #[error("it is {} MiB as text, {} are the limit; save it as a chain file instead", .0 >> 20, LONGEST >> 20)]
    Long(usize),
}

/// A chain as text, in lines. `[any but audio]`
pub fn to_text(chain: &Chain) -> Result<String, ClipError> {
    let packed = pack(&references::without(chain)).map_err(|error| ClipError::Damaged(error.to_string()))?;
    let length = packed.len().div_ceil(3) * 4;
    if length + length / LINE > LONGEST - 100 {
        return Err(ClipError::Long(length));
    }
    let code = BASE64.encode(packed);
    let mut text = format!("{BEGIN}{FORM}:");
    for at in (0..code.len()).step_by(LINE) {
        text.push('\n');
        text.push_str(&code[at..code.len().min(at + LINE)]);
    }
    text.push(END);
    text.push('\n');
    Ok(text)
}

/// The chain in a text. `[any but audio]`
pub fn from_text(text: &str) -> Result<Chain, ClipError> {
    if text.len() > LONGEST {
        return Err(ClipError::Long(text.len()));
    }
    let rest = text.split_once(BEGIN).ok_or(ClipError::Other)?.1;
    let (form, rest) = rest.split_once(':').ok_or_else(|| ClipError::Damaged("it ends too early".into()))?;
    if form.trim().parse() != Ok(FORM) {
        return Err(ClipError::Form(form.chars().take(20).collect()));
    }
    let code = rest.split_once(END).ok_or_else(|| ClipError::Damaged("its end is missing".into()))?.0;
    // Marks that mails and web pages put between signs.
    let mark = |c: char| c.is_whitespace() || matches!(c, '>' | '|' | '\u{200b}' | '\u{feff}' | '\u{ad}');
    let code: String = code.chars().filter(|c| !mark(*c)).collect();
    let packed = BASE64.decode(code).map_err(|error| ClipError::Damaged(error.to_string()))?;
    let chain = unpack(&packed).map_err(|error| ClipError::Damaged(error.to_string()))?;
    if chain.nodes.is_empty() { Err(ClipError::Other) } else { Ok(chain) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{PluginId, PluginState};

    fn chain() -> Chain {
        let mut chain = Chain { name: "Größe".into(), ..Chain::default() };
        let id = chain.insert(0, PluginId::clap("a"));
        let bytes: Vec<u8> = (0..5000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let assets = [("x/y.wav".to_owned(), bytes.clone().into())].into();
        chain.slot_mut(id).unwrap().state = Some(PluginState { bytes: bytes.into(), assets });
        chain
    }

    #[test]
    fn a_chain_comes_back_from_text_however_it_was_broken() {
        let text = to_text(&chain()).unwrap();
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        assert_eq!(from_text(&text).unwrap(), chain());
        let quoted: String = text.lines().map(|line| format!("> {line}\r\n")).collect();
        let one_line: String = text.split_whitespace().collect();
        let in_words = format!("Hi,\nhere it is:\n\n```\n  {}  \n```\nBye; A", text.trim());
        for text in [quoted, one_line, in_words, text.replace('\n', "\u{200b}\n\n\t")] {
            assert_eq!(from_text(&text).unwrap(), chain(), "{text}");
        }
    }

    #[test]
    fn what_is_cut_or_changed_or_of_another_form_is_named() {
        let text = to_text(&chain()).unwrap();
        assert_eq!(from_text("hello"), Err(ClipError::Other));
        assert_eq!(from_text(""), Err(ClipError::Other));
        let newer = from_text(&text.replace(":1:", ":2:")).unwrap_err();
        assert!(newer == ClipError::Form("2".into()) && newer.to_string().contains("another version"), "{newer}");
        for len in [13, 15, 100, text.len() - 2] {
            assert!(matches!(from_text(&text[..len]), Err(ClipError::Damaged(_) | ClipError::Form(_))), "{len}");
        }
        let middle = text.len() / 2;
        let other = if &text[middle..=middle] == "A" { "B" } else { "A" };
        let changed = format!("{}{other}{}", &text[..middle], &text[middle + 1..]);
        assert!(matches!(from_text(&changed), Err(ClipError::Damaged(_))), "one letter");
        assert_eq!(from_text(&to_text(&Chain::default()).unwrap()), Err(ClipError::Other), "nothing in it");
    }
}
