//! What recorded matches of Yōkai teach about who played them: a partner's model, and the order of goals that explains its moves.

use crate::report::{LeftOut, percent};
use crate::stats::{self, Estimate, Range};
use crate::study::is_person;
use ken_games::game::{Notation, Seat};
use ken_games::record::{BadRecord, PERSON, Record};
use ken_games::yokai::partner::{MEMORIES, Share};
use ken_games::yokai::players::observed;
use ken_games::yokai::players::paper::explain::{Decisions, Explained};
use ken_games::yokai::{PartnerModel, Yokai};
use serde_json::{Value, json};
use std::collections::HashSet;

/// What was learned.
pub struct Learned {
    /// The model.
    pub model: PartnerModel,
    /// What explains the moves; `None` if there were none.
    pub explained: Option<Explained>,
    /// The lines that were left out, and why.
    pub left_out: Vec<LeftOut>,
    /// How many records were left out as copies of others.
    pub copies: usize,
}

/// Whether a seat of a record is the one that is learned about: by its name, or as a person.
fn is(who: &str, record: &Record, seat: Seat) -> bool {
    let name = &record.players[seat.index()];
    name == who || who == PERSON && is_person(&record.game, name)
}

/// Whether a person plays in one of these records of Yōkai.
pub fn has_people(lines: &[(usize, Result<Record, BadRecord>)]) -> bool {
    let people = |record: &Record| record.game == Yokai::NAME && Seat::all(2).any(|seat| is(PERSON, record, seat));
    lines.iter().filter_map(|(_, read)| read.as_ref().ok()).any(|record| record.players.len() == 2 && people(record))
}

impl Learned {
    /// What these lines teach about the seats of this name; `person` stands for every person. Only matches that are over teach.
    pub fn of(lines: &[(usize, Result<Record, BadRecord>)], who: &str) -> Learned {
        let (mut model, mut decisions) = (PartnerModel::default(), Decisions::default());
        let (mut left_out, mut seen, mut copies) = (Vec::new(), HashSet::new(), 0);
        for (line, read) in lines {
            let taught = match read {
                Err(bad) => Err(bad.to_string()),
                Ok(record) if record.game != Yokai::NAME => Err(format!("this is a match of {}", record.game)),
                Ok(record) if record.players.len() != 2 => Err("Yōkai has two seats".to_string()),
                Ok(record) if record.result.is_none() => Err("the match is not over".to_string()),
                Ok(record) => {
                    // The same actions under other options are the same choices.
                    let same = Record { branch: None, helpers: vec![0; 2], options: Value::Null, ..record.clone() };
                    match seen.insert(same.to_line()) {
                        true => seats(record, who, &mut decisions).map_err(|bad| bad.to_string()),
                        false => {
                            copies += 1;
                            Ok(PartnerModel::default())
                        }
                    }
                }
            };
            match taught {
                Ok(taught) => model = model.and(&taught),
                Err(why) => left_out.push(LeftOut { line: *line, why }),
            }
        }
        model.name = who.to_string();
        let explained = (model.matches > 0).then(|| decisions.explained());
        Learned { model, explained, left_out, copies }
    }

    /// What was learned, as sentences.
    pub fn words(&self) -> Vec<String> {
        let mut words = words(&self.model);
        words.extend(self.explained.iter().flat_map(order_words));
        words
    }

    /// The same as data.
    pub fn json(&self) -> Value {
        let left_out: Vec<Value> = self.left_out.iter().map(|l| json!({"line": l.line, "why": l.why})).collect();
        json!({
            "partner": self.model.to_data(), "estimates": estimates(&self.model),
            "order": self.explained.as_ref().map(order_data), "left_out": left_out, "copies": self.copies,
        })
    }
}

/// What a record teaches about the seats of this name.
fn seats(record: &Record, who: &str, decisions: &mut Decisions) -> Result<PartnerModel, BadRecord> {
    let mut model = PartnerModel::default();
    for seat in Seat::all(2).filter(|&seat| is(who, record, seat)) {
        model = model.and(&observed(record, seat)?);
        decisions.add(record, seat)?;
    }
    Ok(model)
}

fn estimate(share: Share) -> Option<Estimate> {
    stats::wilson(share.yes, share.of)
}

/// `40 of 42 (95.2 %, 84.2 % to 98.7 %)`
fn counted(share: Share) -> String {
    match estimate(share) {
        None => "none".to_string(),
        Some(Estimate { mean, low, high, .. }) => {
            let Share { yes, of } = share;
            format!("{yes} of {of} ({}, {} to {})", percent(mean), percent(low), percent(high))
        }
    }
}

fn looks(k: usize) -> String {
    match k {
        0 => "no look".to_string(),
        1 => "its last look".to_string(),
        k if k + 1 >= MEMORIES => "all of its looks".to_string(),
        k => format!("its last {k} looks"),
    }
}

/// A model as sentences. The shares have Wilson's intervals, as if each choice were independent of the others.
pub fn words(model: &PartnerModel) -> Vec<String> {
    let PartnerModel { name, matches, reminded, .. } = model;
    if *matches == 0 {
        return vec!["an unknown person: nothing was seen of it".to_string()];
    }
    let shown = if *matches == 1 { "1 match shows".to_string() } else { format!("{matches} matches show") };
    let mut words = vec![format!("{name}, as {shown} it:")];
    let mut say = |what: &str, text: String| words.push(format!("{what}: {text}"));
    let seen = match model.seen_marks_proper {
        Share { of: 0, .. } => String::new(),
        share => format!("; of those on cards that it had looked at, {}", counted(share)),
    };
    say("marks that are proper", format!("{}{seen}", counted(model.marks_proper)));
    say("marks a card where it could activate a hint instead", counted(model.marks_often));
    let memory = match model.remembers() {
        None => "its choices do not tell how much it remembers".to_string(),
        Some(remembers) => {
            let (low, high) = (looks(remembers.low), looks(remembers.high));
            let range = if low == high { "no other number fits".to_string() } else { format!("{low} to {high}") };
            format!("it plays as if it remembered {} ({range})", looks(remembers.best))
        }
    };
    let helped = match (*reminded, *matches) {
        (0, _) => String::new(),
        (reminded, matches) if reminded == matches => "; it was reminded of what it had seen".to_string(),
        (reminded, matches) => format!("; in {reminded} of {matches} it was reminded of what it had seen"),
    };
    say("memory", format!("{memory}{helped}"));
    say("moves that keep the natural convention, of those that tell something by it", counted(model.keeps_convention));
    say("moves that bring together what it remembers as far as one move can", counted(model.greedy()));
    say("stops that won", counted(model.stops_right));
    words
}

/// What is estimated from a model, with 95 % intervals; null where nothing was seen.
pub fn estimates(model: &PartnerModel) -> Value {
    let share = |share: Share| {
        estimate(share).map(|Estimate { n, mean, low, high }| json!({"mean": mean, "low": low, "high": high, "n": n}))
    };
    let remembers = model.remembers().map(|r| json!({"best": r.best, "low": r.low, "high": r.high}));
    json!({
        "marks_proper": share(model.marks_proper), "seen_marks_proper": share(model.seen_marks_proper),
        "marks_often": share(model.marks_often), "remembers": remembers,
        "keeps_convention": share(model.keeps_convention), "greedy": share(model.greedy()),
        "stops_right": share(model.stops_right),
    })
}

/// How much more of the matches that were left out the order explains than the paper's, with its interval over matches.
fn gained(explained: &Explained) -> Option<[Estimate; 3]> {
    let column = |i: usize| explained.held_out.iter().map(|shares| shares[i]).collect::<Vec<f64>>();
    let (ours, papers) = (column(0), column(1));
    let gain = stats::paired(&ours, &papers, Range::SHARE)?;
    Some([stats::student(&ours, Range::SHARE)?, stats::student(&papers, Range::SHARE)?, gain])
}

fn order_words(explained: &Explained) -> Vec<String> {
    let order =
        format!("the order of goals that explains its {} decisions best: {}", explained.decisions, explained.order);
    let share = match gained(explained) {
        None => "how much it explains cannot be told from one match: the order was found in it".to_string(),
        Some([_, papers, _]) if explained.held_out.iter().all(|[ours, papers]| ours == papers) => format!(
            "the paper's player with its own order would have done the same in {} of the decisions, and no order was found \
             that explains more in matches that were left out",
            percent(papers.mean)
        ),
        Some([ours, papers, gain]) => format!(
            "in matches that were left out when an order was found, the paper's player would have done the same in {} of the \
             decisions, and in {} with the paper's own order: {} more ({} to {})",
            percent(ours.mean),
            percent(papers.mean),
            percent(gain.mean),
            percent(gain.low),
            percent(gain.high)
        ),
    };
    vec![order, share]
}

fn order_data(explained: &Explained) -> Value {
    let factors: serde_json::Map<String, Value> =
        explained.order.levels().map(|(factor, level)| (factor.to_string(), Value::from(level))).collect();
    let data = |e: Estimate| json!({"mean": e.mean, "low": e.low, "high": e.high, "n": e.n});
    let [ours, papers, gain] = match gained(explained) {
        Some(all) => all.map(data),
        None => [Value::Null, Value::Null, Value::Null],
    };
    json!({
        "factors": factors, "decisions": explained.decisions,
        "explains": ours, "paper_explains": papers, "gain": gain,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bout::{Seated, play};
    use ken_games::dice::seat_seed;
    use ken_games::yokai::players as minds;

    type Lines = Vec<(usize, Result<Record, BadRecord>)>;

    /// Matches of a forgetful player of the paper, who is called so, with a learner.
    fn lines(name: &str, seeds: std::ops::Range<u64>) -> Lines {
        let game = Yokai::default();
        let record = |seed: u64| {
            let seat = |(seat, mind, name): (Seat, &str, &str)| {
                Seated::new(name, minds::seat(mind, &game, seat_seed(seed, seat)).unwrap())
            };
            let seats = [(Seat(0), "paper@6", name), (Seat(1), "learner", "learner")];
            play(&game, &mut seats.map(seat), seed).record(&game)
        };
        (1..).zip(seeds).map(|(line, seed)| (line, Ok(record(seed)))).collect()
    }

    #[test]
    fn a_person_is_learned_from_whatever_it_is_called_and_its_memory_is_found() {
        let mut all = lines("anna", 0..6);
        all.extend(lines("person", 6..10));
        let learned = Learned::of(&all, PERSON);
        assert_eq!((learned.model.matches, learned.left_out.len(), learned.copies), (10, 0, 0));
        let found = learned.model.remembers().unwrap();
        assert!((found.low..=found.high).contains(&6), "{found:?}");
        assert_eq!(Learned::of(&all, "anna").model.matches, 6);
        assert_eq!(Learned::of(&all, "nobody").model.matches, 0);
        let words = learned.words().join("\n");
        for said in ["person, as 10 matches show it", "its last 6 looks", "the order of goals", "were left out"] {
            assert!(words.contains(said), "{said}\n{words}");
        }
        let data = learned.json();
        assert_eq!(PartnerModel::from_data(&data["partner"]).unwrap().matches, 10);
        assert!(data["estimates"]["marks_proper"]["low"].is_number() && data["order"]["gain"]["low"].is_number());
    }

    #[test]
    fn bad_lines_other_games_unfinished_matches_and_copies_teach_nothing() {
        let mut all = lines("anna", 0..3);
        let first = all[0].1.clone().unwrap();
        all.push((4, Ok(Record { result: None, ..first.clone() })));
        all.push((5, Ok(Record { game: "cluedo".into(), ..first.clone() })));
        all.push((6, Record::from_text("nonsense")));
        all.push((7, Ok(Record { helpers: vec![3, 0], ..first.clone() })));
        // The same actions under other options are the same choices.
        let onlooker = serde_json::json!({"oracle": true});
        all.push((8, Ok(Record { options: onlooker, ..first })));
        let learned = Learned::of(&all, "anna");
        let lines: Vec<usize> = learned.left_out.iter().map(|l| l.line).collect();
        assert_eq!((lines, learned.copies, learned.model.matches), (vec![4, 5, 6], 2, 3));
    }

    #[test]
    fn a_single_match_says_what_cannot_be_told_from_it() {
        let words = Learned::of(&lines("anna", 0..1), "anna").words().join("\n");
        assert!(words.contains("as 1 match shows it") && words.contains("cannot be told from one match"), "{words}");
    }
}
