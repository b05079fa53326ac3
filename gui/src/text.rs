//! All words of the editor, in one table a language (`text/en.ftl`, in Fluent's form).
//!
//! `text!("rack-add-a-plugin")` is a text of the table as it stands there, `text!("slot-remove", title)` one with something put into it.
//! The language is chosen once, by the environment; what its table lacks is English. A text without arguments is made once
//! and costs nothing in a frame.

use std::collections::HashMap;
use std::fmt::Display;
use std::path::Path;
use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use host_core::model::{Format, Letter, MacroId, PluginId};
use host_core::session::LatencyChange;

/// The tables there are. English is the first: it has every text.
const TABLES: &[(&str, &str)] = &[("en", include_str!("../text/en.ftl"))];

/// A text of the table, by its name there; with what is put into it, by the names there. `[editor]`
macro_rules! text {
    ($id:literal) => {
        $crate::text::of($id)
    };
    ($id:literal, $($name:ident $(= $value:expr)?),+ $(,)?) => {
        $crate::text::with($id, &[$((stringify!($name), text!(@ $name $(= $value)?))),+])
    };
    (@ $name:ident) => {
        $crate::text::Argument::value(&$name)
    };
    (@ $name:ident = $value:expr) => {
        $crate::text::Argument::value(&$value)
    };
}

/// What can be put into a text.
pub(crate) trait Argument {
    /// A number where it counts something, so that the text can depend on how many, else words.
    fn value(&self) -> FluentValue<'_>;
}

impl Argument for str {
    fn value(&self) -> FluentValue<'_> {
        FluentValue::from(self)
    }
}

impl Argument for String {
    fn value(&self) -> FluentValue<'_> {
        FluentValue::from(self.as_str())
    }
}

impl Argument for std::borrow::Cow<'_, str> {
    fn value(&self) -> FluentValue<'_> {
        FluentValue::from(self.as_ref())
    }
}

impl<T: Argument + ?Sized> Argument for &T {
    fn value(&self) -> FluentValue<'_> {
        T::value(self)
    }
}

/// Numbers that count.
macro_rules! counts {
    ($($kind:ty),+) => {
        $(impl Argument for $kind {
            fn value(&self) -> FluentValue<'_> {
                FluentValue::from(*self)
            }
        })+
    };
}
counts!(u32, u64, usize);

/// What is put in as it writes itself.
macro_rules! writes {
    ($($kind:ty),+) => {
        $(impl Argument for $kind {
            fn value(&self) -> FluentValue<'_> {
                written(self)
            }
        })+
    };
}
writes!(Format, Letter, MacroId, PluginId, LatencyChange, std::path::Display<'_>);

impl Argument for Path {
    fn value(&self) -> FluentValue<'_> {
        written(self.display())
    }
}

fn written(what: impl Display) -> FluentValue<'static> {
    FluentValue::from(what.to_string())
}

/// Texts of one language, and of English where that has none.
struct Table {
    /// The language's own first.
    bundles: Vec<FluentBundle<FluentResource>>,
    /// What takes no arguments.
    plain: HashMap<&'static str, &'static str>,
}

impl Table {
    /// Reads tables, the one that is asked first at the front; they stay for as long as the process.
    fn new(tables: &[(&str, &'static str)]) -> Self {
        let mut this = Self { bundles: Vec::new(), plain: HashMap::new() };
        for (language, source) in tables {
            this.bundles.push(bundle(language, source));
        }
        for id in tables.iter().flat_map(|(_, source)| ids(source)) {
            if !this.plain.contains_key(id)
                && let Some((text, true)) = this.format(id, &FluentArgs::new())
            {
                this.plain.insert(id, Box::leak(text.into_boxed_str()));
            }
        }
        this
    }

    /// The table for the language that the environment asks for.
    fn chosen() -> Self {
        let wanted = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().filter_map(|name| std::env::var(name).ok());
        let wanted = wanted.into_iter().find(|value| !value.is_empty()).unwrap_or_default();
        let own = for_locale(&wanted, TABLES).filter(|own| *own != TABLES[0]);
        Self::new(&own.into_iter().chain([TABLES[0]]).collect::<Vec<_>>())
    }

    /// A text, and whether it lacked nothing; `None` where no table has it.
    fn format(&self, id: &str, args: &FluentArgs<'_>) -> Option<(String, bool)> {
        let (bundle, pattern) =
            self.bundles.iter().find_map(|bundle| Some((bundle, bundle.get_message(id)?.value()?)))?;
        let mut errors = Vec::new();
        let text = bundle.format_pattern(pattern, Some(args), &mut errors).into_owned();
        Some((text, errors.is_empty()))
    }

    fn of(&self, id: &'static str) -> Option<&'static str> {
        self.plain.get(id).copied()
    }
}

/// A locale's table, such as German's for `de_AT.UTF-8`.
fn for_locale<'a>(locale: &str, tables: &[(&'a str, &'static str)]) -> Option<(&'a str, &'static str)> {
    let language = locale.split(['_', '.', '@', '-']).next().unwrap_or_default();
    tables.iter().copied().find(|(known, _)| *known == language)
}

fn bundle(language: &str, source: &'static str) -> FluentBundle<FluentResource> {
    let languages = language.parse().into_iter().collect();
    let mut bundle = FluentBundle::new_concurrent(languages);
    // Marks for two directions of writing in one line are shown as boxes.
    bundle.set_use_isolating(false);
    // What cannot be read is left out; the tests read every table whole.
    let resource = FluentResource::try_new(source.to_owned()).unwrap_or_else(|(resource, _)| resource);
    let _known_twice = bundle.add_resource(resource);
    bundle
}

/// The names in a table.
fn ids(source: &'static str) -> impl Iterator<Item = &'static str> {
    let begins = |line: &&str| line.starts_with(|letter: char| letter.is_ascii_alphabetic());
    source.lines().filter(begins).filter_map(|line| Some(line.split_once('=')?.0.trim_end()))
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(Table::chosen)
}

/// See `text!`. A name that no table has is shown itself.
pub(crate) fn of(id: &'static str) -> &'static str {
    let text = table().of(id);
    debug_assert!(text.is_some(), "no table has {id}, or it takes arguments");
    text.unwrap_or(id)
}

/// See `text!`.
pub(crate) fn with(id: &'static str, arguments: &[(&'static str, FluentValue<'_>)]) -> String {
    let arguments = arguments.iter().map(|(name, value)| (*name, value.clone())).collect();
    let text = table().format(id, &arguments);
    debug_assert!(text.as_ref().is_some_and(|(_, whole)| *whole), "no table has {id}, or it takes other arguments");
    text.map_or_else(|| id.to_owned(), |(text, _)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second language with two texts.
    const GERMAN: (&str, &str) = (
        "de",
        "header-undo = Zurück\nwords-samples = { $count ->\n    [one] ein Wert\n   *[other] { $count } Werte\n}\n",
    );

    fn args<'a>(count: u32) -> FluentArgs<'a> {
        [("count", FluentValue::from(count))].into_iter().collect()
    }

    fn text(table: &Table, id: &str, count: u32) -> Option<String> {
        table.format(id, &args(count)).map(|(text, _)| text)
    }

    #[test]
    fn another_table_takes_over_and_english_stands_in_for_each_text_that_it_lacks() {
        let table = Table::new(&[GERMAN, TABLES[0]]);
        assert_eq!(table.of("header-undo"), Some("Zurück"));
        assert_eq!(table.of("header-redo"), Some("Redo"));
        assert_eq!(text(&table, "words-samples", 1).as_deref(), Some("ein Wert"));
        assert_eq!(text(&table, "words-samples", 3).as_deref(), Some("3 Werte"));
        assert_eq!(text(&table, "lane-bands", 4).as_deref(), Some("4 bands"));
    }

    #[test]
    fn english_counts_one_and_many() {
        assert_eq!(text!("words-samples", count = 1_u32), "1 sample");
        assert_eq!(text!("words-samples", count = 12_345_u32), "12345 samples");
    }

    #[test]
    fn a_locale_names_its_language() {
        let tables = [TABLES[0], GERMAN];
        let language = |locale| for_locale(locale, &tables).map(|(language, _)| language);
        assert_eq!(language("de_AT.UTF-8"), Some("de"));
        assert_eq!(language("en"), Some("en"));
        assert_eq!(language("C"), None);
        assert_eq!(language(""), None);
    }

    #[test]
    fn what_no_table_has_is_nothing() {
        let table = Table::new(TABLES);
        assert_eq!(table.of("no-such-text"), None);
        assert_eq!(text(&table, "no-such-text", 1), None);
    }

    #[test]
    fn every_table_is_read_whole_and_knows_no_name_twice() {
        for (language, source) in TABLES {
            let read = FluentResource::try_new((*source).to_owned());
            assert!(read.is_ok(), "{language}: {:?}", read.err().map(|(_, errors)| errors));
            let mut names: Vec<_> = ids(source).collect();
            let all = names.len();
            assert!(all > 300, "{all}");
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), all, "{language}");
        }
    }
}
