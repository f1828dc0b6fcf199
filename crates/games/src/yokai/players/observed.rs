//! What a match tells of who played it: the counts of a [`PartnerModel`].
//!
//! A record holds the seed, so after the match the colours are known, and it is known which of them a seat saw and when.
//!
//! | count | what is counted |
//! |---|---|
//! | `marks_proper` | marks whose card has a colour of the hint |
//! | `seen_marks_proper` | the same of cards that the seat had looked at |
//! | `marks_often` | marks, of the turns in which a card could be marked and a hint activated |
//! | `keeps_convention` | moves that tell something by the natural convention and tell what is true |
//! | `stops_right` | stops after which every colour was connected |
//! | `memory` | for each k from 0 to 13, the choices of one who remembers the colours of its last k looks |
//!
//! **How long a seat remembers** is not seen. For each k it is known what the seat would remember, and so which looks are at cards
//! that it does not remember. Taken to remember more than it does, it is seen to look again at cards that it should remember; taken to
//! remember less, it is seen to spare cards without a reason. So each k has a likelihood ([`Choices`]), and the best k is the
//! estimate. Its interval holds every k whose log-likelihood is at most 2.5 below the best: somewhat more than for independent
//! choices, which those of a match are not. Which moves bring together what is remembered as far as one move can (the fewest connected
//! parts, summed over the colours) and which marks are proper by it is counted too, for the best k, but tells nothing about
//! k: who follows what the partner tells knows more than it remembers, and was found to seem to remember more than it does.
//!
//! [`Choices`]: crate::yokai::partner::Choices

use super::notes::Notes;
use super::paper::parts;
use crate::cards::{Card, CardSet};
use crate::game::{Game, Notation, Seat};
use crate::record::{BadRecord, Match, Record, replay};
use crate::yokai::colour::{CARDS, Colour, Colouring};
use crate::yokai::layout::Cell;
use crate::yokai::partner::{MEMORIES, PartnerModel};
use crate::yokai::rules::{Action, Event, Stage, Yokai};
use crate::yokai::view::REMINDS;

/// What the record of a match that is over tells of a seat. Matches that were given up or forfeited count as far as they went.
///
/// # Errors
/// The record cannot be replayed.
pub fn observed(record: &Record, seat: Seat) -> Result<PartnerModel, BadRecord> {
    let game = Yokai::with_options(&record.options).map_err(|why| BadRecord { place: "options".into(), why })?;
    let played = replay(game, record)?;
    let help = record.helpers.get(seat.index()).copied().unwrap_or(0);
    let name = record.players[seat.index()].clone();
    Ok(PartnerModel { name, reminded: u64::from(help >= REMINDS), ..observed_match(&played, seat) })
}

/// What a match tells of a seat.
fn observed_match(played: &Match<Yokai>, seat: Seat) -> PartnerModel {
    let colours = *played.state().colouring();
    let mut watcher = Watcher { colours, stage: Stage::start(), looks: Vec::new(), model: PartnerModel::default() };
    let mut notes = Notes::new();
    let other = seat.next(2);
    for (i, event) in played.events().iter().enumerate() {
        if let (Event::Done { seat: who, .. }, Some(action)) = (event, i.checked_sub(1).map(|i| &played.actions()[i]))
            && *who == seat
        {
            watcher.see(played.game(), action);
        }
        let sight = played.game().sight(event, other);
        notes.watch(&sight);
        watcher.stage.follow(&sight);
    }
    let kept = notes.kept(&colours.colours().map(Some));
    let mut model = watcher.model;
    model.matches = 1;
    model.keeps_convention.yes = kept.yes.into();
    model.keeps_convention.of = (kept.yes + kept.no).into();
    model
}

/// Follows one seat of a match whose colours are known.
struct Watcher {
    colours: Colouring,
    /// Before the action that is seen next.
    stage: Stage,
    /// The cards that the seat looked at, in order.
    looks: Vec<Card>,
    model: PartnerModel,
}

impl Watcher {
    /// What one remembers who remembers the last `k` looks.
    fn remembered(&self, k: usize) -> CardSet {
        self.looks.iter().rev().take(k).copied().collect()
    }

    /// An action of the seat.
    fn see(&mut self, game: &Yokai, action: &Action) {
        match *action {
            Action::Look(card) => {
                self.look(card);
                self.looks.push(card);
            }
            Action::Move(card, to) => self.go(card, to),
            Action::Mark(card, hint) => {
                let proper = hint.has(self.colours.of(card));
                self.model.marks_proper.count(proper);
                if self.looks.contains(&card) {
                    self.model.seen_marks_proper.count(proper);
                }
                self.hinted(game, true);
                self.mark(action, game);
            }
            Action::Activate => self.hinted(game, false),
            Action::Stop => {
                let won = self.stage.layout().shape().grouped(&self.colours);
                self.model.stops_right.count(won);
            }
            Action::Skip => {}
        }
    }

    fn look(&mut self, card: Card) {
        let free = CardSet::first(CARDS).minus(self.stage.marked());
        let free = self.stage.steps().first.map_or(free, |first| free.without(first));
        for k in 0..MEMORIES {
            let known = free.and(self.remembered(k));
            let new = free.minus(known);
            self.model.memory[k].looks.count(new.has(card), new.len(), known.len());
        }
    }

    /// A mark or an activation, where both were allowed.
    fn hinted(&mut self, game: &Yokai, marked: bool) {
        let options = game.options(&self.stage);
        let marks = options.iter().any(|option| matches!(option, Action::Mark(..)));
        if marks && options.contains(&Action::Activate) {
            self.model.marks_often.count(marked);
        }
    }

    fn mark(&mut self, action: &Action, game: &Yokai) {
        let options = game.options(&self.stage);
        let marks: Vec<&Action> = options.iter().filter(|option| matches!(option, Action::Mark(..))).collect();
        for k in 0..MEMORIES {
            let remembered = self.remembered(k);
            let sure = |option: &Action| match *option {
                Action::Mark(card, hint) => remembered.has(card) && hint.has(self.colours.of(card)),
                Action::Look(_) | Action::Move(..) | Action::Skip | Action::Activate | Action::Stop => false,
            };
            let inside = marks.iter().filter(|option| sure(option)).count();
            self.model.memory[k].marks.count(sure(action), inside, marks.len() - inside);
        }
    }

    fn go(&mut self, card: Card, to: Cell) {
        // The colours of what is remembered, as bits, for each memory; a longer one that adds nothing costs nothing.
        let known: Vec<[u16; Colour::ALL.len()]> = (0..MEMORIES)
            .map(|k| Colour::ALL.map(|c| self.remembered(k).and(self.colours.cards(c)).0 as u16))
            .collect();
        let layout = self.stage.layout();
        let cost = |card: Card, to: Cell| -> Vec<usize> {
            let shape = layout.moved(card, to).shape();
            let mut costs: Vec<usize> = Vec::with_capacity(MEMORIES);
            for (k, groups) in known.iter().enumerate() {
                let same = k > 0 && known[k - 1] == *groups;
                let cost = if same {
                    costs[k - 1]
                } else {
                    groups.iter().map(|&group| parts(shape.neighbours(), group)).sum()
                };
                costs.push(cost);
            }
            costs
        };
        let costs: Vec<Vec<usize>> =
            layout.shape().moves(self.stage.marked()).map(|(card, to)| cost(card, to)).collect();
        let chosen = cost(card, to);
        for k in 0..MEMORIES {
            let least = costs.iter().map(|costs| costs[k]).min().unwrap_or(0);
            let inside = costs.iter().filter(|costs| costs[k] == least).count();
            self.model.memory[k].moves.count(chosen[k] == least, inside, costs.len() - inside);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yokai::players::staged::record;

    fn model(names: [&str; 2], seeds: std::ops::Range<u64>) -> PartnerModel {
        let one = |seed| observed(&record(names, seed), Seat(0)).unwrap();
        seeds.fold(PartnerModel::default(), |all, seed| all.and(&one(seed)))
    }

    #[test]
    fn how_much_a_forgetful_player_remembers_is_found_within_the_interval() {
        for (name, looks) in [("paper@2", 2), ("paper@4", 4), ("paper@6", 6), ("paper@10", 10), ("learner@6", 6)] {
            let found = model([name, "learner"], 0..10).remembers().unwrap();
            assert!((found.low..=found.high).contains(&looks) && found.high - found.low <= 2, "{name}: {found:?}");
            assert!(found.best.abs_diff(looks) <= 1, "{name}: {found:?}");
        }
        assert_eq!(model(["paper", "learner"], 0..10).remembers().unwrap().high, MEMORIES - 1);
        let random = model(["random", "learner"], 0..10).remembers().unwrap();
        assert!(random.low <= 1, "who looks anywhere does not show that it remembers anything: {random:?}");
    }

    #[test]
    fn the_marks_that_are_proper_are_those_that_the_score_counts() {
        for seed in 0..20 {
            let record = record(["random", "paper@2"], seed);
            let [one, other] = [0, 1].map(|seat| observed(&record, Seat(seat)).unwrap().marks_proper);
            let played = replay(Yokai::default(), &record).unwrap();
            let (stage, colours) = (played.state().stage(), played.state().colouring());
            let both = one.and(other);
            assert_eq!((both.of, both.of - both.yes), (stage.used().into(), stage.improper(colours).into()), "{seed}");
        }
    }

    #[test]
    fn honest_marks_are_proper_and_random_ones_as_often_as_chance_has_it() {
        let rate = |name: &str| model([name, "learner"], 0..20).marks_proper.rate().unwrap();
        // A hint has two of the four colours on the mean; three standard deviations of about 120 marks.
        assert!(rate("paper") > 0.99 && (rate("random") - 0.5).abs() < 0.14, "{} {}", rate("paper"), rate("random"));
        let often = |name: &str| model([name, "learner"], 0..10).marks_often.rate().unwrap();
        assert!(often("paper") > 0.8 && often("learner") < 0.1);
    }

    #[test]
    fn the_moves_of_one_who_keeps_the_convention_tell_what_is_true() {
        let kept = model(["conventional", "learner"], 0..2).keeps_convention;
        assert!(kept.of >= 4 && kept.yes == kept.of, "{kept:?}");
        let kept = model(["random", "learner"], 0..20).keeps_convention;
        assert!(kept.rate().unwrap() < 0.5, "{kept:?}");
    }

    #[test]
    fn a_person_who_was_reminded_of_what_it_saw_is_counted_as_such() {
        let mut helped = record(["learner", "learner"], 1);
        helped.helpers = vec![REMINDS, 0];
        let reminded = |seat| observed(&helped, Seat(seat)).unwrap().reminded;
        assert_eq!((reminded(0), reminded(1)), (1, 0));
    }
}
