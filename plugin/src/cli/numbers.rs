//! Numbers as typed. They take a point in every locale.

use host_core::model::{BLOCK_RANGE, RATE_RANGE};

/// A finite number.
pub fn number(text: &str) -> Result<f64, String> {
    if text.contains(',') {
        return Err(format!("numbers take a point, not a comma: write {}", text.replace(',', ".")));
    }
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(format!("\"{text}\" is no value that can be set: write a finite number, as 0.5")),
        Err(_) => Err(format!("\"{text}\" is no number: write one as 12 or 0.5")),
    }
}

/// Frames in a block.
pub fn block(text: &str) -> Result<u32, String> {
    let (min, max) = (BLOCK_RANGE.start(), BLOCK_RANGE.end());
    match text.trim().parse::<i64>() {
        Ok(value) if (i64::from(*min)..=i64::from(*max)).contains(&value) => Ok(value as u32),
        Ok(_) => Err(format!("a block has {min} to {max} frames")),
        Err(_) => Err(format!("write a whole number of frames, {min} to {max}")),
    }
}

/// A sample rate, Hz.
pub fn rate(text: &str) -> Result<u32, String> {
    let (min, max) = (*RATE_RANGE.start() as i64, *RATE_RANGE.end() as i64);
    match text.trim().parse::<i64>() {
        Ok(value) if (min..=max).contains(&value) => Ok(value as u32),
        Ok(_) => Err(format!("a sample rate is {min} to {max} Hz")),
        Err(_) => Err(format!("write whole hertz, {min} to {max}, as 48000")),
    }
}

/// How much is rendered after the input's end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TailLength {
    /// Until it fell silent.
    Auto,
    /// Seconds.
    Seconds(f64),
}

/// Longest tail, seconds.
pub const MAX_TAIL: f64 = 3600.0;

/// `auto`, or seconds.
pub fn tail(text: &str) -> Result<TailLength, String> {
    if text == "auto" {
        return Ok(TailLength::Auto);
    }
    match number(text) {
        Ok(seconds) if (0.0..=MAX_TAIL).contains(&seconds) => Ok(TailLength::Seconds(seconds)),
        Ok(_) => Err(format!("a tail is 0 to {MAX_TAIL} seconds, or auto")),
        Err(reason) => Err(format!("{reason}; or write auto")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_finite_numbers_with_a_point_pass() {
        assert_eq!(number("-0.5"), Ok(-0.5));
        assert!(number("0,5").unwrap_err().contains("write 0.5"));
        for text in ["nan", "inf", "-inf", "1e999", "", "loud"] {
            assert!(number(text).is_err(), "{text}");
        }
    }

    #[test]
    fn blocks_rates_and_tails_outside_their_range_are_refused_with_it() {
        for text in ["0", "8193", "-1", "99999999999999999999", "many", "1.5"] {
            assert!(block(text).unwrap_err().contains("1 to 8192"), "{text}");
        }
        assert_eq!((block("1"), block("8192")), (Ok(1), Ok(8192)));
        for text in ["0", "7999", "384001", "-48000", "cd"] {
            assert!(rate(text).unwrap_err().contains("8000 to 384000"), "{text}");
        }
        assert_eq!(tail("auto"), Ok(TailLength::Auto));
        assert_eq!(tail("2.5"), Ok(TailLength::Seconds(2.5)));
        for text in ["-1", "3601", "nan", "long"] {
            assert!(tail(text).is_err(), "{text}");
        }
    }
}
