//! `options`: the lengths of blocks.

use std::ffi::c_void;
use std::ops::RangeInclusive;
use std::ptr;
use std::sync::atomic::Ordering;

use lv2_raw::sys::*;

use super::super::Lv2Plugin;
use super::features;
use super::instance::of;
use super::urids::Urids;
use crate::guard::guard;

/// Largest blocks that are taken whole, frames. A longer `run` is cut.
const LONGEST: RangeInclusive<u32> = 1..=8192;

/// How the host runs us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Largest block, frames.
    pub max: u32,
}

impl Blocks {
    /// As the host's options say; without them the largest that is taken whole. `[main]`
    ///
    /// # Safety
    /// `features` is null or a host's list.
    pub unsafe fn of(features: *const *const LV2_Feature, urids: &Urids) -> Self {
        let mut blocks = Self { max: *LONGEST.end() };
        // SAFETY: the caller's word; the feature's data is a list of options.
        if let Some(options) = unsafe { features::find(features, LV2_OPTIONS__options) } {
            // SAFETY: as above.
            unsafe {
                each(options.cast_const().cast(), |option| {
                    if let Some(max) = blocks_of(option, urids) {
                        blocks.max = max;
                    }
                });
            }
        }
        blocks
    }
}

/// Calls `work` with each option of a list.
///
/// # Safety
/// `options` is null or a list that ends with an option of key 0.
unsafe fn each(options: *const LV2_Options_Option, mut work: impl FnMut(&LV2_Options_Option)) {
    let mut at = options;
    // SAFETY: the caller's word.
    unsafe {
        while let Some(option) = at.as_ref().filter(|option| option.key != 0) {
            work(option);
            at = at.add(1);
        }
    }
}

/// The largest block, where `option` tells it.
///
/// # Safety
/// `option.value` holds what its type and size say.
unsafe fn blocks_of(option: &LV2_Options_Option, urids: &Urids) -> Option<u32> {
    let told = option.key == urids.max_block
        && urids.max_block != 0
        && option.type_ == urids.types.int
        && !option.value.is_null();
    if !told || option.size as usize != size_of::<i32>() {
        return None;
    }
    // SAFETY: the caller's word: an `atom:Int`.
    let frames = unsafe { option.value.cast::<i32>().read_unaligned() };
    Some(u32::try_from(frames).unwrap_or(0).clamp(*LONGEST.start(), *LONGEST.end()))
}

/// The float that is told under `key`, with the type `float`; `None` where there is none. `[main]`
///
/// # Safety
/// `features` is null or a host's list.
pub unsafe fn float(features: *const *const LV2_Feature, key: u32, float: u32) -> Option<f32> {
    let mut value = None;
    // SAFETY: the caller's word; the feature's data is a list of options, and a value is what its type and size say.
    unsafe {
        each(features::find(features, LV2_OPTIONS__options)?.cast_const().cast(), |option| {
            if option.key == key && option.type_ == float && option.size == 4 && !option.value.is_null() {
                value = Some(option.value.cast::<f32>().read_unaligned());
            }
        });
    }
    value
}

/// `opts:interface`. A block that grows is cut until the next `activate`.
pub trait Interface: Lv2Plugin {
    /// The struct that a host gets.
    const OPTIONS: &'static LV2_Options_Interface =
        &LV2_Options_Interface { get: Some(get::<Self>), set: Some(set::<Self>) };
}

impl<P: Lv2Plugin> Interface for P {}

unsafe extern "C" fn get<P: Lv2Plugin>(handle: LV2_Handle, options: *mut LV2_Options_Option) -> u32 {
    guard(LV2_Options_Status_LV2_OPTIONS_ERR_UNKNOWN, || {
        // SAFETY: the host passes what `instantiate` gave it.
        let Some(this) = (unsafe { of::<P>(handle) }) else { return LV2_Options_Status_LV2_OPTIONS_ERR_UNKNOWN };
        let mut status = LV2_Options_Status_LV2_OPTIONS_SUCCESS;
        let mut at = options;
        // SAFETY: the host's list, which ends with key 0, to be written.
        while let Some(option) = unsafe { at.as_mut() }.filter(|option| option.key != 0) {
            // An atomic has the layout of its value; the host reads it at once.
            let block: *const c_void = ptr::from_ref(&this.common.max_block).cast();
            if option.key == this.urids.max_block {
                (option.type_, option.size, option.value) = (this.urids.types.int, 4, block);
            } else {
                status |= LV2_Options_Status_LV2_OPTIONS_ERR_BAD_KEY;
            }
            // SAFETY: as above.
            at = unsafe { at.add(1) };
        }
        status
    })
}

unsafe extern "C" fn set<P: Lv2Plugin>(handle: LV2_Handle, options: *const LV2_Options_Option) -> u32 {
    guard(LV2_Options_Status_LV2_OPTIONS_ERR_UNKNOWN, || {
        // SAFETY: the host passes what `instantiate` gave it.
        let Some(this) = (unsafe { of::<P>(handle) }) else { return LV2_Options_Status_LV2_OPTIONS_ERR_UNKNOWN };
        let mut status = LV2_Options_Status_LV2_OPTIONS_SUCCESS;
        // SAFETY: the host's list, which ends with key 0.
        unsafe {
            each(options, |option| {
                let urids = &this.urids;
                if let Some(max) = blocks_of(option, urids) {
                    this.common.max_block.store(max, Ordering::Relaxed);
                } else if ![urids.min_block, urids.nominal_block, urids.sample_rate].contains(&option.key) {
                    status |= LV2_Options_Status_LV2_OPTIONS_ERR_BAD_KEY;
                }
            });
        }
        status
    })
}
