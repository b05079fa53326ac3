//! Sound and cost, as shown.

/// The sound at one point, as shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeterView {
    /// Largest absolute sample of all channels since the last tick, linear.
    pub peak: f32,
    /// The highest of these in the last 2 s.
    pub hold: f32,
    /// Root of the mean square of all channels over some 300 ms, linear.
    pub rms: f32,
    /// Loudness of the last 3 s, LUFS by ITU-R BS.1770; minus infinity in silence, `None` where nobody
    /// [listens](crate::session::SessionHandle::listen).
    pub short_term: Option<f64>,
    /// Since the meters were reset.
    pub since: MeterTotals,
}

/// The sound at one point since the meters were reset.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeterTotals {
    /// Largest absolute sample, linear.
    pub peak: f32,
    /// Root of the mean square of all channels, linear.
    pub rms: f32,
    /// Samples beyond 0 dBFS.
    pub clips: u64,
    /// Highest short-term loudness, LUFS; where somebody listens.
    pub short_term_max: Option<f64>,
    /// Integrated loudness, LUFS; where somebody listens.
    pub integrated: Option<f64>,
}

/// What a slot or the whole costs, as shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CostView {
    /// Average time of a block over some second, nanoseconds; 0 where nothing was run yet.
    pub nanos: u32,
    /// The same as a share of the block's own time, 0..1.
    pub share: f32,
    /// Since the meters were reset.
    pub since: CostTotals,
}

/// What a slot or the whole cost since the meters were reset.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CostTotals {
    /// Average time of a block, nanoseconds.
    pub nanos: u32,
    /// Longest time of a block, nanoseconds.
    pub max_nanos: u32,
    /// The average as a share of the blocks' own time, 0..1.
    pub share: f32,
    /// The longest as a share of an average block's own time.
    pub max_share: f32,
}
