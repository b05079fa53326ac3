//! Words that are looked for in texts.

/// What is looked for: each word must be somewhere, in any order, in upper or lower case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(Vec<String>);

impl Words {
    /// The words of `text`.
    pub fn new(text: &str) -> Self {
        Self(text.split_whitespace().map(str::to_lowercase).collect())
    }

    /// In lower case.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether all of them are in `text`, which is in lower case.
    pub fn are_in(&self, text: &str) -> bool {
        self.iter().all(|word| text.contains(word))
    }

    /// Whether all of them are in these texts together.
    pub fn fit<'a>(&self, texts: impl IntoIterator<Item = &'a str>) -> bool {
        self.are_in(&Self::folded(texts))
    }

    /// Texts as [`Words::are_in`] takes them; no word goes from one into the next.
    pub fn folded<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
        let mut all = String::new();
        for text in texts.into_iter().filter(|text| !text.is_empty()) {
            all.push_str(&text.to_lowercase());
            all.push('\n');
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_must_be_somewhere() {
        let fits = |words: &str| Words::new(words).fit(["Drum Bus", "Größe", "loud"]);
        assert!(fits("") && fits("bus drum") && fits("GRÖSSE") == fits("grösse") && fits("größe LOUD"));
        assert!(!fits("drum soft") && !fits("busgr"));
    }
}
