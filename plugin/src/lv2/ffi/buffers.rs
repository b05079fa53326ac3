//! The plugin's own audio buffers. A host may give one buffer for several ports, or none, and the plugin works in place:
//! inputs are copied in before anything is written out.

use nice_plug::prelude::{AudioIOLayout, AuxiliaryBuffers, Buffer, NonZeroU32};

/// One port's channels: the samples, and nice-plug's view of them, which is set anew for each block.
struct Bus {
    samples: Vec<Vec<f32>>,
    view: Buffer<'static>,
}

impl Bus {
    fn new(channels: usize, frames: usize) -> Self {
        let mut view = Buffer::default();
        // SAFETY: no slices, of no length.
        unsafe { view.set_slices(0, |slices| slices.reserve_exact(channels)) };
        Self { samples: vec![vec![0.0; frames]; channels], view }
    }
}

/// Buffers for all audio ports of a plugin, for blocks of a largest length.
pub struct Buffers {
    inputs: usize,
    main: Bus,
    aux_in: Vec<Vec<Vec<f32>>>,
    aux_out: Vec<Vec<Vec<f32>>>,
    aux_in_views: Vec<Buffer<'static>>,
    aux_out_views: Vec<Buffer<'static>>,
}

impl Buffers {
    /// For `layout`, in blocks of up to `frames`. `[main]`
    pub fn new(layout: &AudioIOLayout, frames: usize) -> Self {
        let channels = |ports: Option<NonZeroU32>| ports.map_or(0, NonZeroU32::get) as usize;
        let many = |ports: &[NonZeroU32]| -> (Vec<Vec<Vec<f32>>>, Vec<Buffer<'static>>) {
            ports
                .iter()
                .map(|port| {
                    let Bus { samples, view } = Bus::new(port.get() as usize, frames);
                    (samples, view)
                })
                .unzip()
        };
        let (aux_in, aux_in_views) = many(layout.aux_input_ports);
        let (aux_out, aux_out_views) = many(layout.aux_output_ports);
        Self {
            inputs: channels(layout.main_input_channels),
            main: Bus::new(channels(layout.main_output_channels), frames),
            aux_in,
            aux_out,
            aux_in_views,
            aux_out_views,
        }
    }

    /// Copies a part of a block in: `input` gives the host's samples of a channel of the main input, `side` of the
    /// `n`th of all sidechain channels; what it does not give is silent. Outputs begin silent. `[audio]`
    pub fn load<'a>(
        &mut self,
        frames: usize,
        input: impl Fn(usize) -> Option<&'a [f32]>,
        side: impl Fn(usize) -> Option<&'a [f32]>,
    ) {
        let fill = |to: &mut [f32], from: Option<&[f32]>| match from {
            Some(from) => to.copy_from_slice(from),
            None => to.fill(0.0),
        };
        for (channel, to) in self.main.samples.iter_mut().enumerate() {
            let from = if channel < self.inputs { input(channel) } else { None };
            fill(&mut to[..frames], from);
        }
        for (channel, to) in self.aux_in.iter_mut().flatten().enumerate() {
            fill(&mut to[..frames], side(channel));
        }
        self.aux_out.iter_mut().flatten().for_each(|to| to[..frames].fill(0.0));
    }

    /// Lets `work` at the buffers as nice-plug has them. `[audio]`
    pub fn with<R>(&mut self, frames: usize, work: impl FnOnce(&mut Buffer<'_>, &mut AuxiliaryBuffers<'_>) -> R) -> R {
        let set = |view: &mut Buffer<'static>, samples: &mut Vec<Vec<f32>>| {
            // SAFETY: the slices are to samples that this struct owns and does not touch while `work` runs, after which
            // nothing uses them: the next call replaces them. Each is `frames` long. There is room for all of them, so
            // nothing is allocated.
            unsafe {
                view.set_slices(frames, |slices| {
                    slices.clear();
                    slices.extend(samples.iter_mut().map(|channel| {
                        let len = frames.min(channel.len());
                        std::slice::from_raw_parts_mut(channel.as_mut_ptr(), len)
                    }));
                });
            }
        };
        set(&mut self.main.view, &mut self.main.samples);
        self.aux_in_views.iter_mut().zip(&mut self.aux_in).for_each(|(view, samples)| set(view, samples));
        self.aux_out_views.iter_mut().zip(&mut self.aux_out).for_each(|(view, samples)| set(view, samples));
        let mut aux =
            AuxiliaryBuffers { inputs: shorten(&mut self.aux_in_views), outputs: shorten(&mut self.aux_out_views) };
        work(&mut self.main.view, &mut aux)
    }

    /// Samples of a channel of the main output. `[audio]`
    pub fn main(&self, channel: usize, frames: usize) -> Option<&[f32]> {
        self.main.samples.get(channel)?.get(..frames)
    }

    /// Samples of the `n`th of all auxiliary channels. `[audio]`
    pub fn aux(&self, channel: usize, frames: usize) -> Option<&[f32]> {
        self.aux_out.iter().flatten().nth(channel)?.get(..frames)
    }
}

/// Buffers as [`AuxiliaryBuffers`] wants them: with one lifetime inside and out.
#[expect(clippy::unnecessary_cast, reason = "it changes the lifetime")]
fn shorten<'a>(views: &'a mut [Buffer<'static>]) -> &'a mut [Buffer<'a>] {
    // SAFETY: only the lifetime changes, to a shorter one. Through it nobody can leave a shorter slice behind but by
    // `set_slices`, which is unsafe and for wrappers.
    unsafe { &mut *(std::ptr::from_mut(views) as *mut [Buffer<'a>]) }
}
