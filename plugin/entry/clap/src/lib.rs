//! Thin clap entry.
