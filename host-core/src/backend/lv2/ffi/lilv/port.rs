//! Ports of a plugin: what the description says of each.

use std::ptr::NonNull;

use lilv_sys as sys;

use super::node::{Node, copy, take, text_of};
use super::{Plugin, World};

/// Smallest, largest and fresh value of a port, where it says so.
pub struct Range {
    /// Smallest.
    pub min: Option<f64>,
    /// Largest.
    pub max: Option<f64>,
    /// Fresh.
    pub default: Option<f64>,
}

/// A port of a plugin.
#[derive(Clone, Copy)]
pub struct Port<'w> {
    pub(super) ptr: NonNull<sys::LilvPort>,
    pub(super) plugin: Plugin<'w>,
}

impl<'w> Port<'w> {
    fn raw(&self) -> (*const sys::LilvPlugin, *const sys::LilvPort) {
        (self.plugin.as_ptr(), self.ptr.as_ptr())
    }

    /// The world it is of.
    pub fn world(&self) -> &'w World {
        self.plugin.world
    }

    /// Its symbol.
    pub fn symbol(&self) -> String {
        let (plugin, port) = self.raw();
        // SAFETY: plugin and port are alive; the node is the port's own.
        unsafe { text_of(sys::lilv_port_get_symbol(plugin, port)) }
    }

    /// Its name.
    pub fn name(&self) -> String {
        let (plugin, port) = self.raw();
        // SAFETY: plugin and port are alive; the node is ours to free.
        Node::own(unsafe { sys::lilv_port_get_name(plugin, port) }).map_or(String::new(), |node| node.text())
    }

    /// The URIs of its classes.
    pub fn classes(&self) -> Vec<String> {
        let (plugin, port) = self.raw();
        // SAFETY: plugin and port are alive; the collection is the port's own and only read.
        unsafe { copy(sys::lilv_port_get_classes(plugin, port)) }.iter().map(Node::text).collect()
    }

    /// Objects of `port predicate ?`.
    pub fn value(&self, predicate: &'static str) -> Vec<Node<'w>> {
        let (plugin, port) = self.raw();
        // SAFETY: plugin, port and node are alive; the collection is ours to free.
        unsafe { take(sys::lilv_port_get_value(plugin, port, self.plugin.world.known(predicate))) }
    }

    /// The URIs that `port predicate ?` names.
    pub fn values(&self, predicate: &'static str) -> Vec<String> {
        self.value(predicate).iter().map(Node::text).collect()
    }

    /// Its range.
    pub fn range(&self) -> Range {
        let (plugin, port) = self.raw();
        let mut raw = [std::ptr::null_mut(); 3];
        let [default, min, max] = &mut raw;
        // SAFETY: plugin and port are alive; the three nodes, where set, are ours to free.
        unsafe { sys::lilv_port_get_range(plugin, port, default, min, max) };
        let [default, min, max] = raw.map(|node| Node::own(node).and_then(|node| node.number()));
        Range { min, max, default }
    }

    /// Its named values.
    pub fn scale_points(&self) -> Vec<(f64, String)> {
        let (plugin, port) = self.raw();
        let mut out = Vec::new();
        // SAFETY: plugin and port are alive; the collection is freed once, after its items were read.
        unsafe {
            let points = sys::lilv_port_get_scale_points(plugin, port);
            if points.is_null() {
                return out;
            }
            let mut i = sys::lilv_scale_points_begin(points);
            while !sys::lilv_scale_points_is_end(points, i) {
                let point = sys::lilv_scale_points_get(points, i);
                let value = text_of(sys::lilv_scale_point_get_value(point));
                if let Ok(value) = value.trim().parse() {
                    out.push((value, text_of(sys::lilv_scale_point_get_label(point))));
                }
                i = sys::lilv_scale_points_next(points, i);
            }
            sys::lilv_scale_points_free(points);
        }
        out
    }
}
