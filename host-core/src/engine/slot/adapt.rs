//! Which plugin channel gets which chain channel, and which chain channel hears which plugin channel. Worked out at home.

use crate::model::{Adapt, BusRole, PortLayout};

/// What goes into one plugin channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Feed {
    /// Nothing.
    Silence,
    /// One chain channel.
    Channel(usize),
    /// The mean of several.
    Mean(Vec<usize>),
}

/// What a chain channel hears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Take {
    /// Its own dry.
    Dry,
    /// A channel of an instance.
    Channel(usize, usize),
    /// The mean of several channels of the first instance.
    Mean(Vec<usize>),
}

/// A slot's wiring.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C)]
pub(super) struct Wiring {
    /// The plugin's main input bus.
    pub main_in: Option<usize>,
    /// The plugin's main output bus.
    pub main_out: Option<usize>,
    /// The plugin's sidechain bus.
    pub sidechain: Option<usize>,
    /// The plugin's further output buses.
    pub aux: Vec<usize>,
    /// Per instance, per channel of the main input.
    pub feeds: Vec<Vec<Feed>>,
    /// Per chain channel.
    pub takes: Vec<Take>,
    /// One instance, channels one to one, in and out.
    pub straight: bool,
    /// The same of what goes out: so of an instrument, and of what makes stereo of mono.
    pub gives_straight: bool,
}

/// How many instances of a plugin a slot on a chain of `channels` needs. `[home]`
pub fn instances_needed(ports: &PortLayout, adapt: Adapt, channels: u16) -> usize {
    let (inputs, outputs) = (ports.main_inputs(), ports.main_outputs());
    if inputs == 0 || inputs != outputs || inputs >= channels {
        return 1;
    }
    match adapt {
        Adapt::Auto if channels.is_multiple_of(inputs) => usize::from(channels / inputs),
        Adapt::Multi => usize::from(channels.div_ceil(inputs)),
        _ => 1,
    }
}

impl Wiring {
    /// For `instances` (at least as many as are run) of a plugin on a chain of `channels`.
    pub fn new(ports: &PortLayout, adapt: Adapt, channels: usize, instances: usize) -> Self {
        let (inputs, outputs) = (usize::from(ports.main_inputs()), usize::from(ports.main_outputs()));
        let instances = instances.max(1);
        let feeds: Vec<Vec<Feed>> = (0..instances)
            .map(|instance| (0..inputs).map(|i| feed(adapt, channels, inputs, instances, instance, i)).collect())
            .collect();
        let takes: Vec<Take> = (0..channels).map(|c| take(adapt, channels, outputs, instances, c)).collect();
        let gives_straight = instances == 1
            && outputs == channels
            && takes.iter().enumerate().all(|(i, take)| *take == Take::Channel(0, i));
        let straight = gives_straight
            && inputs == channels
            && feeds[0].iter().enumerate().all(|(i, feed)| *feed == Feed::Channel(i));
        let aux = |(i, bus): (usize, &crate::model::AudioBus)| (bus.role == BusRole::Aux).then_some(i);
        Self {
            main_in: PortLayout::find(&ports.inputs, BusRole::Main),
            main_out: PortLayout::find(&ports.outputs, BusRole::Main),
            sidechain: PortLayout::find(&ports.inputs, BusRole::Sidechain),
            aux: ports.outputs.iter().enumerate().filter_map(aux).collect(),
            feeds,
            takes,
            straight,
            gives_straight,
        }
    }
}

impl Wiring {
    /// Whether some chain channel hears its own dry.
    pub fn passes_dry(&self) -> bool {
        !self.straight && (self.main_out.is_none() || self.takes.contains(&Take::Dry))
    }
}

/// Every `step`th of `count` channels from `first`: what shares one channel on the narrower side.
fn sharing(first: usize, step: usize, count: usize) -> Vec<usize> {
    (first..count).step_by(step.max(1)).collect()
}

fn feed(adapt: Adapt, channels: usize, inputs: usize, instances: usize, instance: usize, i: usize) -> Feed {
    if instances > 1 {
        let channel = instance * inputs + i;
        return if channel < channels { Feed::Channel(channel) } else { Feed::Silence };
    }
    match adapt {
        Adapt::Map if i >= channels => Feed::Silence,
        Adapt::Map => Feed::Channel(i),
        Adapt::Sum if inputs < channels => Feed::Mean((0..channels).collect()),
        _ if inputs < channels => Feed::Mean(sharing(i, inputs, channels)),
        _ => Feed::Channel(i % channels.max(1)),
    }
}

fn take(adapt: Adapt, channels: usize, outputs: usize, instances: usize, c: usize) -> Take {
    if outputs == 0 {
        return Take::Dry;
    }
    if instances > 1 {
        return if c / outputs < instances { Take::Channel(c / outputs, c % outputs) } else { Take::Dry };
    }
    match adapt {
        Adapt::Map if c >= outputs => Take::Dry,
        Adapt::Map => Take::Channel(0, c),
        _ if outputs > channels => Take::Mean(sharing(c, channels, outputs)),
        _ => Take::Channel(0, c % outputs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::AudioBus;

    fn ports(inputs: u16, outputs: u16) -> PortLayout {
        let bus = |channels| (channels > 0).then(|| AudioBus { name: "main".into(), channels, role: BusRole::Main });
        PortLayout {
            inputs: bus(inputs).into_iter().collect(),
            outputs: bus(outputs).into_iter().collect(),
            ..PortLayout::default()
        }
    }

    #[test]
    fn a_mono_plugin_runs_once_per_channel_and_a_stereo_one_once_per_pair() {
        assert_eq!(instances_needed(&ports(1, 1), Adapt::Auto, 2), 2);
        assert_eq!(instances_needed(&ports(2, 2), Adapt::Auto, 4), 2);
        assert_eq!(instances_needed(&ports(2, 2), Adapt::Auto, 3), 1);
        assert_eq!(instances_needed(&ports(2, 2), Adapt::Multi, 3), 2);
        assert_eq!(instances_needed(&ports(1, 2), Adapt::Auto, 2), 1);
        assert_eq!(instances_needed(&ports(1, 1), Adapt::Sum, 2), 1);
        let wiring = Wiring::new(&ports(1, 1), Adapt::Auto, 2, 2);
        assert_eq!(wiring.feeds, [[Feed::Channel(0)], [Feed::Channel(1)]]);
        assert_eq!(wiring.takes, [Take::Channel(0, 0), Take::Channel(1, 0)]);
    }

    #[test]
    fn layouts_that_do_not_divide_are_summed_duplicated_or_mapped() {
        let up = Wiring::new(&ports(1, 4), Adapt::Auto, 2, 1);
        assert_eq!(up.feeds, [[Feed::Mean(vec![0, 1])]]);
        assert_eq!(up.takes, [Take::Mean(vec![0, 2]), Take::Mean(vec![1, 3])]);
        let mono_in = Wiring::new(&ports(2, 2), Adapt::Auto, 1, 1);
        assert_eq!(mono_in.feeds, [[Feed::Channel(0), Feed::Channel(0)]]);
        assert_eq!(mono_in.takes, [Take::Mean(vec![0, 1])]);
        let map = Wiring::new(&ports(1, 1), Adapt::Map, 2, 1);
        assert_eq!(map.feeds, [[Feed::Channel(0)]]);
        assert_eq!(map.takes, [Take::Channel(0, 0), Take::Dry]);
        assert!(Wiring::new(&ports(2, 2), Adapt::Auto, 2, 1).straight);
        assert!(!map.straight);
        assert!(Wiring::new(&ports(0, 2), Adapt::Auto, 2, 1).gives_straight);
        assert!(!up.gives_straight && !map.gives_straight);
    }
}
