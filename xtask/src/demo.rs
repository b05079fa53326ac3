//! `cargo xtask demo`.

use anyhow::Result;

/// Demo.
pub fn run(yes: bool) -> Result<()> {
    crate::setup::run(crate::setup::Need::Demo, yes)?;
    crate::bundle::run(&crate::bundle::Options::release()).map(drop)
}
