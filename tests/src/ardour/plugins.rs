//! Plugins of both formats for chains inside Ardour.

use std::path::Path;

use host_core::model::{Chain, PluginId};

use crate::bundle::in_own_process;
use crate::{fixtures, fixtures_lv2};

/// Where Debian has its LV2 bundles.
const BUNDLES: &str = "/usr/lib/lv2";

/// Runs `body` in a process of its own in which the fixtures of both formats are installed, and these of Debian's LV2
/// bundles. `name` is the test's full name.
pub fn with_plugins(name: &str, bundles: &[&str], body: impl FnOnce()) {
    let prepare = |home: &Path| {
        let (clap, lv2) = (home.join("clap"), home.join("lv2"));
        std::fs::create_dir(&clap).expect("a folder");
        std::fs::copy(fixtures::clap(), clap.join("harmless.clap")).expect("the fixtures");
        fixtures_lv2::lay_out(&lv2);
        for bundle in bundles {
            let installed = Path::new(BUNDLES).join(bundle);
            assert!(installed.is_dir(), "{} is not installed: cargo xtask setup", installed.display());
            std::os::unix::fs::symlink(installed, lv2.join(bundle)).expect("a link");
        }
        vec![("CLAP_PATH", clap), ("LV2_PATH", lv2)]
    };
    in_own_process(name, prepare, |_| body());
}

/// A chain of any plugins, each with parameters by key.
pub fn chain_of(slots: &[(PluginId, &[(&str, f64)])]) -> Chain {
    let mut chain = Chain::default();
    for (plugin, params) in slots {
        let id = chain.insert(usize::MAX, plugin.clone());
        let slot = chain.slot_mut(id).expect("just put in");
        slot.params = params.iter().map(|(key, value)| ((*key).into(), *value)).collect();
    }
    chain
}
