//! Pairs at Yōkai: who meets whom, and what is measured.

use ken_arena::Problem;
use ken_arena::bout::Seated;
use ken_arena::catalogue;
use ken_arena::experiment::{Experiment, Measure, Sample, Spec};
use ken_arena::yokai::Pairs;
use ken_games::game::{Player, Seat};
use ken_games::record::{Record, replay};
use ken_games::yokai::{Action, Sight, Yokai};

fn arm(parameters: &str) -> Result<Box<dyn Experiment>, Problem> {
    let text = format!(
        "name = \"x\"\ntitle = \"x\"\nsource = \"x\"\ngames = 4\nseed = 1\n[[arm]]\nlabel = \"a\"\nkind = \"yokai\"\n{parameters}"
    );
    let spec = Spec::parse(&text).unwrap();
    match parameters.contains("stops") {
        true => Ok(Box::new(Pairs::new(&spec.arms[0], Box::new(seat))?)),
        false => catalogue::arm(&spec.arms[0]),
    }
}

/// Stops at once, or does what cannot be done.
struct One(Action);

impl Player<Yokai> for One {
    fn watch(&mut self, _: &Sight) {}

    fn choose(&mut self, _: &[Action]) -> Action {
        self.0
    }
}

fn seat(game: &Yokai, name: &str, seat: Seat, seed: u64) -> Result<Seated<Yokai>, Problem> {
    match name {
        "stops" => Ok(Seated::new(name, Box::new(One(Action::Stop)))),
        "fails" => Ok(Seated::new(name, Box::new(One(Action::Skip)))),
        name => catalogue::seat_yokai(game, name, seat, seed),
    }
}

fn names(sample: &Sample) -> Vec<&str> {
    sample.metrics.iter().map(|(name, _)| name.as_str()).collect()
}

fn value(sample: &Sample, name: &str) -> f64 {
    match sample.metrics.iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("{name}")).1 {
        Measure::Number(value) => value,
        Measure::Yes(happened) => f64::from(u8::from(happened)),
        Measure::Share(part, whole) => part / f64::from(whole),
    }
}

fn seated(sample: &Sample) -> Vec<String> {
    Record::from_data(sample.record.as_ref().unwrap()).unwrap().players
}

#[test]
fn every_pair_meets_in_both_seats_with_the_same_deal() {
    let pairs = arm("players = [\"random\", \"random@2\"]").unwrap();
    assert_eq!(pairs.block(), 4);
    let samples: Vec<Sample> = (0..4).map(|game| pairs.run(game, 9)).collect();
    let met: Vec<Vec<String>> = samples.iter().map(seated).collect();
    assert_eq!(met, [["random", "random"], ["random", "random@2"], ["random@2", "random"], ["random@2", "random@2"]]);
    assert_eq!(names(&samples[1]), names(&samples[2]));
    assert_eq!(names(&samples[1])[0], "wins, random with random@2");
    let deals: Vec<u64> = samples.iter().map(|s| Record::from_data(s.record.as_ref().unwrap()).unwrap().seed).collect();
    assert_eq!(deals, [9; 4]);
    let one = arm("players = [\"random\"]\npartners = [\"random@2\"]").unwrap();
    assert_eq!(one.block(), 2);
    let plain = ["wins", "score", "groups", "false stops", "turns", "forfeits"];
    assert_eq!(names(&one.run(0, 9)), plain, "one pair needs no names");
    assert_eq!(one.run(0, 9).metrics.len(), samples[1].metrics.len());
}

#[test]
fn the_wins_of_one_player_with_several_partners_are_measured_together_too() {
    let pairs = arm("players = [\"random\"]\npartners = [\"random@2\", \"paper\"]").unwrap();
    assert_eq!(pairs.block(), 4);
    for game in 0..4 {
        let sample = pairs.run(game, 9);
        let partner = ["random@2", "paper"][game as usize / 2];
        assert_eq!(value(&sample, "wins"), value(&sample, &format!("wins, random with {partner}")));
    }
}

#[test]
fn what_is_measured_is_what_the_record_says() {
    let pairs = arm("players = [\"random\"]\noptions = { oracle = true }").unwrap();
    for seed in 0..20 {
        let sample = pairs.run(0, seed);
        let record = Record::from_data(sample.record.as_ref().unwrap()).unwrap();
        let played = replay(Yokai { oracle: true, ..Yokai::default() }, &record).unwrap();
        let outcome = played.outcome().unwrap();
        assert_eq!(value(&sample, "score"), outcome.scores[0] as f64);
        assert_eq!(value(&sample, "wins") == 1.0, outcome.words.starts_with("won"));
        assert_eq!(value(&sample, "wins") == 1.0, value(&sample, "groups") == 4.0);
        let stopped = played.actions().last() == Some(&Action::Stop);
        assert_eq!(value(&sample, "false stops") == 1.0, stopped && outcome.words == "lost");
        assert_eq!(value(&sample, "turns"), f64::from(played.state().stage().turns()));
    }
}

#[test]
fn a_stop_that_loses_is_a_false_stop_and_a_forfeit_is_neither_won_nor_stopped() {
    let stops = arm("players = [\"stops\"]").unwrap().run(0, 1);
    let measured = ["wins", "score", "false stops", "turns", "forfeits"].map(|name| value(&stops, name));
    assert_eq!(measured, [0.0, 0.0, 1.0, 0.0, 0.0]);
    let fails = arm("players = [\"fails\"]\npartners = [\"stops\"]").unwrap().run(0, 1);
    let measured = ["wins", "score", "false stops", "turns", "forfeits"].map(|name| value(&fails, name));
    assert_eq!(measured, [0.0, 0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn a_set_has_several_deals_and_a_best_score() {
    let sets = arm("players = [\"stops\"]\nset = 10").unwrap();
    let sample = sets.run(0, 1);
    assert_eq!(names(&sample), ["wins", "score", "best score", "groups", "false stops", "turns", "forfeits"]);
    assert_eq!(sample.metrics[0].1, Measure::Share(0.0, 10));
    assert_eq!(sample.record, None);
    let groups = value(&sample, "groups");
    assert!((0..20).any(|seed| value(&sets.run(0, seed), "groups") != groups), "other seeds give other deals");
}

#[test]
fn wrong_arms_are_refused_before_the_first_game() {
    let wrong = |parameters: &str| arm(parameters).err().unwrap().to_string();
    assert!(wrong("players = [\"randon\"]").contains("did you mean `random`?"));
    assert!(wrong("players = [\"random\"]\npartners = [\"random@\"]").contains("is not a number of looks"));
    assert!(wrong("players = []").contains("an arm has players"));
    assert!(wrong("players = [\"random\"]\nset = 0").contains("a set has matches"));
    assert!(wrong("players = [\"random\"]\noptions = { oracel = true }").contains("did you mean `oracle`?"));
}
