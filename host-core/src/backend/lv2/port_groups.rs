//! `port-groups`: names of groups, and the buses that audio and CV ports make up.

use std::collections::HashMap;

use super::describe::{Kind, Port};
use super::ffi::lilv::{Plugin, World};
use super::uri;
use crate::model::{AudioBus, BusRole, PortLayout};

/// Names of port groups, read once each.
pub struct Groups<'w> {
    world: &'w World,
    names: HashMap<String, String>,
}

impl<'w> Groups<'w> {
    /// None read yet.
    pub fn new(world: &'w World) -> Self {
        Self { world, names: HashMap::new() }
    }

    /// What a group is called; empty where it has no name.
    pub fn name(&mut self, group: &str) -> String {
        if let Some(name) = self.names.get(group) {
            return name.clone();
        }
        let node = self.world.uri(group);
        let name =
            node.and_then(|node| self.world.text(&node, uri::LV2_NAME).or_else(|| self.world.text(&node, uri::LABEL)));
        let name = name.unwrap_or_default();
        self.names.insert(group.into(), name.clone());
        name
    }

    fn is_sidechain(&self, group: &str) -> bool {
        self.world.uri(group).is_some_and(|node| !self.world.find(&node, uri::SIDE_CHAIN_OF).is_empty())
    }
}

/// Bus and channel of each port.
type Places = Vec<Option<(usize, usize)>>;

/// Buses from ports. Ports without a group and those of the main group are the main bus; other groups are buses of
/// their own; sidechain ports make one sidechain bus; each CV port is a bus.
pub fn layout(plugin: Plugin<'_>, ports: &[Port], groups: &mut Groups<'_>) -> (PortLayout, Places) {
    let mut places = vec![None; ports.len()];
    let main = |predicate| plugin.value(predicate).first().map(super::ffi::lilv::Node::text);
    let inputs = buses(ports, true, main(uri::MAIN_INPUT), groups, &mut places);
    let outputs = buses(ports, false, main(uri::MAIN_OUTPUT), groups, &mut places);
    let midi = |input| ports.iter().any(|port| port.input == input && matches!(&port.kind, Kind::Atom(a) if a.midi));
    (PortLayout { inputs, outputs, midi_in: midi(true), midi_out: midi(false) }, places)
}

fn buses(
    ports: &[Port],
    input: bool,
    main: Option<String>,
    groups: &mut Groups<'_>,
    places: &mut Places,
) -> Vec<AudioBus> {
    // Where no group is called the main one, the first port's group (or being in none) is.
    let first = ports.iter().find(|port| port.input == input && port.kind == Kind::Audio && !port.sidechain);
    let main = main.or_else(|| first.and_then(|port| port.group.clone()));
    let mut buses: Vec<(String, AudioBus)> = Vec::new();
    for (index, port) in ports.iter().enumerate().filter(|(_, port)| port.input == input) {
        let group = port.group.as_deref();
        let (key, role) = match port.kind {
            Kind::Cv => (format!("cv {index}"), BusRole::Cv),
            Kind::Audio if input && (port.sidechain || group.is_some_and(|group| groups.is_sidechain(group))) => {
                ("sidechain".into(), BusRole::Sidechain)
            }
            Kind::Audio => match group {
                Some(group) if main.as_deref() != Some(group) => (format!("group {group}"), BusRole::Aux),
                _ => ("main".into(), BusRole::Main),
            },
            _ => continue,
        };
        let at = buses.iter().position(|(k, _)| *k == key).unwrap_or_else(|| {
            let named = group.filter(|_| port.kind == Kind::Audio).map(|group| groups.name(group));
            let name = named.filter(|name| !name.is_empty()).unwrap_or_else(|| port.name.clone());
            buses.push((key, AudioBus { name, channels: 0, role }));
            buses.len() - 1
        });
        let bus = &mut buses[at].1;
        places[index] = Some((at, bus.channels.into()));
        bus.channels += 1;
    }
    buses.into_iter().map(|(_, bus)| bus).collect()
}
