//! An amount of memory as people write it.

use std::str::FromStr;

const UNITS: [(&str, u64); 4] =
    [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40)];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory(u64);

impl Memory {
    pub const fn bytes(self) -> u64 {
        self.0
    }
}

impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Memory, String> {
        let expected = || "give a number with KiB, MiB, GiB or TiB, e.g. 8GiB".to_owned();
        let (number, unit) = UNITS
            .iter()
            .find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit)))
            .ok_or_else(expected)?;
        let number: f64 = number.trim().parse().map_err(|_| expected())?;
        let bytes = number * unit as f64;
        if number > 0.0 && bytes < u64::MAX as f64 {
            Ok(Memory(bytes as u64))
        } else {
            Err(expected())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read() {
        let read = |text: &str| text.parse::<Memory>().map(Memory::bytes).ok();
        assert_eq!(read("8GiB"), Some(8 << 30));
        assert_eq!(read("1.5 MiB"), Some(3 << 19));
        for bad in ["", "8", "GiB", "-1GiB", "0KiB", "nanGiB", "8GB", "1e300TiB"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
