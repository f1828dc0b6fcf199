//! The laws that every game keeps, one function each: run them on your own game.
//!
//! | law | function |
//! |---|---|
//! | listed actions play | [`listed_actions_play`] |
//! | what is not listed is refused and changes nothing | [`unlisted_actions_are_refused`], [`mutated_texts_are_refused`] |
//! | every match ends within its bound | [`matches_end`] |
//! | a record replays to the same events | [`records_replay`] |
//! | text and data read back | [`notation_round_trips`] |
//! | equal memories give equal options and equal views | [`nothing_leaks`] |
//! | what may be taken back told nobody anything | [`undone_tells_nothing`] |
//! | knowledge is true, lasts, and is the same for every engine | [`knowledge_is_true`], [`known_stays_known`], [`engines_agree`] |
//! | knowledge is what the game's own model says, and what it would be after any action | [`unfolding_agrees`], [`what_if_agrees`] |
//!
//! A law looks at random matches of a seed and says what is broken. It can find a fault, not prove that there is none:
//! use many seeds, and small instances for the laws about twins.

mod formulas;
mod knowledge;
mod twins;
mod unfolding;

pub use formulas::{Operator, random_formula};
pub use knowledge::{engines_agree, knowledge_is_true, known_stays_known};
pub use twins::{nothing_leaks, undone_tells_nothing};
pub use unfolding::{Compared, Trial, unfolding_agrees, what_if_agrees};

use crate::dice::{Dice, mix};
use crate::game::{Game, Notation, Seat, Turn};
use crate::record::{Ending, Entry, Match, Record, UNDO, replay};
use std::fmt;
use std::mem::discriminant;

/// A law that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Which law.
    pub law: &'static str,
    /// In the matches of which seed.
    pub seed: u64,
    /// What was seen.
    pub what: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not true that {}: {} (seed {})", self.law, self.what, self.seed)
    }
}

impl std::error::Error for Broken {}

/// Whether a law holds in the matches of a seed.
pub type Holds = Result<(), Broken>;

fn require(law: &'static str, seed: u64, holds: bool, what: impl FnOnce() -> String) -> Holds {
    match holds {
        true => Ok(()),
        false => Err(Broken { law, seed, what: what() }),
    }
}

/// How many actions a law tries at a state: all of a small game, a sample of a large one.
const SAMPLE: usize = 24;

/// A match of random actions. With an even seed every action is equally likely; with an odd one every *kind* of action
/// is (the variants of an enum), so that a rare kind that ends matches does not make all of them short.
///
/// It stops one action after the bound of the game if the match is not over by then, which breaks a law.
///
/// # Panics
/// If a listed action is refused, which breaks a law too.
pub fn random_match<G: Game>(game: &G, seed: u64) -> Match<G> {
    let mut dice = Dice::new(mix(seed, 1));
    let mut played = Match::deal(game.clone(), seed);
    while played.actions().len() <= game.bound() {
        let legal = game.legal(played.state());
        let Some(action) = random_action(&legal, seed % 2 == 1, &mut dice) else { break };
        played.play(action).unwrap_or_else(|e| panic!("{action:?} is listed but refused: {e}"));
    }
    played
}

fn random_action<'a, A>(legal: &'a [A], by_kind: bool, dice: &mut Dice) -> Option<&'a A> {
    if legal.is_empty() {
        return None;
    }
    if !by_kind {
        return Some(dice.pick(legal));
    }
    let mut kinds: Vec<&A> = Vec::new();
    for action in legal {
        if kinds.iter().all(|k| discriminant(*k) != discriminant(action)) {
            kinds.push(action);
        }
    }
    let kind = discriminant(*dice.pick(&kinds));
    let of_kind: Vec<&A> = legal.iter().filter(|a| discriminant(*a) == kind).collect();
    Some(of_kind[dice.below(of_kind.len())])
}

/// A few of the items, in a random order.
fn sample<T>(mut items: Vec<T>, dice: &mut Dice) -> Vec<T> {
    dice.shuffle(&mut items);
    items.truncate(SAMPLE);
    items
}

/// All laws about rules and notation at once: every function of this module but those about twins and knowledge.
pub fn rules_hold<G: Notation>(game: &G, seed: u64) -> Holds
where
    G::State: PartialEq,
{
    listed_actions_play(game, seed)?;
    matches_end(game, seed)?;
    unlisted_actions_are_refused(game, seed)?;
    mutated_texts_are_refused(game, seed)?;
    records_replay(game, seed)?;
    notation_round_trips(game, seed)
}

/// Every action that is listed can be played; no two are the same; something is listed exactly while the match goes on.
pub fn listed_actions_play<G: Game>(game: &G, seed: u64) -> Holds {
    let law = "listed actions play";
    let mut dice = Dice::new(mix(seed, 2));
    let mut played = Match::deal(game.clone(), seed);
    loop {
        let state = played.state();
        let legal = game.legal(state);
        let over = matches!(game.turn(state), Turn::Over(_));
        require(law, seed, over == legal.is_empty(), || format!("over is {over}, but {} are listed", legal.len()))?;
        let Some(next) = random_action(&legal, seed % 2 == 1, &mut dice).cloned() else { return Ok(()) };
        let twice = legal.iter().enumerate().find(|(i, a)| legal[..*i].contains(a));
        require(law, seed, twice.is_none(), || format!("{twice:?} is listed twice"))?;
        for action in &legal {
            if let Err(why) = game.play(&mut state.clone(), action) {
                return Err(Broken { law, seed, what: format!("{action:?} is refused: {why}") });
            }
        }
        played.play(&next).expect("it has just been played");
        if played.actions().len() > game.bound() {
            return Ok(()); // That is for another law.
        }
    }
}

/// Actions of other states that are not listed here are refused and change nothing. An open action where one of its kind
/// is listed may be played, but if it is refused it changes nothing either.
pub fn unlisted_actions_are_refused<G: Game>(game: &G, seed: u64) -> Holds
where
    G::State: PartialEq,
{
    let law = "unlisted actions are refused and change nothing";
    let mut dice = Dice::new(mix(seed, 3));
    let mut pool: Vec<G::Action> = Vec::new();
    for part in 0..3 {
        for state in random_match(game, mix(seed, 30 + part)).states() {
            pool.extend(sample(game.legal(state), &mut dice));
        }
    }
    for state in random_match(game, seed).states() {
        let legal = game.legal(state);
        let unlisted = pool.iter().filter(|a| !legal.contains(a)).collect();
        for action in sample(unlisted, &mut dice) {
            refused(law, seed, game, state, action)?;
        }
    }
    Ok(())
}

fn refused<G: Game>(law: &'static str, seed: u64, game: &G, state: &G::State, action: &G::Action) -> Holds
where
    G::State: PartialEq,
{
    let mut after = state.clone();
    let answer = game.play(&mut after, action);
    let open = game.is_open(action) && game.legal(state).iter().any(|a| discriminant(a) == discriminant(action));
    require(law, seed, open || answer.is_err(), || format!("{action:?} is not listed but gives {answer:?}"))?;
    require(law, seed, answer.is_ok() || after == *state, || format!("{action:?} was refused but changed the state"))
}

/// A text with a slip in it is refused, or read as an action that reads back equal and is then listed, open or refused.
pub fn mutated_texts_are_refused<G: Notation>(game: &G, seed: u64) -> Holds
where
    G::State: PartialEq,
{
    let law = "mutated texts are refused or mean an action";
    let mut dice = Dice::new(mix(seed, 4));
    for state in random_match(game, seed).states() {
        let legal = game.legal(state);
        for action in sample(legal.iter().collect(), &mut dice) {
            let text = mutated(&game.write(action), &mut dice);
            let Ok(read) = game.read(&text) else { continue };
            let again = game.read(&game.write(&read));
            require(law, seed, again.as_ref() == Ok(&read), || format!("`{text}` is {read:?}, then {again:?}"))?;
            if !legal.contains(&read) {
                refused(law, seed, game, state, &read)?;
            }
        }
    }
    Ok(())
}

fn mutated(text: &str, dice: &mut Dice) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=dice.below(2) {
        let at = dice.below(chars.len() + 1);
        match dice.below(6) {
            0 => chars.truncate(at),
            1 => chars.insert(at, *dice.pick(&[' ', ',', 'e', 'Z', '0', '-', '"', '\0', 'é', '🂡'])),
            2 if at < chars.len() => drop(chars.remove(at)),
            3 if at + 1 < chars.len() => chars.swap(at, at + 1),
            4 => chars = [&chars[..], &[' '], &chars[at..]].concat(),
            _ => chars.rotate_left(at),
        }
    }
    chars.into_iter().collect()
}

/// Every match ends within the bound, with a score for each seat.
pub fn matches_end<G: Game>(game: &G, seed: u64) -> Holds {
    let law = "matches end within their bound";
    let played = random_match(game, seed);
    let (actions, bound) = (played.actions().len(), game.bound());
    require(law, seed, actions <= bound, || format!("more than {bound} actions"))?;
    let scores = played.outcome().map(|o| o.scores.len());
    require(law, seed, scores == Some(game.seats().into()), || format!("{scores:?} scores at the end"))
}

/// A record read back from its text replays to the same events and states, undos included, and so does every branch of
/// it.
pub fn records_replay<G: Notation>(game: &G, seed: u64) -> Holds
where
    G::State: PartialEq,
{
    let law = "a record replays to the same events";
    let mut dice = Dice::new(mix(seed, 5));
    let random = random_match(game, seed);
    let players = Seat::all(game.seats()).map(|s| format!("player {s}")).collect();
    let mut record = Record::new(game, players, seed);
    let mut played = Match::deal(game.clone(), seed);
    for action in random.actions() {
        let text = game.write(action);
        played.play(action).expect("played before");
        record.entries.push(Entry::Play(text.clone()));
        if played.can_undo().is_ok() && dice.below(2) == 0 {
            record.entries.extend([Entry::Undo, Entry::Play(text)]);
        }
    }
    record.result = random.outcome().map(Ending::by_rules);
    let same = |record: &Record, whole: bool| -> Holds {
        let back = Record::from_text(&record.to_line());
        require(law, seed, back.as_ref() == Ok(record), || format!("{record:?} is read back as {back:?}"))?;
        let game = G::stored(&record.options).map_err(|e| Broken { law, seed, what: e.to_string() })?;
        let again = replay(game, record).map_err(|e| Broken { law, seed, what: e.to_string() })?;
        let n = again.events().len();
        require(law, seed, !whole || n == random.events().len(), || format!("{n} events"))?;
        let events = again.events() == &random.events()[..n] && again.states() == &random.states()[..n];
        require(law, seed, events, || format!("other events: {:?}", again.events()))
    };
    same(&record, true)?;
    same(&record.branch("origin", dice.below(record.entries.len() + 1)), false)
}

/// Actions, options and sights read back from text and data: the same action, equal options, different data for different
/// sights; and every text is one line.
pub fn notation_round_trips<G: Notation>(game: &G, seed: u64) -> Holds {
    let law = "notation round-trips";
    let options = G::with_options(&game.options()).map(|g| g.options());
    require(law, seed, options.as_ref() == Ok(&game.options()), || format!("options become {options:?}"))?;
    let line = |text: &str| !text.trim().is_empty() && !text.contains('\n');
    let played = random_match(game, seed);
    for state in played.states() {
        for action in game.legal(state) {
            let text = game.write(&action);
            let read = game.read(&text);
            require(law, seed, read.as_ref() == Ok(&action), || format!("{action:?}, `{text}`, is read as {read:?}"))?;
            require(law, seed, line(&text) && text != UNDO, || format!("`{text}` cannot stand in a record"))?;
        }
    }
    let mut seen: Vec<(G::Sight, serde_json::Value)> = Vec::new();
    for event in played.events() {
        require(law, seed, line(&game.tell(event)), || format!("{event:?} is not told in one line"))?;
        for seat in Seat::all(game.seats()) {
            let sight = game.sight(event, seat);
            require(law, seed, line(&game.tell_sight(&sight)), || format!("{sight:?} is not told in one line"))?;
            let data = game.sight_data(&sight);
            let mixed = seen.iter().find(|(other, d)| (*d == data) != (*other == sight));
            require(law, seed, mixed.is_none(), || format!("{sight:?} and {mixed:?} have the data {data}"))?;
            seen.push((sight, data));
        }
    }
    Ok(())
}
