//! What is known of a partner from earlier matches: plain counts, which add up over matches.
//!
//! A model says nothing about a single match, and holds neither deals nor actions. What is estimated from it is an
//! estimate: how sure it is follows from the counts. How they are taken from a match is said in
//! [`observed`](super::players::observed).
//!
//! As data it is an object with the fields of [`PartnerModel`] and `"version": 1`; see `docs/json.md`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The memories that are told apart: the colours of the last 0 to 13 looks. A seat has at most fourteen looks in a match, so
/// who remembers thirteen never forgets.
pub const MEMORIES: usize = 14;

/// The version of the format of models.
pub const VERSION: u64 = 1;

/// How far the log-likelihood may fall from its greatest value inside the interval. For independent choices 1.92 would give 95 %
/// (half of the quantile of χ² with one degree of freedom). Those of a match depend on each other: with players whose memory
/// is known, 1.92 held the truth in 93 % of single matches and 4 in 99 %.
const FALL: f64 = 2.5;

/// So many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// How often it happened.
    pub yes: u64,
    /// How often it could have.
    pub of: u64,
}

impl Share {
    /// So many of so many.
    pub const fn new(yes: u64, of: u64) -> Share {
        Share { yes, of }
    }

    /// Counts one more.
    pub fn count(&mut self, yes: bool) {
        self.yes += u64::from(yes);
        self.of += 1;
    }

    /// The two together.
    #[must_use]
    pub fn and(self, other: Share) -> Share {
        Share { yes: self.yes + other.yes, of: self.of + other.of }
    }

    /// The share; `None` of nothing.
    pub fn rate(self) -> Option<f64> {
        (self.of > 0).then(|| self.yes as f64 / self.of as f64)
    }
}

/// Choices, each of which fell into a class or beside it.
///
/// The likelihood is that of one who decides for the class with a fixed chance, whatever it is, and then takes any choice
/// of it, or else any of the others, all equally often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choices {
    /// How many fell into the class.
    pub inside: u64,
    /// How many fell beside it.
    pub beside: u64,
    /// The sum of ln(1 / n), where n is how many choices there were on the side that was taken.
    pub log: f64,
}

impl Choices {
    /// Counts a choice among so many in the class and so many beside it. Where one of the two is empty there was nothing to
    /// decide.
    pub fn count(&mut self, chosen: bool, inside: usize, beside: usize) {
        if inside > 0 && beside > 0 {
            self.inside += u64::from(chosen);
            self.beside += u64::from(!chosen);
        }
        self.log -= (if chosen { inside } else { beside } as f64).max(1.0).ln();
    }

    /// The log-likelihood with the chance that fits best.
    pub fn log_likelihood(&self) -> f64 {
        let n = (self.inside + self.beside) as f64;
        let part = |count: u64| if count == 0 { 0.0 } else { count as f64 * (count as f64 / n).ln() };
        part(self.inside) + part(self.beside) + self.log
    }

    /// How many fell into the class.
    pub fn share(&self) -> Share {
        Share { yes: self.inside, of: self.inside + self.beside }
    }

    fn and(self, other: Choices) -> Choices {
        Choices { inside: self.inside + other.inside, beside: self.beside + other.beside, log: self.log + other.log }
    }
}

/// What the choices of a seat were like if it remembered the colours of its last looks, so many of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remembering {
    /// Looks: the class are the cards whose colour it does not remember.
    pub looks: Choices,
    /// Moves: the class are those that bring together what it remembers as far as one move can.
    pub moves: Choices,
    /// Marks: the class are those that are proper by what it remembers.
    pub marks: Choices,
}

impl Remembering {
    fn and(self, other: Remembering) -> Remembering {
        Remembering {
            looks: self.looks.and(other.looks),
            moves: self.moves.and(other.moves),
            marks: self.marks.and(other.marks),
        }
    }
}

/// How many looks a partner remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remembers {
    /// The number that fits best; 13 means that it never forgets.
    pub best: usize,
    /// The least number in the interval.
    pub low: usize,
    /// The greatest.
    pub high: usize,
}

/// A partner as earlier matches show it. Without any match it is an unknown person: every estimate is then what is assumed
/// of one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartnerModel {
    /// The name that it has in the records.
    pub name: String,
    /// How many matches the counts are from.
    pub matches: u64,
    /// In how many of them it was reminded of what it saw: its memory is then not its own.
    pub reminded: u64,
    /// How many of its marks were proper.
    pub marks_proper: Share,
    /// How many of its marks on cards that it had looked at were proper.
    pub seen_marks_proper: Share,
    /// How often it marked a card when it could as well have activated a hint.
    pub marks_often: Share,
    /// How many of its moves that say something by the natural convention said what is true.
    pub keeps_convention: Share,
    /// How many of its stops won.
    pub stops_right: Share,
    /// Its choices, for each number of looks that it may remember.
    pub memory: [Remembering; MEMORIES],
}

/// What is assumed of an unknown person, and counts as much as ten choices that were seen. None of it is measured.
mod unknown {
    use super::Share;

    pub(super) const MARKS_PROPER: Share = Share::new(9, 10);
    pub(super) const MARKS_OFTEN: Share = Share::new(5, 10);
    pub(super) const KEEPS_CONVENTION: Share = Share::new(5, 10);
    pub(super) const GREEDY: Share = Share::new(7, 10);
    /// Looks that are remembered.
    pub(super) const REMEMBERS: usize = 6;
}

fn with(assumed: Share, seen: Share) -> f64 {
    let both = assumed.and(seen);
    both.yes as f64 / both.of as f64
}

impl PartnerModel {
    /// What was seen in more matches as well. The name stays, unless there was none.
    #[must_use]
    pub fn and(self, other: &PartnerModel) -> PartnerModel {
        let memory = std::array::from_fn(|k| self.memory[k].and(other.memory[k]));
        PartnerModel {
            name: if self.name.is_empty() { other.name.clone() } else { self.name },
            matches: self.matches + other.matches,
            reminded: self.reminded + other.reminded,
            marks_proper: self.marks_proper.and(other.marks_proper),
            seen_marks_proper: self.seen_marks_proper.and(other.seen_marks_proper),
            marks_often: self.marks_often.and(other.marks_often),
            keeps_convention: self.keeps_convention.and(other.keeps_convention),
            stops_right: self.stops_right.and(other.stops_right),
            memory,
        }
    }

    /// The chance that a mark of it is proper, with what is assumed of an unknown person.
    pub fn chance_proper(&self) -> f64 {
        with(unknown::MARKS_PROPER, self.marks_proper)
    }

    /// The chance that it marks a card when it could as well activate a hint, with what is assumed of an unknown person.
    pub fn chance_marks(&self) -> f64 {
        with(unknown::MARKS_OFTEN, self.marks_often)
    }

    /// The chance that a move of it that says something by the natural convention says what is true, with what is assumed of
    /// an unknown person.
    pub fn chance_keeps(&self) -> f64 {
        with(unknown::KEEPS_CONVENTION, self.keeps_convention)
    }

    /// The chance that it brings together what it remembers as far as one move can, with what is assumed of an unknown
    /// person.
    pub fn chance_greedy(&self) -> f64 {
        with(unknown::GREEDY, self.greedy())
    }

    /// How many of its last looks it is taken to remember: what fits best, or what is assumed of an unknown person.
    pub fn looks_remembered(&self) -> usize {
        self.remembers().map_or(unknown::REMEMBERS, |remembers| remembers.best)
    }

    /// How many of its last looks it remembers, by the likelihood of its looks; `None` if they do not tell at all. Moves and marks
    /// are left out: they show what it knows, which may be more than what it remembers.
    pub fn remembers(&self) -> Option<Remembers> {
        let fits = self.memory.map(|remembering| remembering.looks.log_likelihood());
        let most = fits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = fits.iter().copied().fold(f64::INFINITY, f64::min);
        let inside = |k: &usize| fits[*k] >= most - FALL;
        let best = (0..MEMORIES).find(|&k| fits[k] == most)?;
        let (low, high) = ((0..MEMORIES).find(inside)?, (0..MEMORIES).rev().find(inside)?);
        (most > least).then_some(Remembers { best, low, high })
    }

    /// How many of its moves brought together what it remembered as far as one move can, for the memory that fits best.
    pub fn greedy(&self) -> Share {
        self.memory[self.looks_remembered()].moves.share()
    }

    /// The model as data.
    pub fn to_data(&self) -> Value {
        let mut data = serde_json::json!({"version": VERSION});
        let fields = serde_json::to_value(self).expect("counts can always be written");
        if let (Some(data), Value::Object(fields)) = (data.as_object_mut(), fields) {
            data.extend(fields);
        }
        data
    }

    /// Reads a model.
    ///
    /// # Errors
    /// It is none, in words.
    pub fn from_data(data: &Value) -> Result<PartnerModel, String> {
        let mut fields = data.as_object().ok_or("a partner is an object")?.clone();
        match fields.remove("version").as_ref().and_then(Value::as_u64) {
            Some(VERSION) => {}
            Some(other) => return Err(format!("version {other} cannot be read, only version {VERSION}")),
            None => return Err("`version` is missing".to_string()),
        }
        let model: PartnerModel = serde_json::from_value(Value::Object(fields)).map_err(|error| error.to_string())?;
        model.check()?;
        Ok(model)
    }

    /// Whether the numbers can be counts.
    fn check(&self) -> Result<(), String> {
        let shares = [
            ("marks_proper", self.marks_proper),
            ("seen_marks_proper", self.seen_marks_proper),
            ("marks_often", self.marks_often),
            ("keeps_convention", self.keeps_convention),
            ("stops_right", self.stops_right),
            ("reminded", Share::new(self.reminded, self.matches)),
        ];
        for (name, Share { yes, of }) in shares {
            if yes > of {
                return Err(format!("`{name}` is {yes} of {of}"));
            }
        }
        let choices = self.memory.iter().flat_map(|m| [m.looks, m.moves, m.marks]);
        match choices.into_iter().all(|c| c.log.is_finite() && c.log <= 0.0) {
            true => Ok(()),
            false => Err("`log` is a sum of logarithms of chances, at most 0".to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> PartnerModel {
        let mut model = PartnerModel { name: "anna".into(), matches: 3, reminded: 1, ..PartnerModel::default() };
        (0..10).for_each(|i| model.marks_proper.count(i > 0));
        (0..MEMORIES).for_each(|k| (0..20).for_each(|i| model.memory[k].looks.count(i >= k, 10, 6)));
        model
    }

    #[test]
    fn a_model_is_read_as_it_was_written() {
        let model = model();
        assert_eq!(PartnerModel::from_data(&model.to_data()), Ok(model.clone()));
        let text = model.to_data().to_string();
        let read = PartnerModel::from_data(&serde_json::from_str(&text).unwrap()).unwrap();
        assert_eq!((read.name.as_str(), read.remembers()), ("anna", model.remembers()));
    }

    #[test]
    fn what_cannot_be_counts_is_refused_in_words() {
        let refused = |change: fn(&mut Value)| {
            let mut data = model().to_data();
            change(&mut data);
            PartnerModel::from_data(&data).unwrap_err()
        };
        assert_eq!(refused(|d| d["marks_often"]["yes"] = 7.into()), "`marks_often` is 7 of 0");
        assert_eq!(refused(|d| d["version"] = 2.into()), "version 2 cannot be read, only version 1");
        assert!(refused(|d| d["memory"][0]["looks"]["log"] = 1.0.into()).contains("logarithms"));
        assert!(refused(|d| d["mood"] = "fine".into()).contains("mood"));
        assert!(refused(|d| drop(d.as_object_mut().unwrap().remove("matches"))).contains("matches"));
        assert!(refused(|d| drop(d["memory"].as_array_mut().unwrap().pop())).contains("length"));
    }

    #[test]
    fn without_a_match_it_is_an_unknown_person_and_what_is_seen_outweighs_what_is_assumed() {
        let unknown = PartnerModel::default();
        assert_eq!((unknown.chance_proper(), unknown.looks_remembered(), unknown.remembers()), (0.9, 6, None));
        let liar = PartnerModel { marks_proper: Share::new(0, 90), ..PartnerModel::default() };
        assert!((liar.chance_proper() - 0.09).abs() < 1e-12);
    }

    #[test]
    fn models_of_parts_add_up_to_the_model_of_all() {
        let (one, two) = (model(), model());
        let both = one.clone().and(&two);
        assert_eq!((both.matches, both.marks_proper), (6, Share::new(18, 20)));
        for k in 0..MEMORIES {
            let sum = one.memory[k].looks.log + two.memory[k].looks.log;
            assert!((both.memory[k].looks.log - sum).abs() < 1e-9);
        }
        assert_eq!(PartnerModel::default().and(&one), one);
    }

    #[test]
    fn the_likelihood_of_choices_is_that_of_its_definition() {
        // Three of four times one of two cards, once one of five others.
        let mut choices = Choices::default();
        (0..3).for_each(|_| choices.count(true, 2, 5));
        choices.count(false, 2, 5);
        let chance = (0.75f64 / 2.0).powi(3) * (0.25 / 5.0);
        assert!((choices.log_likelihood() - chance.ln()).abs() < 1e-12);
        // Where there is nothing to decide, only the number of choices counts.
        let mut all = Choices::default();
        all.count(true, 7, 0);
        assert!((all.log_likelihood() + 7f64.ln()).abs() < 1e-12 && all.share() == Share::default());
    }
}
