//! Which plugins there are, each once whatever its formats, and which of them fit what was typed and chosen.

use std::collections::BTreeMap;
use std::sync::Arc;

use host_core::model::known::plain;
use host_core::model::{Catalog, Format, PluginEntry, PluginId, Shelf};

use super::kind::Kind;

/// A plugin: its places in the catalog, one for each format that it is here in, CLAP first.
pub(super) type Plugin = Vec<usize>;

/// Which plugins are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Only {
    /// All but the hidden.
    #[default]
    All,
    /// Those with a star.
    Favourites,
    /// Those that were used last.
    Recent,
    /// Those that the user does not want to see.
    Hidden,
    /// What cannot be used.
    Unusable,
}

/// What is typed and chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Filter {
    pub text: String,
    pub only: Only,
    pub kind: Option<Kind>,
    pub maker: Option<String>,
    pub format: Option<Format>,
}

/// What fits, worked out anew only when something of it changes.
#[derive(Default)]
pub(super) struct Found {
    catalog: Option<Arc<Catalog>>,
    shelf: Shelf,
    filter: Filter,
    plugins: Vec<Plugin>,
    /// Makers of more than nothing, by name.
    pub makers: Vec<String>,
    /// What fits, first to last.
    pub rows: Vec<Plugin>,
    /// How many there are of which nothing is hidden.
    pub all: usize,
}

impl Found {
    /// Brings it up to date. True: what fits is another.
    pub fn update(&mut self, catalog: &Arc<Catalog>, shelf: &Shelf, filter: &Filter) -> bool {
        let same_catalog = self.catalog.as_ref().is_some_and(|known| Arc::ptr_eq(known, catalog));
        if same_catalog && self.shelf == *shelf && self.filter == *filter {
            return false;
        }
        if !same_catalog {
            self.plugins = plugins(catalog);
            self.makers = makers(catalog);
            self.catalog = Some(catalog.clone());
        }
        // A star that is given, or a plugin that is used, moves no line that is looked at.
        let moved = !same_catalog || self.filter != *filter;
        self.shelf = shelf.clone();
        self.filter = filter.clone();
        let hidden = |plugin: &Plugin| is_among(catalog, plugin, &shelf.hidden);
        self.all = self.plugins.iter().filter(|plugin| !hidden(plugin)).count();
        self.rows = matches(catalog, &self.plugins, shelf, filter);
        moved
    }
}

/// Whether any format of `plugin` is in `list`.
pub(super) fn is_among(catalog: &Catalog, plugin: &[usize], list: &[PluginId]) -> bool {
    plugin.iter().filter_map(|row| catalog.plugins.get(*row)).any(|entry| list.contains(&entry.id))
}

fn makers(catalog: &Catalog) -> Vec<String> {
    let mut makers: Vec<_> = catalog.plugins.iter().map(|entry| entry.vendor.clone()).collect();
    makers.retain(|maker| !maker.is_empty());
    makers.sort_by_key(|maker| maker.to_lowercase());
    makers.dedup();
    makers
}

/// Every plugin once. A CLAP and an LV2 are one where their names say so and no other of that name could be meant, or their makers
/// say it too.
fn plugins(catalog: &Catalog) -> Vec<Plugin> {
    let mut named: BTreeMap<String, [Vec<usize>; 2]> = BTreeMap::new();
    for (row, entry) in catalog.plugins.iter().enumerate() {
        let lists = named.entry(plain(&entry.name)).or_default();
        lists[usize::from(entry.id.format == Format::Lv2)].push(row);
    }
    let mut other = BTreeMap::new();
    for (name, [claps, lv2s]) in named {
        if let ([clap], [lv2]) = (claps.as_slice(), lv2s.as_slice())
            && !name.is_empty()
        {
            other.insert(*clap, *lv2);
            continue;
        }
        let maker = |row: usize| plain(&catalog.plugins[row].vendor);
        let mut free = lv2s;
        for clap in claps {
            let of_one = |lv2: &usize| !maker(clap).is_empty() && maker(*lv2) == maker(clap);
            if let Some(at) = free.iter().position(of_one) {
                other.insert(clap, free.remove(at));
            }
        }
    }
    let second: Vec<_> = other.values().copied().collect();
    let rows = (0..catalog.plugins.len()).filter(|row| !second.contains(row));
    rows.map(|row| std::iter::once(row).chain(other.get(&row).copied()).collect()).collect()
}

/// The plugins that fit `filter`: names that begin with its text first, then names that hold it, then the others; in the
/// catalog's order within each.
fn matches(catalog: &Catalog, plugins: &[Plugin], shelf: &Shelf, filter: &Filter) -> Vec<Plugin> {
    let search = filter.text.trim().to_lowercase();
    let words: Vec<_> = search.split_whitespace().collect();
    let fits = |entry: &&PluginEntry| {
        filter.format.is_none_or(|format| entry.id.format == format)
            && filter.maker.as_ref().is_none_or(|maker| entry.vendor == *maker)
            && filter.kind.is_none_or(|kind| kind.is(&entry.categories))
    };
    let rank = |plugin: &Plugin| {
        let entries = plugin.iter().filter_map(|row| catalog.plugins.get(*row));
        let best = entries.filter(fits).filter_map(|entry| rank(entry, &search, &words)).min()?;
        let recent = |entry: &PluginEntry| shelf.recent.iter().position(|id| *id == entry.id);
        let used = plugin.iter().filter_map(|row| recent(catalog.plugins.get(*row)?)).min();
        let hidden = is_among(catalog, plugin, &shelf.hidden);
        let shown = match filter.only {
            Only::All => !hidden,
            Only::Favourites => is_among(catalog, plugin, &shelf.favourites),
            Only::Recent => used.is_some(),
            Only::Hidden => hidden,
            Only::Unusable => false,
        };
        let first = if filter.only == Only::Recent { used.unwrap_or(usize::MAX) } else { best };
        shown.then(|| (first, plugin.clone()))
    };
    let mut rows: Vec<_> = plugins.iter().filter_map(rank).collect();
    rows.sort_unstable();
    rows.into_iter().map(|(_, plugin)| plugin).collect()
}

fn rank(entry: &PluginEntry, search: &str, words: &[&str]) -> Option<usize> {
    let name = entry.name.to_lowercase();
    let rest = format!("{} {} {} {}", entry.vendor, entry.id.format, entry.categories.join(" "), entry.id.id);
    let text = format!("{name} {}", rest.to_lowercase());
    if !words.iter().all(|word| text.contains(word)) {
        return None;
    }
    Some(if name.starts_with(search) {
        0
    } else if words.iter().all(|word| name.contains(word)) {
        1
    } else {
        2
    })
}

#[cfg(test)]
mod tests {
    use host_core::model::{PluginLocation, PortLayout};

    use super::*;

    fn entry(id: &str, name: &str, vendor: &str, kind: &str) -> PluginEntry {
        PluginEntry {
            id: id.parse().unwrap(),
            name: name.into(),
            vendor: vendor.into(),
            version: String::new(),
            location: PluginLocation::Clap("x.clap".into()),
            categories: vec![kind.into()],
            ports: PortLayout::default(),
            params: vec![],
            presets: vec![],
            min_block: 1,
        }
    }

    fn found(plugins: Vec<PluginEntry>, shelf: &Shelf, filter: Filter) -> Vec<Vec<usize>> {
        let mut found = Found::default();
        found.update(&Arc::new(Catalog { plugins, bad: vec![] }), shelf, &filter);
        found.rows
    }

    fn text(text: &str) -> Filter {
        Filter { text: text.into(), ..Filter::default() }
    }

    #[test]
    fn a_search_finds_by_name_maker_and_kind_names_first() {
        let all = vec![
            entry("clap:a", "Big Room", "Delay House", "reverb"),
            entry("clap:b", "Delay", "Zam", "delay"),
            entry("clap:c", "Tape", "Zam", "delay"),
        ];
        let of = |words: &str| found(all.clone(), &Shelf::default(), text(words));
        assert_eq!(of("delay"), [[1], [0], [2]]);
        assert_eq!(of(" ZAM  ta"), [[2]]);
        assert_eq!(of(""), [[0], [1], [2]]);
        assert!(of("organ").is_empty());
    }

    #[test]
    fn two_formats_of_a_plugin_are_one_line_and_two_plugins_of_a_name_are_two() {
        let all = vec![
            entry("clap:comp", "Zam Comp", "Damien", "compressor"),
            entry("lv2:urn:comp", "ZamComp", "Zam", "compressor"),
            entry("clap:a", "Reverb", "Oak", "reverb"),
            entry("lv2:urn:b", "Reverb", "Pine", "reverb"),
            entry("lv2:urn:a", "Reverb", "Oak!", "reverb"),
        ];
        let none = Shelf::default();
        assert_eq!(found(all.clone(), &none, text("")), [vec![0, 1], vec![2, 4], vec![3]]);
        let lv2 = Filter { format: Some(Format::Lv2), maker: Some("Pine".into()), ..text("") };
        assert_eq!(found(all, &none, lv2), [[3]]);
    }

    #[test]
    fn what_is_hidden_is_found_among_the_hidden_alone_and_what_was_used_last_comes_first() {
        let all = ["a", "b", "c"].map(|id| entry(&format!("clap:{id}"), id, "", "eq")).to_vec();
        let id = PluginId::clap;
        let shelf = Shelf { hidden: vec![id("b")], recent: vec![id("c"), id("a")], ..Shelf::default() };
        let only = |only| found(all.clone(), &shelf, Filter { only, ..Filter::default() });
        assert_eq!(only(Only::All), [[0], [2]]);
        assert_eq!(only(Only::Hidden), [[1]]);
        assert_eq!(only(Only::Recent), [[2], [0]]);
        assert!(only(Only::Favourites).is_empty());
    }
}
