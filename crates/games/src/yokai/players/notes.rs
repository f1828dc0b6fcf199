//! What a strong player writes down: the table, its own looks, and what actions may tell beyond what they show.

use crate::cards::{Card, CardSet};
use crate::game::Seat;
use crate::yokai::colour::{CARDS, Colour, Colouring, Colours, Hint};
use crate::yokai::count::{Evidence, bits};
use crate::yokai::knowledge::{self, Assumed};
use crate::yokai::layout::Cell;
use crate::yokai::position::{Marking, Position};
use crate::yokai::rules::{SeenAct, Sight, Stage};

/// The first two looks, in this order, by which the player of each seat declares that its moves keep the convention
/// (*a moved card that its mover knows joins a known card of its colour*). Which cards would be the best ones was not measured.
pub(super) const NATURAL: [[Card; 2]; 2] = [[Card(1), Card(5)], [Card(14), Card(10)]];

/// The first look by which the player of each seat declares that it keeps the code.
pub(super) const CODED: [Card; 2] = [Card(2), Card(13)];

/// How many looks a partner is taken to remember once it was seen to forget.
const KEPT: usize = 6;

/// A mark that [tells](Notes::vouched) something, and what could have been used instead.
#[derive(Clone, Debug)]
struct Mark {
    card: Card,
    hint: Hint,
    /// The colours of the smaller hints that were active too.
    smaller: Colours,
}

/// A move of a known card beside other known ones.
#[derive(Clone, Copy, Debug)]
struct Join {
    seat: Seat,
    card: Card,
    /// The known cards that it came to touch, as bits.
    touched: u16,
}

/// Whose moves are read as joins: "a moved card that its mover knows has the colour of a known card that it comes to
/// touch".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reading {
    /// Seat by seat.
    pub(super) joins: [bool; 2],
}

/// How the partner's moves kept the convention, as far as can be told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) yes: u32,
    pub(super) no: u32,
}

/// What a player wrote down.
#[derive(Clone, Debug)]
pub(super) struct Notes {
    pub(super) me: Seat,
    pub(super) stage: Stage,
    /// The colours that I saw and remember.
    pub(super) seen: [Option<Colour>; CARDS],
    looked: [CardSet; 2],
    /// The first two looks of each seat, in order.
    opening: [Vec<Card>; 2],
    /// What the partner looked at, in order.
    partner_looks: Vec<Card>,
    /// Whether the partner looked again at a card while there were others that it had not looked at.
    pub(super) forgets: bool,
    /// How often the partner marked a card, and how often it did anything with hints.
    pub(super) partner_marked: (u32, u32),
    marks: Vec<Mark>,
    joins: Vec<Join>,
}

impl Notes {
    /// The notes at the start of a match.
    pub(super) fn new() -> Notes {
        Notes::placed(&Position::start(Seat(0)))
    }

    /// The notes of one who comes in the middle of a match: what moves told is not known. A mark of which the position does
    /// not say how it came about tells its hint and nothing more.
    pub(super) fn placed(position: &Position) -> Notes {
        let Position { me, stage, seen, partner_seen, past } = position;
        let mut looked = [*partner_seen; 2];
        looked[me.index()] = position.known();
        let known: CardSet = past.told.iter().map(|told| told.card).collect();
        let silent = stage.marked().minus(known).iter().map(|card| (card, &[][..]));
        let told = past.told.iter().filter(|told| told.free).map(|told| (told.card, &told.beside[..]));
        let mark = |(card, beside): (Card, &[Hint])| {
            let hint = stage.marks()[card.index()]?;
            Some(Mark { card, hint, smaller: Marking::smaller(beside, hint) })
        };
        let marks = silent.chain(told).filter_map(mark).collect();
        let partner_looks = partner_seen.iter().collect();
        Notes {
            me: *me,
            stage: stage.clone(),
            seen: *seen,
            looked,
            opening: Default::default(),
            partner_looks,
            forgets: false,
            partner_marked: (0, 0),
            marks,
            joins: Vec::new(),
        }
    }

    /// Takes in a sight.
    pub(super) fn watch(&mut self, sight: &Sight) {
        match *sight {
            Sight::Dealt { me } => *self = Notes { me, ..Notes::new() },
            Sight::Done { seat, act, .. } => match act {
                SeenAct::Looked { card, colour } => {
                    if seat == self.me {
                        self.seen[card.index()] = colour;
                    } else {
                        let others = CardSet::first(CARDS).minus(self.stage.marked()).minus(self.looked(seat));
                        self.forgets |= self.looked(seat).has(card) && !others.is_empty();
                        self.partner_looks.push(card);
                    }
                    self.looked[seat.index()] = self.looked(seat).with(card);
                    if self.opening[seat.index()].len() < 2 {
                        self.opening[seat.index()].push(card);
                    }
                }
                SeenAct::Moved { card, to } => {
                    let touched = self.touched(seat, card, to);
                    if touched != 0 && self.silent_move(seat) {
                        self.joins.push(Join { seat, card, touched });
                    }
                }
                SeenAct::Marked { card, hint } => {
                    if self.vouched(seat, card) {
                        let smaller = self.smaller(hint);
                        self.marks.push(Mark { card, hint, smaller });
                    }
                }
                SeenAct::Activated(_) | SeenAct::Skipped | SeenAct::Stopped => {}
            },
        }
        if let Sight::Done { seat, act: SeenAct::Marked { .. } | SeenAct::Activated(_), .. } = *sight
            && seat != self.me
        {
            let marked = matches!(sight, Sight::Done { act: SeenAct::Marked { .. }, .. });
            self.partner_marked.0 += u32::from(marked);
            self.partner_marked.1 += 1;
        }
        self.stage.follow(sight);
    }

    /// The colours of the active hints that are smaller than this one: a card that is marked with it has none of them,
    /// or a smaller hint would have told more.
    pub(super) fn smaller(&self, hint: Hint) -> Colours {
        Marking::smaller(self.stage.active(), hint)
    }

    /// Whether a mark on this card tells its colour: whether the seat is [free](Marking::free) to do something else.
    pub(super) fn vouched(&self, seat: Seat, card: Card) -> bool {
        Marking::free(&self.stage, self.looked(seat), card)
    }

    /// Whether a seat has a move that tells nothing. If not, what it moves need not keep the convention.
    pub(super) fn silent_move(&self, seat: Seat) -> bool {
        let shape = self.stage.layout().shape();
        let mut moves = shape.moves(self.stage.marked());
        moves.any(|(card, to)| self.touched(seat, card, to) == 0)
    }

    /// Whether a seat declared, by its first two looks, that its moves keep the convention. Who comes in the middle of a
    /// match does not know, and relies on nothing.
    pub(super) fn declared(&self, seat: Seat) -> bool {
        self.opening[seat.index()] == NATURAL[seat.index()]
    }

    /// The next of the looks by which I can still declare that I keep the convention.
    pub(super) fn declaring(&self) -> Option<Card> {
        let (opening, natural) = (&self.opening[self.me.index()], NATURAL[self.me.index()]);
        let open = self.stage.turns() < 2 && self.looked(self.me).len() == opening.len();
        if open && natural.starts_with(opening) { natural.get(opening.len()).copied() } else { None }
    }

    /// The cards that I may look at without declaring what I do not keep.
    pub(super) fn undeclaring(&self) -> CardSet {
        let all = CardSet::first(CARDS);
        match (&self.opening[self.me.index()][..], self.declaring()) {
            ([], Some(_)) => all.without(CODED[self.me.index()]),
            (_, Some(last)) => all.without(last),
            (_, None) => all,
        }
    }

    /// The cards that a seat looked at.
    pub(super) fn looked(&self, seat: Seat) -> CardSet {
        self.looked[seat.index()]
    }

    /// The cards whose colour a seat is publicly known to know: those that it looked at, those that a hint of one colour
    /// marks, and those that were joined to one of them.
    fn known_to(&self, seat: Seat) -> CardSet {
        let told = self.marks.iter().filter(|m| m.hint.len() == 1).map(|m| m.card);
        let mut known = told.fold(self.looked(seat), CardSet::with);
        loop {
            let before = known;
            for join in self.joins.iter().filter(|j| j.touched.is_power_of_two()) {
                let other = Card(join.touched.trailing_zeros() as u8);
                if known.has(join.card) || known.has(other) {
                    known = known.with(join.card).with(other);
                }
            }
            if known == before {
                return known;
            }
        }
    }

    /// The known cards that a known card would touch on this cell, as bits: what the convention speaks of if the seat has
    /// a [silent move](Notes::silent_move) too.
    pub(super) fn touched(&self, seat: Seat, card: Card, to: Cell) -> u16 {
        let known = self.known_to(seat);
        if !known.has(card) {
            return 0;
        }
        let beside = to.beside();
        let near = |c: &Card| *c != card && beside.contains(&self.stage.layout().cell(*c));
        known.iter().filter(near).fold(0, |all, c| all | 1 << c.0)
    }

    /// What follows for one who saw these colours: the looks first, then marks and joins one after the other, each unless
    /// it contradicts what is there already.
    pub(super) fn belief(&self, seen: &[Option<Colour>; CARDS], reading: Reading) -> Belief {
        let mut belief = Belief { evidence: looks(seen), given_up: Vec::new(), sure: Vec::new() };
        for &Mark { card, hint, smaller } in &self.marks {
            belief.suppose(Told::Among(card, hint));
            if !smaller.is_empty() {
                belief.suppose(Told::Among(card, Colours::ALL.minus(smaller)));
            }
        }
        for &Join { card, touched, .. } in self.joins.iter().filter(|j| reading.joins[j.seat.index()]) {
            belief.suppose(Told::Joins(card, touched));
        }
        belief
    }

    /// What is certain: the rules and the looks that I remember, and nothing that was told.
    pub(super) fn certain(&self) -> Evidence {
        looks(&self.seen)
    }

    /// What I believe.
    pub(super) fn mine(&self, reading: Reading) -> Belief {
        self.belief(&self.seen, reading)
    }

    /// What the partner believes if the colours are these. If it was seen to forget, only its last looks count.
    pub(super) fn partner(&self, colouring: &Colouring, reading: Reading) -> Evidence {
        let kept = if self.forgets { KEPT } else { usize::MAX };
        let known: CardSet = self.partner_looks.iter().rev().take(kept).copied().collect();
        let seen = std::array::from_fn(|i| known.has(Card(i as u8)).then(|| colouring.of(Card(i as u8))));
        self.belief(&seen, reading).evidence
    }

    /// How often the partner's moves kept the convention, as far as these colours tell.
    pub(super) fn kept(&self, known: &[Option<Colour>; CARDS]) -> Kept {
        let mut kept = Kept::default();
        for join in self.joins.iter().filter(|j| j.seat != self.me) {
            let Some(colour) = known[join.card.index()] else { continue };
            let others: Vec<Option<Colour>> = bits(join.touched).map(|i| known[i as usize]).collect();
            if others.contains(&Some(colour)) {
                kept.yes += 1;
            } else if others.iter().all(Option::is_some) {
                kept.no += 1;
            }
        }
        kept
    }

    /// What I have before me.
    pub(super) fn position(&self) -> Position {
        let partner_seen = self.looked(self.me.next(2));
        Position { stage: self.stage.clone(), seen: self.seen, partner_seen, ..Position::start(self.me) }
    }
}

/// What follows from these colours and nothing else.
fn looks(seen: &[Option<Colour>; CARDS]) -> Evidence {
    let mut evidence = Evidence::none();
    for (card, colour) in (0..).map(Card).zip(seen) {
        if let Some(colour) = *colour {
            evidence.is(card, colour);
        }
    }
    evidence
}

/// What an action tells beyond what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// The card has one of these colours.
    Among(Card, Colours),
    /// The card has the colour of one of these, as bits.
    Joins(Card, u16),
}

impl Told {
    pub(super) fn add(self, evidence: &mut Evidence) {
        match self {
            Told::Among(card, colours) => evidence.among(card, colours),
            Told::Joins(card, others) => evidence.joins(card, others),
        }
    }

    fn words(self) -> String {
        match self {
            Told::Among(card, colours) => format!("card {} is among {colours}", card.0 + 1),
            Told::Joins(card, others) => {
                let others: Vec<String> = bits(others).map(|i| (i + 1).to_string()).collect();
                format!("card {} has the colour of {}", card.0 + 1, others.join(" or "))
            }
        }
    }
}

/// Evidence, what it was taken from, and what had to be given up.
#[derive(Clone, Debug)]
pub(super) struct Belief {
    pub(super) evidence: Evidence,
    /// What actions told and is believed.
    sure: Vec<Told>,
    given_up: Vec<Told>,
}

impl Belief {
    /// Adds a hypothesis unless nothing would be possible with it.
    fn suppose(&mut self, told: Told) {
        let mut with = self.evidence.clone();
        told.add(&mut with);
        if with.count() > 0 {
            self.evidence = with;
            self.sure.push(told);
        } else {
            self.given_up.push(told);
        }
    }

    /// Whether anything is believed that marks told, and that moves told.
    pub(super) fn told(&self) -> (bool, bool) {
        let mark = |told: &Told| matches!(told, Told::Among(..));
        (self.sure.iter().any(mark), !self.sure.iter().all(mark))
    }

    /// What was told and contradicted, as sentences.
    pub(super) fn given_up(&self) -> impl Iterator<Item = String> {
        self.given_up.iter().map(|told| format!("given up: {}", told.words()))
    }

    /// What the inspector goes by to prove what I believe: looks, and what was told. A join with several cards is left
    /// out unless all but one of them are excluded.
    pub(super) fn premises(&self, position: &Position) -> knowledge::Notes {
        let mut notes = knowledge::Notes::of(position, Assumed::Nothing);
        for &told in &self.sure {
            match told {
                Told::Among(card, colours) => notes.tell(card, colours, None),
                Told::Joins(card, others) => {
                    let could = |other: &u8| {
                        let mut with = self.evidence.clone();
                        with.same(card, Card(*other));
                        with.count() > 0
                    };
                    if let [other] = bits(others).filter(could).collect::<Vec<_>>()[..] {
                        notes.announce(card, Card(other), None);
                    }
                }
            }
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Dice, mix};
    use crate::game::{Game, Turn};
    use crate::record::Match;
    use crate::yokai::players;
    use crate::yokai::rules::{Action, Yokai};

    #[test]
    fn what_marks_told_is_believed_in_a_position_as_in_the_match() {
        let game = Yokai::default();
        let mut smaller = 0;
        for seed in 0..30 {
            let mut played = Match::deal(game, seed);
            let mut dice = Dice::new(seed);
            let mut partners: Vec<_> =
                (0..2).map(|s| players::mind("paper", &game, mix(seed, s)).expect("a player")).collect();
            let mut notes = [Notes::new(), Notes::new()];
            let mut told = 0;
            while let Turn::Of(seat) = played.turn() {
                for s in Seat::all(2) {
                    for sight in &played.memory(s)[told..] {
                        notes[s.index()].watch(sight);
                        partners[s.index()].watch(sight);
                    }
                }
                told = played.memory(Seat(0)).len();
                for s in Seat::all(2) {
                    let placed = Notes::placed(&Position::of_memory(&game, &played.memory(s)));
                    let silent = Reading::default();
                    let (watched, placed) = (notes[s.index()].mine(silent), placed.mine(silent));
                    assert_eq!((&watched.sure, &watched.given_up), (&placed.sure, &placed.given_up), "match {seed}");
                    assert_eq!(watched.evidence.count(), placed.evidence.count());
                }
                smaller += notes[0].marks.iter().filter(|mark| !mark.smaller.is_empty()).count();
                let legal: Vec<Action> =
                    game.legal(played.state()).into_iter().filter(|action| *action != Action::Stop).collect();
                let action = match dice.below(4) {
                    0 => *dice.pick(&legal),
                    _ => partners[seat.index()].choose(&legal),
                };
                played.play(&action).expect("a legal action");
            }
        }
        assert!(smaller > 50, "only {smaller}");
    }
}
