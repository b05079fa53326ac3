//! Thin vst3 entry.
