//! Values of the description, and collections of them.

use std::ffi::{CStr, c_char};
use std::marker::PhantomData;
use std::path::PathBuf;
use std::ptr::NonNull;

use lilv_sys as sys;

use super::World;

/// A value of the description, owned.
pub struct Node<'w> {
    pub(super) ptr: NonNull<sys::LilvNode>,
    world: PhantomData<&'w World>,
}

impl Node<'_> {
    pub(super) fn own(ptr: *mut sys::LilvNode) -> Option<Self> {
        Some(Self { ptr: NonNull::new(ptr)?, world: PhantomData })
    }

    /// The URI, the blank node's name or the literal's text.
    pub fn text(&self) -> String {
        // SAFETY: the node is alive; lilv's text ends in NUL and lives as long as the node.
        unsafe { text_of(self.ptr.as_ptr()) }
    }

    /// A number, read by Rust so that no locale matters.
    pub fn number(&self) -> Option<f64> {
        self.text().trim().parse().ok()
    }

    /// The path of a `file:` URI.
    pub fn path(&self) -> Option<PathBuf> {
        // SAFETY: the node is alive; the text is lilv's and freed once, by lilv.
        unsafe {
            let raw = NonNull::new(sys::lilv_node_get_path(self.ptr.as_ptr(), std::ptr::null_mut()))?;
            let bytes = CStr::from_ptr(raw.as_ptr()).to_bytes().to_vec();
            sys::lilv_free(raw.as_ptr().cast());
            Some(PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes)))
        }
    }

    pub(in super::super) fn as_ptr(&self) -> *const sys::LilvNode {
        self.ptr.as_ptr()
    }
}

impl Drop for Node<'_> {
    fn drop(&mut self) {
        // SAFETY: owned, so freed once; the world outlives it by the lifetime.
        unsafe { sys::lilv_node_free(self.ptr.as_ptr()) }
    }
}

/// # Safety
/// `node` is null or alive.
pub(super) unsafe fn text_of(node: *const sys::LilvNode) -> String {
    // SAFETY: the caller vouches for the node; lilv's text ends in NUL.
    unsafe {
        let text: *const c_char = if node.is_null() { std::ptr::null() } else { sys::lilv_node_as_string(node) };
        if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    }
}

/// Copies a collection of nodes and frees it.
///
/// # Safety
/// `nodes` is null or a collection that the caller owns and uses no more.
pub(super) unsafe fn take<'w>(nodes: *mut sys::LilvNodes) -> Vec<Node<'w>> {
    if nodes.is_null() {
        return Vec::new();
    }
    // SAFETY: the caller hands the collection over; its items are copied before it is freed.
    unsafe {
        let out = copy(nodes);
        sys::lilv_nodes_free(nodes);
        out
    }
}

/// # Safety
/// `nodes` is null or an alive collection.
pub(super) unsafe fn copy<'w>(nodes: *const sys::LilvNodes) -> Vec<Node<'w>> {
    let mut out = Vec::new();
    if nodes.is_null() {
        return out;
    }
    // SAFETY: the caller vouches for the collection; each item is duplicated.
    unsafe {
        let mut i = sys::lilv_nodes_begin(nodes);
        while !sys::lilv_nodes_is_end(nodes, i) {
            out.extend(Node::own(sys::lilv_node_duplicate(sys::lilv_nodes_get(nodes, i))));
            i = sys::lilv_nodes_next(nodes, i);
        }
    }
    out
}
