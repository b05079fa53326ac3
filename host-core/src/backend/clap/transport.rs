//! The host's song position in CLAP's words.

use clap_sys::events::*;
use clap_sys::fixedpoint::{CLAP_BEATTIME_FACTOR, CLAP_SECTIME_FACTOR};

use crate::backend::audio::Transport;

fn fixed(value: f64, factor: i64) -> i64 {
    // `as` saturates and takes NaN for 0.
    (value * factor as f64).round() as i64
}

/// `transport` at the first frame of a block. `[audio]`
pub fn event(transport: &Transport, rate: f64) -> clap_event_transport {
    let mut flags = 0;
    let mut set = |on: bool, flag: u32| flags |= if on { flag } else { 0 };
    let seconds = transport.frames.map(|frames| frames as f64 / rate);
    set(transport.playing, CLAP_TRANSPORT_IS_PLAYING);
    set(transport.recording, CLAP_TRANSPORT_IS_RECORDING);
    set(transport.tempo.is_some(), CLAP_TRANSPORT_HAS_TEMPO);
    set(transport.beats.is_some(), CLAP_TRANSPORT_HAS_BEATS_TIMELINE);
    set(seconds.is_some(), CLAP_TRANSPORT_HAS_SECONDS_TIMELINE);
    set(transport.time_signature.is_some(), CLAP_TRANSPORT_HAS_TIME_SIGNATURE);
    set(transport.looping.is_some(), CLAP_TRANSPORT_IS_LOOP_ACTIVE);
    let beats = |beats: f64| fixed(beats, CLAP_BEATTIME_FACTOR);
    let (loop_start, loop_end) = transport.looping.unwrap_or_default();
    // The loop in seconds, at the tempo of now: the host tells it in beats only.
    let loop_seconds = |at: f64| match (seconds, transport.beats, transport.tempo) {
        (Some(now), Some(beat), Some(tempo)) if transport.looping.is_some() && tempo > 0.0 => {
            fixed(now + (at - beat) * 60.0 / tempo, CLAP_SECTIME_FACTOR)
        }
        _ => 0,
    };
    let (tsig_num, tsig_denom) = transport.time_signature.unwrap_or((4, 4));
    clap_event_transport {
        header: clap_event_header {
            size: size_of::<clap_event_transport>() as u32,
            time: 0,
            space_id: CLAP_CORE_EVENT_SPACE_ID,
            type_: CLAP_EVENT_TRANSPORT,
            flags: 0,
        },
        flags,
        song_pos_beats: beats(transport.beats.unwrap_or_default()),
        song_pos_seconds: fixed(seconds.unwrap_or_default(), CLAP_SECTIME_FACTOR),
        tempo: transport.tempo.unwrap_or(120.0),
        tempo_inc: 0.0,
        loop_start_beats: beats(loop_start),
        loop_end_beats: beats(loop_end),
        loop_start_seconds: loop_seconds(loop_start),
        loop_end_seconds: loop_seconds(loop_end),
        bar_start: beats(transport.bar_start.unwrap_or_default()),
        bar_number: transport.bar.unwrap_or_default(),
        tsig_num,
        tsig_denom,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_and_loop_are_in_beats_and_seconds() {
        let song = Transport {
            playing: true,
            tempo: Some(120.0),
            frames: Some(96_000),
            beats: Some(4.0),
            bar_start: Some(4.0),
            bar: Some(1),
            looping: Some((2.0, 6.0)),
            ..Transport::default()
        };
        let event = event(&song, 48_000.0);
        let flags = CLAP_TRANSPORT_IS_PLAYING
            | CLAP_TRANSPORT_HAS_TEMPO
            | CLAP_TRANSPORT_HAS_BEATS_TIMELINE
            | CLAP_TRANSPORT_HAS_SECONDS_TIMELINE
            | CLAP_TRANSPORT_IS_LOOP_ACTIVE;
        assert_eq!(event.flags, flags);
        assert_eq!(event.song_pos_beats, 4 * CLAP_BEATTIME_FACTOR);
        assert_eq!(event.song_pos_seconds, 2 * CLAP_SECTIME_FACTOR);
        assert_eq!(event.loop_start_seconds, CLAP_SECTIME_FACTOR);
        assert_eq!(event.loop_end_seconds, 3 * CLAP_SECTIME_FACTOR);
    }
}
