//! JACK's transport as the engine knows it.

use host_core::backend::audio::Transport;
use jack::{Client, TransportState};

/// The transport `offset` frames into this block. `[audio]`
pub fn transport(client: &Client, offset: usize, offline: bool) -> Option<Transport> {
    let found = client.transport().query().ok()?;
    let playing = found.state == TransportState::Rolling;
    let moved = if playing { offset as f64 } else { 0.0 };
    let mut transport = Transport {
        playing,
        offline,
        frames: Some(i64::from(found.pos.frame()) + moved as i64),
        ..Transport::default()
    };
    if let Some(bbt) = found.pos.bbt() {
        let quarters = 4.0 / f64::from(bbt.sig_denom);
        let ticks = bbt.ticks_per_beat;
        let bar_start = bbt.bar_start_tick / ticks * quarters;
        let in_bar = ((bbt.beat as f64 - 1.0) + bbt.tick as f64 / ticks) * quarters;
        // A beat is one note of the signature's lower number; the engine counts quarter notes a minute.
        let tempo = bbt.bpm * quarters;
        let rate = f64::from(client.sample_rate());
        transport.tempo = Some(tempo);
        transport.time_signature = Some((bbt.sig_num as u16, bbt.sig_denom as u16));
        transport.beats = Some(bar_start + in_bar + moved / rate * tempo / 60.0);
        transport.bar_start = Some(bar_start);
        transport.bar = i32::try_from(bbt.bar).ok().map(|bar| bar - 1);
    }
    Some(transport)
}
