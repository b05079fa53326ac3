//! `options`: what every instance is told of blocks and rate.

/// Values of the options; they stay where they are as long as the instance lives.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// `bufsz:minBlockLength`, frames.
    pub min_block: i32,
    /// `bufsz:maxBlockLength`, frames.
    pub max_block: i32,
    /// `bufsz:nominalBlockLength`, frames.
    pub nominal_block: i32,
    /// `bufsz:sequenceSize`, bytes.
    pub sequence_size: i32,
    /// `param:sampleRate`, Hz.
    pub rate: f32,
}
