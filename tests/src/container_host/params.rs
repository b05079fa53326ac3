//! Parameters as a CLAP host reads and flushes them.

use std::cell::RefCell;
use std::ffi::{CString, c_char};

use clap_sys::ext::params::{CLAP_EXT_PARAMS, clap_param_info, clap_plugin_params};
use clap_sys::ext::remote_controls::{
    CLAP_EXT_REMOTE_CONTROLS, clap_plugin_remote_controls, clap_remote_controls_page,
};

use super::events::{HostEvent, Raw, list_in, list_out};
use super::{ClapHost, text};

/// A parameter as the plugin describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct DescribedParam {
    /// Its id.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Its group.
    pub module: String,
    /// Smallest, largest and default value.
    pub range: [f64; 3],
    /// Its flags.
    pub flags: u32,
}

impl ClapHost {
    fn params(&self) -> &clap_plugin_params {
        self.extension(CLAP_EXT_PARAMS).expect("clap.params")
    }

    /// All parameters, in the plugin's order.
    pub fn described(&self) -> Vec<DescribedParam> {
        let params = self.params();
        // SAFETY: the extension's own functions on its plugin; a zeroed info is valid and the plugin writes it.
        unsafe {
            (0..(params.count.expect("count"))(self.plugin))
                .map(|index| {
                    let mut info: clap_param_info = std::mem::zeroed();
                    assert!((params.get_info.expect("get_info"))(self.plugin, index, &mut info), "parameter {index}");
                    DescribedParam {
                        id: info.id,
                        name: text(info.name.as_ptr()),
                        module: text(info.module.as_ptr()),
                        range: [info.min_value, info.max_value, info.default_value],
                        flags: info.flags,
                    }
                })
                .collect()
        }
    }

    /// The id of macro `number`: the parameters come bypass first, then the macros in order.
    pub fn macro_id(&self, number: usize) -> u32 {
        self.described()[number].id
    }

    /// All pages of controls: section, name, parameters.
    pub fn pages(&self) -> Vec<(String, String, [u32; 8])> {
        let pages: &clap_plugin_remote_controls =
            self.extension(CLAP_EXT_REMOTE_CONTROLS).expect("clap.remote-controls");
        let (count, get) = (pages.count.expect("count"), pages.get.expect("get"));
        // SAFETY: the extension's own functions on its plugin; a zeroed page is valid and the plugin writes it.
        unsafe {
            let mut page: clap_remote_controls_page = std::mem::zeroed();
            let count = count(self.plugin);
            assert!(!get(self.plugin, count, &mut page), "no page past the last");
            let mut read = |index| {
                assert!(get(self.plugin, index, &mut page), "page {index}");
                (text(page.section_name.as_ptr()), text(page.page_name.as_ptr()), page.param_ids)
            };
            (0..count).map(&mut read).collect()
        }
    }

    /// How the plugin writes `value`.
    pub fn text_of(&self, id: u32, value: f64) -> String {
        let mut words = [0 as c_char; 256];
        let call = self.params().value_to_text.expect("value_to_text");
        // SAFETY: as above; room for as many bytes as said.
        assert!(unsafe { call(self.plugin, id, value, words.as_mut_ptr(), words.len() as u32) }, "value_to_text");
        text(words.as_ptr())
    }

    /// What the plugin reads in `words`.
    pub fn value_in(&self, id: u32, words: &str) -> Option<f64> {
        let (words, mut value) = (CString::new(words).expect("no zero"), f64::NAN);
        let call = self.params().text_to_value.expect("text_to_value");
        // SAFETY: as above.
        unsafe { call(self.plugin, id, words.as_ptr(), &mut value) }.then_some(value)
    }

    /// Hands `events` over while nothing is processed, and takes what comes out.
    pub fn flush(&self, events: &[HostEvent]) -> Vec<HostEvent> {
        let raw: Vec<Raw> = events.iter().map(Raw::new).collect();
        let sent = RefCell::new(Vec::new());
        let (input, output) = (list_in(&raw), list_out(&sent));
        // SAFETY: as above; both lists live over the call.
        unsafe { (self.params().flush.expect("flush"))(self.plugin, &input, &output) };
        sent.into_inner()
    }
}
