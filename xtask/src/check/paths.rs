//! What a source file names: paths in `use` lines and in code, and where it is `unsafe`.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, anyhow};
use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A path that a file names, from a crate's name on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its segments: `host_core`, `engine`, `Processor`.
    pub path: Vec<String>,
    /// The line it stands on.
    pub line: usize,
}

/// What was read in a file. Tests inside it are left out.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Every path, `use` lines and code alike.
    pub named: Vec<Named>,
    /// Macros called, by their last name.
    pub macros: Vec<(String, usize)>,
    /// Lines with `unsafe`.
    pub unsafe_lines: Vec<usize>,
}

/// Reads `text`, the source of `module`. `modules` are all modules of the workspace that are files.
pub fn facts(text: &str, module: &[String], modules: &BTreeSet<Vec<String>>) -> Result<Facts> {
    let file = syn::parse_file(text).map_err(|error| anyhow!("line {}: {error}", error.span().start().line))?;
    let mut reader = Reader {
        module: module.to_vec(),
        modules,
        inline: BTreeSet::new(),
        aliases: BTreeMap::new(),
        facts: Facts::default(),
    };
    // Once for the names that `use` lines bring in, wherever they stand; then for the paths that begin with them.
    reader.visit_file(&file);
    reader.facts = Facts::default();
    reader.visit_file(&file);
    Ok(reader.facts)
}

struct Reader<'a> {
    module: Vec<String>,
    modules: &'a BTreeSet<Vec<String>>,
    inline: BTreeSet<Vec<String>>,
    aliases: BTreeMap<String, Vec<String>>,
    facts: Facts,
}

impl Reader<'_> {
    /// The path from a crate's name on.
    fn absolute(&self, path: &[String]) -> Vec<String> {
        let mut rest = path;
        let mut base = match path.first().map(String::as_str) {
            Some("crate") => {
                rest = &path[1..];
                self.module[..1].to_vec()
            }
            Some("self") => {
                rest = &path[1..];
                self.module.clone()
            }
            Some("super") => self.module.clone(),
            Some(first) => {
                let mut local = self.module.clone();
                local.push(first.to_owned());
                if self.modules.contains(&local) || self.inline.contains(&local) {
                    self.module.clone()
                } else if let Some(known) = self.aliases.get(first).filter(|known| known.as_slice() != path) {
                    rest = &path[1..];
                    known.clone()
                } else {
                    Vec::new()
                }
            }
            None => Vec::new(),
        };
        while rest.first().is_some_and(|part| part == "super") {
            base.pop();
            rest = &rest[1..];
        }
        base.extend(rest.iter().cloned());
        base
    }

    fn name(&mut self, path: &[String], line: usize) {
        let path = self.absolute(path);
        // One small word alone is a local or a function, even where a crate has the same name.
        let local = matches!(path.as_slice(), [word] if word.starts_with(char::is_lowercase));
        if !local {
            self.facts.named.push(Named { path, line });
        }
    }

    fn use_tree(&mut self, tree: &syn::UseTree, before: &[String]) {
        let with = |last: &syn::Ident| {
            let mut path = before.to_vec();
            path.push(last.to_string());
            path
        };
        match tree {
            syn::UseTree::Path(part) => self.use_tree(&part.tree, &with(&part.ident)),
            syn::UseTree::Group(group) => group.items.iter().for_each(|item| self.use_tree(item, before)),
            syn::UseTree::Glob(glob) => {
                let path = self.absolute(before);
                self.facts.named.push(Named { path, line: glob.span().start().line });
            }
            syn::UseTree::Name(name) => self.bring_in(&with(&name.ident), &name.ident, &name.ident),
            syn::UseTree::Rename(rename) => self.bring_in(&with(&rename.ident), &rename.ident, &rename.rename),
        }
    }

    fn bring_in(&mut self, path: &[String], last: &syn::Ident, as_name: &syn::Ident) {
        // `use a::b::{self}` brings in `b`.
        let (path, name) = match path {
            [rest @ .., own] if own == "self" && !rest.is_empty() => {
                let name = if last == as_name { rest[rest.len() - 1].clone() } else { as_name.to_string() };
                (rest, name)
            }
            _ => (path, as_name.to_string()),
        };
        let absolute = self.absolute(path);
        self.facts.named.push(Named { path: absolute.clone(), line: last.span().start().line });
        self.aliases.insert(name, absolute);
    }

    /// Paths inside a macro call, which no parser knows the form of: names joined by `::`.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut joined = false;
        let mut line = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if ident == "unsafe" {
                        self.facts.unsafe_lines.push(ident.span().start().line);
                    }
                    if !joined {
                        self.end(&mut path, line);
                    }
                    line = ident.span().start().line;
                    path.push(ident.to_string());
                    joined = false;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => joined = true,
                TokenTree::Group(group) => {
                    self.end(&mut path, line);
                    self.tokens(group.stream());
                }
                _ => self.end(&mut path, line),
            }
        }
        self.end(&mut path, line);
    }

    fn end(&mut self, path: &mut Vec<String>, line: usize) {
        if !path.is_empty() {
            self.name(path, line);
            path.clear();
        }
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) if list.path.is_ident("cfg") => {
            let text = list.tokens.to_string();
            text == "test" || text.starts_with("all (test") || text.starts_with("any (test")
        }
        meta => meta.path().is_ident("test"),
    })
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes: &[syn::Attribute] = match item {
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Use(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            syn::Item::Struct(item) => &item.attrs,
            _ => &[],
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.module.push(item.ident.to_string());
        if item.content.is_some() {
            self.inline.insert(self.module.clone());
        }
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.use_tree(&item.tree, &[]);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.name(&segments, path.span().start().line);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if let Some(last) = call.path.segments.last() {
            self.facts.macros.push((last.ident.to_string(), last.ident.span().start().line));
        }
        self.tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if attribute.path().is_ident("unsafe") {
            self.facts.unsafe_lines.push(attribute.span().start().line);
        }
    }

    fn visit_expr_unsafe(&mut self, block: &'ast syn::ExprUnsafe) {
        self.facts.unsafe_lines.push(block.span().start().line);
        visit::visit_expr_unsafe(self, block);
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        if let syn::Safety::Unsafe(token) = &signature.safety {
            self.facts.unsafe_lines.push(token.span().start().line);
        }
        visit::visit_signature(self, signature);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if let Some(token) = &item.unsafety {
            self.facts.unsafe_lines.push(token.span().start().line);
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_item_foreign_mod(&mut self, item: &'ast syn::ItemForeignMod) {
        self.facts.unsafe_lines.push(item.span().start().line);
        visit::visit_item_foreign_mod(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<String> {
        let module = ["host_core", "engine", "delay"].map(str::to_owned);
        let modules = BTreeSet::from([["host_core", "engine", "delay", "line"].map(str::to_owned).to_vec()]);
        facts(text, &module, &modules).unwrap().named.iter().map(|named| named.path.join("::")).collect()
    }

    #[test]
    fn use_lines_are_read_however_they_are_written() {
        let all = named("use crate::{backend::{self, clap as c}, model::*}; use super::super::scan; use line::Line;");
        for path in [
            "host_core::backend",
            "host_core::backend::clap",
            "host_core::model",
            "host_core::scan",
            "host_core::engine::delay::line::Line",
        ] {
            assert!(all.iter().any(|named| named == path), "{path} is not in {all:?}");
        }
    }

    #[test]
    fn paths_in_code_in_macros_and_behind_a_renamed_import_are_read() {
        let all = named("use crate::backend as b; fn f() { b::clap::open(); assert!(x == crate::store::read(y)); }");
        assert!(all.contains(&"host_core::backend::clap::open".to_owned()), "{all:?}");
        assert!(all.contains(&"host_core::store::read".to_owned()), "{all:?}");
        assert!(named("fn f(x: crate::session::Snapshot) {}").contains(&"host_core::session::Snapshot".to_owned()));
    }

    #[test]
    fn a_local_with_the_name_of_a_crate_is_no_import() {
        assert!(named("fn f() { let nix = 3; g(nix); }").is_empty());
        assert_eq!(named("use nix;"), ["nix"]);
    }

    #[test]
    fn tests_inside_a_file_are_left_out() {
        assert!(named("#[cfg(test)] mod tests { use crate::session; }").is_empty());
        assert!(!named("#[cfg(not(test))] use crate::session;").is_empty());
    }

    #[test]
    fn every_form_of_unsafe_is_seen() {
        let modules = BTreeSet::new();
        let count = |text: &str| facts(text, &["x".to_owned()], &modules).unwrap().unsafe_lines.len();
        assert_eq!(count("fn f() { unsafe { g() } }"), 1);
        assert_eq!(count("unsafe fn f() {}"), 1);
        assert_eq!(count("unsafe impl Send for X {}"), 1);
        assert_eq!(count("unsafe extern \"C\" { fn f(); }"), 1);
        assert_eq!(count("#[unsafe(no_mangle)] pub extern \"C\" fn f() {}"), 1);
        assert_eq!(count("fn f() { m!(unsafe { g() }) }"), 1);
        assert_eq!(count("type F = unsafe extern \"C\" fn(); // a type alone does nothing"), 0);
    }
}
