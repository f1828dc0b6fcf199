//! What minds say compared with the definition: all histories of small games, told apart by sights.

use super::laws::{holds_only_as_it_is, random_fact};
use super::*;
use crate::dice::Dice;
use crate::eleusis::automaton::separate;
use crate::eleusis::moves::{Action, Cards, Event};
use crate::eleusis::properties::Reading;
use crate::eleusis::table::{Deal, State};
use crate::eleusis::{Classic, Express};
use crate::game::Notation;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

fn express(options: serde_json::Value) -> Express {
    Express::with_options(&options).expect("options")
}

fn classic(options: serde_json::Value) -> Classic {
    Classic::with_options(&options).expect("options")
}

fn family<G: Eleusis>(game: &G, texts: &[&str]) -> Arc<[Arc<Secret>]> {
    texts.iter().map(|text| game.table().menu().secret(text).expect("a rule")).collect()
}

const RULES: [&str; 6] = [
    "alternate red and black",
    "parity changes",
    "if previous is black then odd else even",
    "any card",
    "red",
    "if the card before the previous is red then even else odd",
];

/// A history: what really happened, and what each seat saw of it.
struct History {
    state: State,
    rule: usize,
    sights: Vec<Vec<Sight>>,
}

impl History {
    fn begin<G: Eleusis>(game: &G, rule: usize, secret: &Arc<Secret>, deal: Deal) -> History {
        let (mut state, begun) = game.table().begin(&mut Dice::new(0));
        let what = state.deal(game.table().dealer(0), secret.clone(), deal);
        let dealt = state.conclude(game, what, None);
        let mut history = History { state, rule, sights: vec![Vec::new(); game.seats() as usize] };
        history.see(game, &begun);
        history.see(game, &dealt);
        history
    }

    fn see<G: Eleusis>(&mut self, game: &G, event: &Event) {
        for (seat, sights) in Seat::all(game.seats()).zip(&mut self.sights) {
            sights.push(game.sight(event, seat));
        }
    }

    /// Plays the action if it is legal.
    fn play<G: Eleusis>(&mut self, game: &G, action: &Action) -> bool {
        let event = game.play(&mut self.state, action);
        event.as_ref().is_ok_and(|event| {
            self.see(game, event);
            true
        })
    }
}

/// All orders of the cards, each once.
fn orders(cards: &[Card]) -> HashSet<Vec<Card>> {
    if cards.is_empty() {
        return HashSet::from([Vec::new()]);
    }
    let mut all = HashSet::new();
    for at in 0..cards.len() {
        let mut rest = cards.to_vec();
        let first = rest.remove(at);
        all.extend(orders(&rest).into_iter().map(|mut order| {
            order.push(first);
            order
        }));
    }
    all
}

/// How the cards are dealt to two players; the third deals.
#[derive(Clone, Copy)]
struct Cut {
    hand: usize,
    removed: usize,
    /// What may begin a line.
    start: CardSet,
}

impl Cut {
    const fn new(hand: usize, removed: usize) -> Cut {
        Cut { hand, removed, start: CardSet(u64::MAX) }
    }

    /// The deal of shuffled cards.
    fn deal(self, mut stock: Vec<Card>) -> Deal {
        let mut take = |n: usize| stock.split_off(stock.len() - n);
        let hands = vec![take(self.hand), take(self.hand), Vec::new()];
        let removed = take(self.removed);
        let mut flipped = Vec::new();
        let starter = loop {
            match stock.pop().expect("a card that can begin") {
                card if self.start.has(card) => break card,
                card => flipped.push(card),
            }
        };
        stock.splice(0..0, flipped.iter().rev().copied());
        Deal { hands, removed, flipped, starter, stock }
    }
}

/// Knowledge by definition, over all histories with the same actions. (Actions are seen by everybody, so others are
/// never considered possible.)
struct Definition<'a, G: Eleusis> {
    game: &'a G,
    family: &'a [Arc<Secret>],
    histories: Vec<History>,
}

/// What the definition needs of one moment: the histories that each seat cannot tell from each other.
struct Moment<'a, G: Eleusis> {
    definition: &'a Definition<'a, G>,
    /// For each seat the class of each history.
    class: Vec<Vec<usize>>,
    members: Vec<Vec<Vec<usize>>>,
}

/// Numbers things, equal ones alike.
fn numbered<T: Hash + Eq>(things: impl Iterator<Item = T>) -> (Vec<usize>, Vec<Vec<usize>>) {
    let (mut numbers, mut class, mut members) = (HashMap::new(), Vec::new(), Vec::<Vec<usize>>::new());
    for (at, thing) in things.enumerate() {
        let next = numbers.len();
        let number = *numbers.entry(thing).or_insert(next);
        if number == members.len() {
            members.push(Vec::new());
        }
        members[number].push(at);
        class.push(number);
    }
    (class, members)
}

impl<'a, G: Eleusis> Moment<'a, G> {
    fn of(definition: &'a Definition<'a, G>) -> Moment<'a, G> {
        let seats = Seat::all(definition.game.seats());
        let classes = seats.map(|seat| numbered(definition.histories.iter().map(|h| &h.sights[seat.index()])));
        let (class, members) = classes.unzip();
        Moment { definition, class, members }
    }

    fn fellows(&self, seat: Seat, history: usize) -> &[usize] {
        &self.members[seat.index()][self.class[seat.index()][history]]
    }

    /// Where the fact is true.
    fn truth(&self, fact: &Fact) -> Vec<bool> {
        let histories = &self.definition.histories;
        let accepted = |h: usize| histories[h].state.accepted();
        let all = 0..histories.len();
        match fact {
            Fact::Const(value) => all.map(|_| *value).collect(),
            Fact::All(parts) => self.each(parts, |values| values.iter().all(|v| *v)),
            Fact::Any(parts) => self.each(parts, |values| values.iter().any(|v| *v)),
            Fact::Count(cmp, n, parts) => {
                self.each(parts, |values| cmp.admits((values.iter().filter(|v| **v).count() as u64).cmp(n)))
            }
            Fact::Iff(a, b) => self.truth(a).into_iter().zip(self.truth(b)).map(|(a, b)| a == b).collect(),
            Fact::After(..) => unreachable!("no moves are asked about"),
            Fact::Common(seats, inner) => {
                let mut truth = self.truth(inner);
                loop {
                    let known = |h: usize| seats.iter().all(|s| self.fellows(s, h).iter().all(|&other| truth[other]));
                    let next: Vec<bool> = all.clone().map(known).collect();
                    if next == truth {
                        return truth;
                    }
                    truth = next;
                }
            }
            Fact::Atom(Atom::Accepts(card)) => all.map(|h| accepted(h).has(*card)).collect(),
            Fact::Atom(Atom::Rule(place)) => all
                .map(|h| {
                    let starter = histories[h].state.stage().layout().mainline()[0];
                    let (a, b) = (&self.definition.family[histories[h].rule], &self.definition.family[*place]);
                    separate((a.automaton(), a.after(starter)), (b.automaton(), b.after(starter))).is_none()
                })
                .collect(),
            Fact::Atom(Atom::RuleKnown(seat, reading)) => {
                let at = |h: usize| {
                    let rule = &self.definition.family[histories[h].rule];
                    let line = histories[h].state.stage().layout().mainline();
                    (rule.automaton(), rule.automaton().run(line).expect("the real rule"))
                };
                let same = |a: usize, b: usize| match reading {
                    Reading::Which => histories[a].rule == histories[b].rule,
                    Reading::Residual => separate(at(a), at(b)).is_none(),
                };
                let mut rules: HashMap<usize, bool> = HashMap::new();
                for (number, members) in self.members[seat.index()].iter().enumerate() {
                    let mut each: Vec<usize> = members.clone();
                    each.sort_by_key(|&h| histories[h].rule);
                    each.dedup_by_key(|h| histories[*h].rule);
                    rules.insert(number, each.iter().all(|&h| same(each[0], h)));
                }
                all.map(|h| rules[&self.class[seat.index()][h]]).collect()
            }
            Fact::Atom(Atom::Holds(seat, card)) => all.map(|h| histories[h].state.hand(*seat).contains(card)).collect(),
            Fact::Atom(Atom::CanPlay(seat)) => {
                all.map(|h| histories[h].state.hand(*seat).iter().any(|&c| accepted(h).has(c))).collect()
            }
            Fact::Atom(Atom::SurePlay(seat)) => all
                .map(|h| {
                    let fellows = self.fellows(*seat, h);
                    let sure = |card: &Card| fellows.iter().all(|&other| accepted(other).has(*card));
                    histories[h].state.hand(*seat).iter().any(sure)
                })
                .collect(),
            Fact::Knows(seats, fact) => {
                let inner = self.truth(fact);
                let class = |h: usize| seats.iter().map(|s| self.class[s.index()][h]).collect::<Vec<usize>>();
                let mut known: HashMap<Vec<usize>, bool> = HashMap::new();
                all.clone().for_each(|h| *known.entry(class(h)).or_insert(true) &= inner[h]);
                all.map(|h| known[&class(h)]).collect()
            }
            Fact::Not(fact) => self.truth(fact).into_iter().map(|truth| !truth).collect(),
        }
    }

    fn each(&self, facts: &[Fact], test: impl Fn(&[bool]) -> bool) -> Vec<bool> {
        let values: Vec<Vec<bool>> = facts.iter().map(|f| self.truth(f)).collect();
        let at = |h: usize| values.iter().map(|v| v[h]).collect::<Vec<bool>>();
        (0..self.definition.histories.len()).map(|h| test(&at(h))).collect()
    }

    /// Whether the history is of this world.
    fn is(&self, history: usize, world: &World) -> bool {
        let history = &self.definition.histories[history];
        let same = |(seat, hand): (Seat, &Cards)| match hand {
            Cards::Seen(cards) => cards == history.state.hand(seat),
            Cards::Hidden(count) => *count == history.state.hand(seat).len(),
        };
        let mut hands = Seat::all(self.definition.game.seats()).zip(&world.hands);
        self.definition.family[history.rule] == world.rule && hands.all(same)
    }

    fn verdict(&self, seat: Seat, history: usize, truth: &[bool]) -> Verdict {
        let fellows = self.fellows(seat, history);
        match (fellows.iter().any(|&h| truth[h]), fellows.iter().any(|&h| !truth[h])) {
            (true, false) => Verdict::Yes,
            (false, true) => Verdict::No,
            (true, true) => Verdict::Open,
            (false, false) => unreachable!("a history is its own fellow"),
        }
    }
}

/// By the definition, a player who knows of a card that it is accepted knows that all players know.
fn players_know_the_same_of_the_rule<G: Eleusis>(moment: &Moment<G>) {
    for card in moment.definition.game.table().deck().all().iter() {
        let known = |seat: u8| Fact::accepts(card).known_to(Seat(seat));
        let truth = moment.truth(&known(0));
        assert_eq!(truth, moment.truth(&known(1)));
        assert_eq!(truth, moment.truth(&known(0).known_to(Seat(1))));
        assert_eq!(truth, moment.truth(&known(1).known_to(Seat(0)).known_to(Seat(2))));
    }
}

/// Plays at random from a random deal under a random rule, and compares all verdicts of all seats after every event with
/// the definition. Counts the verdicts by kind.
fn agrees_with_the_definition<G: Eleusis>(game: &G, cut: Cut, texts: &[&str], seed: u64) -> [usize; 3] {
    let mut dice = Dice::new(seed);
    let family = family(game, texts);
    let mut cards: Vec<Card> = Vec::new();
    (0..game.table().decks).for_each(|_| cards.extend(game.table().deck().all().iter()));
    let mut histories = Vec::new();
    let mut deals: Vec<Vec<Card>> = orders(&cards).into_iter().collect();
    deals.sort_unstable();
    let real = (dice.below(family.len()), dice.below(deals.len()));
    for (rule, secret) in family.iter().enumerate() {
        for order in &deals {
            histories.push(History::begin(game, rule, secret, cut.deal(order.clone())));
        }
    }
    let mut real = real.0 * deals.len() + real.1;
    let mut minds: Vec<Memory<G>> = (0..game.seats()).map(|_| Memory::within(game, family.clone())).collect();
    for (seat, mind) in Seat::all(game.seats()).zip(&mut minds) {
        histories[real].sights[seat.index()].iter().for_each(|sight| mind.learn(sight));
    }
    let mut definition = Definition { game, family: &family, histories };
    let (mut found, mut proved) = ([0; 3], 0);
    loop {
        let moment = Moment::of(&definition);
        for _ in 0..30 {
            let fact = random_fact(game, family.len(), 3, &mut dice);
            let truth = moment.truth(&fact);
            for (seat, mind) in Seat::all(game.seats()).zip(&minds) {
                let (verdict, expected) = (mind.verdict(&fact), moment.verdict(seat, real, &truth));
                let words = || crate::knowledge::write(mind, &fact);
                assert_eq!(verdict, expected, "seat {seat} on {} (seed {seed}): {:#?}", words(), mind.memory);
                found[verdict as usize] += 1;
                if let Some(proof) = mind.explain(&fact) {
                    assert_eq!(verdict, Verdict::Yes, "{}: {}", words(), proof.words(mind));
                    holds_only_as_it_is(mind, &proof, &mut Dice::new(seed));
                    proved += 1;
                }
                let of_rule = !fact.is_plain() || fact.atoms().into_iter().any(Atom::tells_knowledge);
                let (answer, open) = (mind.ask(&fact), verdict == Verdict::Open && !of_rule);
                if let Some(Answer { witness: Some(holds), counterexample: Some(fails), .. }) =
                    answer.ok().filter(|_| open)
                {
                    let fits = |world: &World, so: bool| {
                        let like = |&h: &usize| truth[h] == so && moment.is(h, world);
                        moment.fellows(seat, real).iter().any(like)
                    };
                    assert!(fits(&holds, true) && fits(&fails, false), "{}: {holds:?} {fails:?}", words());
                }
            }
        }
        players_know_the_same_of_the_rule(&moment);
        let state = &definition.histories[real].state;
        if state.stage().round() > 0 {
            // Most of what is known is proved.
            assert!(10 * proved > 7 * found[Verdict::Yes as usize], "seed {seed}: {proved} of {found:?}");
            return found;
        }
        let mut actions = game.legal(state);
        if actions.iter().any(|action| matches!(action, Action::Guess(_))) {
            actions.push(Action::Guess(dice.pick(&family).text().clone()));
        }
        let action = dice.pick(&actions).clone();
        // Only histories that somebody may consider possible are kept: those with the same judgements.
        let kept = definition.histories[real].play(game, &action);
        assert!(kept, "a listed action");
        let dealer = game.table().dealer(0);
        let public = |history: &History| match &history.sights[dealer.index()].last().expect("a sight").what {
            What::Played { accepted, .. } => (Some(*accepted), None),
            What::NoPlay { laid, .. } => (None, *laid),
            What::Guessed { right, .. } => (Some(*right), None),
            What::Begun { .. } | What::Dealt { .. } | What::Discarded { .. } | What::Passed { .. } => (None, None),
        };
        let result = public(&definition.histories[real]);
        let mut next = Vec::new();
        for (at, mut history) in definition.histories.into_iter().enumerate() {
            if at == real {
                real = next.len();
                next.push(history);
            } else if history.play(game, &action) && public(&history) == result {
                next.push(history);
            }
        }
        definition = Definition { game, family: &family, histories: next };
        for (seat, mind) in Seat::all(game.seats()).zip(&mut minds) {
            mind.learn(definition.histories[real].sights[seat.index()].last().expect("a sight"));
        }
    }
}

/// Adds up what was found, and wants some of each kind.
fn with_seeds(seeds: std::ops::Range<u64>, mut found: impl FnMut(u64) -> [usize; 3]) {
    let sum = seeds.map(&mut found).fold([0; 3], |a, b| [a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
    assert!(sum.iter().all(|&n| n > 100), "{sum:?}");
}

#[test]
fn in_express_minds_know_what_is_true_in_all_histories_they_cannot_tell_apart() {
    let game = express(json!({"players": 3, "deck": {"values": 3}, "hand": 1}));
    with_seeds(0..12, |seed| agrees_with_the_definition(&game, Cut::new(1, 0), &RULES, seed));
    let game = express(json!({"players": 3, "deck": {"values": 3}, "hand": 2}));
    with_seeds(0..12, |seed| agrees_with_the_definition(&game, Cut::new(2, 0), &RULES, seed));
}

#[test]
fn with_two_decks_and_with_open_hands_minds_know_what_is_true_in_all_histories() {
    let game = express(json!({"players": 3, "deck": {"values": 2}, "decks": 2, "hand": 2}));
    with_seeds(0..6, |seed| agrees_with_the_definition(&game, Cut::new(2, 0), &RULES[..4], seed));
    let game = express(json!({"players": 3, "deck": {"values": 3}, "hand": 2, "open": true}));
    with_seeds(0..8, |seed| agrees_with_the_definition(&game, Cut::new(2, 0), &RULES, seed));
}

#[test]
fn in_the_game_of_1959_minds_know_what_is_true_in_all_histories_they_cannot_tell_apart() {
    let game = classic(json!({"players": 3, "deck": {"values": 3}, "moves": 6}));
    with_seeds(0..12, |seed| agrees_with_the_definition(&game, Cut::new(2, 1), &RULES, seed));
}

#[test]
fn flipped_cards_are_drawn_last_and_everybody_knows_it() {
    let game = express(json!({"players": 3, "deck": {"values": 3}, "hand": 1}));
    let cut = Cut { start: game.table().deck().red(), ..Cut::new(1, 0) };
    with_seeds(0..12, |seed| agrees_with_the_definition(&game, cut, &RULES, seed));
}
