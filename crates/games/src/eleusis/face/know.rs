//! Who knows what of the rule, since when, and why.

use super::ask::{self, Ask};
use super::board::{Fit, difficulty, fits};
use super::{is_seat, mind};
use crate::cards::{Card, CardSet};
use crate::eleusis::automaton::separate;
use crate::eleusis::deck::Deck;
use crate::eleusis::knowledge::{Atom, Fact, Judgement, Memory, Proof, Said, Standing, World};
use crate::eleusis::moves::{Cards, Sight, What};
use crate::eleusis::properties::Reading;
use crate::eleusis::secret::Secret;
use crate::eleusis::table::{Eleusis, Phase};
use crate::eleusis::text;
use crate::game::{Knowledge, Seat, Verdict};
use crate::knowledge::{self, Voice};
use crate::table::page::{FactRow, Inspection, Known, Problem, Sentence, Why, WorldInfo, WorldPart};
use crate::table::words::{chain_words, matches_words};
use std::sync::Arc;

/// How many rules are listed.
const RULES: usize = 40;

/// How many rules a sentence names.
const NAMED: usize = 4;

/// How long a chain of subjects may be.
const CHAIN: usize = 6;

const HANDS: &str = "the cards";
const OWN: &str = "your hand";
const RULE: &str = "the rule";
const SEATS: &str = "the seats";

/// What the last of a chain goes by.
enum Eyes {
    /// There is no rule yet.
    Waiting,
    /// The rule itself: these are accepted.
    Told(CardSet),
    /// The rules that fit; perhaps none does.
    Fits,
}

/// The round on the table, as a chain of subjects sees it.
struct Round<'a, G: Eleusis> {
    game: &'a G,
    memory: &'a [Sight],
    chain: &'a [Seat],
    mind: Memory<G>,
    fits: Vec<Fit>,
    eyes: Eyes,
}

impl<'a, G: Eleusis> Round<'a, G> {
    fn new(game: &'a G, memory: &'a [Sight], chain: &'a [Seat]) -> Result<Round<'a, G>, Problem> {
        let mind = mind(game, memory);
        let bad = |message: String| Err(Problem::new("no-such-seat", message));
        match chain.iter().find(|&&seat| !is_seat(game, seat)) {
            Some(seat) => return bad(format!("there is no seat {seat}")),
            None if chain.first() != Some(&mind.seat()) => return bad("a chain begins with your own seat".into()),
            None if chain.len() > CHAIN => return bad(format!("a chain has at most {CHAIN} subjects")),
            None => {}
        }
        let over = matches!(mind.desk().stage.phase(), Phase::Rule(_) | Phase::Over);
        let dealer = game.table().dealer(mind.desk().stage.round());
        let told = over || chain.iter().all(|&seat| seat == dealer);
        let eyes = match (mind.standing(), mind.sure()) {
            (Standing::Waiting, _) => Eyes::Waiting,
            (Standing::Told, Some(sure)) if told => Eyes::Told(sure.accepted),
            (Standing::Told | Standing::Fits(_) | Standing::NothingFits, _) => Eyes::Fits,
        };
        Ok(Round { game, memory, chain, fits: fits(&mind), mind, eyes })
    }

    fn deck(&self) -> &Deck {
        self.game.table().deck()
    }

    fn family(&self) -> &[Arc<Secret>] {
        self.mind.family()
    }

    /// That the others of the chain know the fact, the last innermost.
    fn nested(&self, fact: &Fact) -> Fact {
        fact.clone().known_along(&self.chain[1..])
    }

    /// A fact as a part of a sentence.
    fn words(&self, fact: &Fact) -> String {
        knowledge::words(&self.mind, fact, &Voice::default())
    }

    /// The place of the rule in the family, if the fact says that the rule is that one.
    fn place(fact: &Fact) -> Option<usize> {
        match fact {
            Fact::Atom(Atom::Rule(place)) => Some(*place),
            _ => None,
        }
    }

    /// The rule that the fact speaks of, if a judgement shows to all that it is another one.
    fn refuted(&self, fact: &Fact) -> Option<Arc<Secret>> {
        let rule = self.family().get(Self::place(fact)?).filter(|rule| self.refuter(rule).is_some())?;
        matches!(self.eyes, Eyes::Fits).then(|| rule.clone())
    }

    /// Whether the rule is known to be one of the family, without a visit to all worlds: all players know the same of it.
    fn rule_verdict(&self, fact: &Fact) -> Option<Known> {
        let place = Self::place(fact)?;
        let Eyes::Fits = self.eyes else { return None };
        let starter = *self.mind.desk().stage.layout().mainline().first()?;
        let Some(rule) = self.fits.iter().find(|fit| fit.place == place) else {
            return self.refuted(fact).map(|_| Known::Excluded);
        };
        let from = |fit: &Fit| fit.rule.after(starter);
        let same = |fit: &Fit| {
            fit.place == place
                || separate((rule.rule.automaton(), from(rule)), (fit.rule.automaton(), from(fit))).is_none()
        };
        Some(if self.fits.iter().all(same) { Known::Known } else { Known::Open })
    }

    /// What the chain knows of a fact.
    fn verdict(&self, fact: &Fact) -> Known {
        if let Some(verdict) = self.rule_verdict(fact) {
            return verdict;
        }
        match self.mind.verdict(&self.nested(fact)) {
            Verdict::Yes => return Known::Known,
            Verdict::No if self.chain.len() == 1 => return Known::Excluded,
            Verdict::No | Verdict::Open => {}
        }
        match self.chain.len() > 1 && self.mind.verdict(&self.nested(&fact.clone().negated())) == Verdict::Yes {
            true => Known::Excluded,
            false => Known::Open,
        }
    }

    fn row(&self, fact: &Fact, group: &str, verdict: Known, share: Option<f64>) -> FactRow {
        FactRow {
            fact: knowledge::write(&self.mind, fact),
            words: self.words(fact),
            group: group.to_string(),
            verdict,
            share,
        }
    }

    /// What several know of each other's hands takes too long to find out.
    fn short(&self, fact: &Fact) -> Result<(), Problem> {
        match fact.about_hands() && self.chain.len() + fact.depth() > 2 {
            false => Ok(()),
            true => {
                let long = Problem::new("too-long", "there are too many hands to answer this");
                Err(long.help("ask for what fewer know of each other"))
            }
        }
    }

    /// What the chain knows of a card.
    fn accepts(&self, card: Card) -> (Known, Option<f64>) {
        let (accept, of) = match self.eyes {
            Eyes::Waiting => (0, 0),
            Eyes::Told(accepted) => (usize::from(accepted.has(card)), 1),
            Eyes::Fits => (self.fits.iter().filter(|fit| fit.accepted.has(card)).count(), self.fits.len()),
        };
        let verdict = match accept {
            _ if of == 0 => Known::Open,
            0 => Known::Excluded,
            n if n == of => Known::Known,
            _ => Known::Open,
        };
        (verdict, (of > 0).then(|| accept as f64 / of as f64))
    }

    fn card_rows(&self) -> Vec<FactRow> {
        let hand: CardSet = self.mind.desk().hand().iter().copied().collect();
        let hand = if matches!(self.mind.desk().stage.phase(), Phase::Rule(_)) { CardSet::EMPTY } else { hand };
        let rows = |cards: CardSet, group: &str| {
            let row = |card: Card| {
                let (verdict, share) = self.accepts(card);
                self.row(&Fact::accepts(card), group, verdict, share)
            };
            let mut rows: Vec<FactRow> = cards.iter().map(row).collect();
            rows.sort_by_key(|row| order(row.verdict));
            rows
        };
        let mut all = rows(hand, OWN);
        all.extend(rows(self.deck().all().minus(hand), HANDS));
        all
    }

    fn rule_rows(&self) -> Vec<FactRow> {
        if let Eyes::Told(_) = self.eyes {
            let told = self.told();
            let row = |rule: Arc<str>| FactRow {
                fact: ask::is_rule(&rule),
                words: ask::rule_words(&rule),
                group: RULE.to_string(),
                verdict: Known::Known,
                share: Some(1.0),
            };
            return told.into_iter().map(row).collect();
        }
        let is = Fact::rule;
        let mut fitting: Vec<&Fit> = self.fits.iter().collect();
        fitting.sort_by_key(|fit| difficulty(&fit.rule));
        let share = 1.0 / self.fits.len().max(1) as f64;
        let fit = |fit: &&Fit| self.row(&is(fit.place), RULE, self.verdict(&is(fit.place)), Some(share));
        let mut rows: Vec<FactRow> = fitting.iter().take(RULES).map(fit).collect();
        let out = |place: &usize| !self.fits.iter().any(|fit| fit.place == *place);
        let left = RULES - rows.len();
        let excluded = (0..self.family().len()).filter(out).take(left);
        rows.extend(excluded.map(|place| self.row(&is(place), RULE, Known::Excluded, Some(0.0))));
        rows
    }

    /// The rule, where it is known itself.
    fn told(&self) -> Option<Arc<str>> {
        let ended = || self.memory.iter().rev().find_map(|sight| sight.end.as_ref()).map(|end| end.rule.clone());
        self.mind.desk().rule.clone().or_else(ended)
    }

    fn seat_rows(&self) -> Vec<FactRow> {
        let row = |seat: Seat| {
            let fact = Fact::Atom(Atom::RuleKnown(seat, Reading::Residual));
            let verdict = self.verdict(&fact);
            self.row(&fact, SEATS, verdict, None)
        };
        Seat::all(self.game.seats()).map(row).collect()
    }

    fn note(&self) -> String {
        let of = self.family().len();
        match (&self.eyes, self.fits.len()) {
            (Eyes::Waiting, _) => "There is no rule yet.".to_string(),
            (Eyes::Told(_), _) if self.chain.len() == 1 => "You know the rule itself.".to_string(),
            (Eyes::Told(_), _) => "They know the rule itself.".to_string(),
            (Eyes::Fits, 0) => {
                format!(
                    "None of the {of} library rules fits any more: the rule is another one, and nothing is claimed."
                )
            }
            (Eyes::Fits, n) => {
                let nested = match self.chain.len() {
                    1 => "",
                    _ => {
                        " Every judgement is public: all players know the same of the rule, and know that of each \
                         other; the dealer knows the rule itself."
                    }
                };
                let fit = if n == 1 { "1 fits" } else { &format!("{n} fit") };
                format!("As certain as that the rule is one of the {of} of the library; {fit}.{nested}")
            }
        }
    }

    /// The row of a rule that is none of the library.
    fn foreign(&self, rule: &Secret) -> FactRow {
        let verdict = match (&self.eyes, self.refuter(rule)) {
            (Eyes::Waiting, _) | (Eyes::Fits, None) => Known::Open,
            (Eyes::Told(_), _) if self.is_told(rule) => Known::Known,
            (Eyes::Told(_), _) | (Eyes::Fits, Some(_)) => Known::Excluded,
        };
        FactRow {
            fact: ask::is_rule(rule.text()),
            words: format!("{}, which is none of the library", ask::rule_words(rule.text())),
            group: RULE.to_string(),
            verdict,
            share: None,
        }
    }

    /// Whether the rule judges as the one that was told.
    fn is_told(&self, rule: &Secret) -> bool {
        let told = self.told().and_then(|text| self.game.table().menu().secret(&text).ok());
        told.is_some_and(|told| told.automaton() == rule.automaton())
    }

    /// The first judgement that a rule does not fit.
    fn refuter(&self, rule: &Secret) -> Option<&Judgement> {
        let line = self.mind.desk().stage.layout().mainline();
        self.mind.judgements().iter().find(|judgement| judgement.refutes(rule, line))
    }
}

/// Known first, then what is open.
fn order(verdict: Known) -> u8 {
    match verdict {
        Known::Known => 0,
        Known::Open => 1,
        Known::Excluded => 2,
    }
}

pub(super) fn inspect<G: Eleusis>(
    game: &G,
    memory: &[Sight],
    chain: &[Seat],
    filter: &str,
) -> Result<Inspection, Problem> {
    let round = Round::new(game, memory, chain)?;
    let filter = filter.trim();
    let mut rows = Vec::new();
    if !matches!(round.eyes, Eyes::Waiting) {
        rows.extend(round.rule_rows());
        rows.extend(round.card_rows());
        rows.extend(round.seat_rows());
    }
    let mut asked = None;
    if !filter.is_empty() {
        let ask = match game.table().deck().read(filter) {
            Some(card) => Some(Ask::Fact(Fact::accepts(card))),
            None if ask::is_fact(&round.mind, filter) => Some(ask::read(game, &round.mind, filter)?),
            None => ask::rule(game, &round.mind, filter).ok(),
        };
        if let Some(Ask::Fact(fact)) = &ask {
            round.short(fact)?;
        }
        let found: Vec<FactRow> = rows.iter().filter(|row| matches_words(row, filter)).cloned().collect();
        match ask {
            Some(ask) => {
                asked = Some(round.asked(&ask));
                rows = if found.is_empty() { rows } else { found };
            }
            None => rows = found,
        }
    }
    let worlds = match (&round.eyes, round.mind.standing()) {
        (Eyes::Waiting, _) => None,
        (_, Standing::Told) => Some("1".to_string()),
        (_, _) => Some(round.fits.len().to_string()),
    };
    Ok(Inspection {
        chain: chain.iter().map(|seat| seat.0).collect(),
        words: chain_words(chain),
        worlds,
        rows,
        asked,
        note: Some(round.note()),
    })
}

impl<G: Eleusis> Round<'_, G> {
    fn asked(&self, ask: &Ask) -> FactRow {
        match ask {
            Ask::Rule(rule) => self.foreign(rule),
            Ask::Fact(Fact::Atom(Atom::Accepts(card))) => {
                let (verdict, share) = self.accepts(*card);
                self.row(&Fact::accepts(*card), HANDS, verdict, share)
            }
            Ask::Fact(fact) => {
                let group = if fact.about_hands() || fact.depth() > 0 { SEATS } else { RULE };
                self.row(fact, group, self.verdict(fact), None)
            }
        }
    }

    fn since_words(&self, since: Option<usize>) -> Option<String> {
        since.map(|event| text::tell(self.game.table(), &self.memory[event]))
    }

    /// Why the rule is or is not this one, which a judgement refutes or which is none of the library.
    fn why_rule(&self, row: FactRow, rule: &Secret) -> Why {
        let plain = |text: &str| Sentence { depth: 0, text: text.to_string(), event: None };
        let line = self.mind.desk().stage.layout().mainline();
        let (mut proof, mut since, mut worlds) = (Vec::new(), None, Vec::new());
        match (row.verdict, self.refuter(rule)) {
            (Known::Excluded, Some(judgement)) if matches!(self.eyes, Eyes::Fits) => {
                let text = judgement.words(self.deck(), line);
                proof.push(Sentence { depth: 0, text, event: Some(judgement.event) });
                proof.push(plain(&contrary(judgement, self.deck(), rule)));
                since = Some(judgement.event);
            }
            (Known::Open, _) => {
                let world = |holds: bool, rule: &Secret| WorldInfo {
                    holds,
                    parts: vec![WorldPart { name: RULE.to_string(), value: rule.text().to_string(), differs: true }],
                };
                let other = self.fits.iter().find(|fit| fit.rule.automaton() != rule.automaton());
                worlds = other.map_or(Vec::new(), |fit| vec![world(true, rule), world(false, &fit.rule)]);
            }
            (Known::Known | Known::Excluded, _) => {
                proof.push(plain("You know the rule itself."));
                proof.push(plain(match row.verdict {
                    Known::Known => "It judges every line as this one does.",
                    Known::Excluded | Known::Open => "It judges some line otherwise.",
                }));
                since = self.told_since(rule);
            }
        }
        Why {
            fact: row.fact,
            words: row.words,
            verdict: row.verdict,
            since,
            since_words: self.since_words(since),
            proof,
            unproved: None,
            worlds,
        }
    }

    /// The event since which the chain, which was told the rule, knows whether it is this one.
    fn told_since(&self, rule: &Secret) -> Option<usize> {
        let dealt = |sight: &Sight| match sight.what {
            What::Dealt { dealer, .. } => Some(dealer),
            What::Begun { .. }
            | What::Played { .. }
            | What::NoPlay { .. }
            | What::Discarded { .. }
            | What::Guessed { .. }
            | What::Passed { .. } => None,
        };
        let (deal, dealer) = self.memory.iter().enumerate().rev().find_map(|(at, s)| Some((at, dealt(s)?)))?;
        match self.refuter(rule) {
            _ if self.chain.iter().all(|&seat| seat == dealer) => Some(deal),
            Some(judgement) => Some(judgement.event),
            None => self.memory.iter().rposition(|sight| sight.end.is_some()),
        }
    }

    fn why(&self, fact: &Fact) -> Why {
        let verdict = self.verdict(fact);
        // What hands others may hold is counted; nested deeper it would take too long to tell since when and why.
        let long = fact.about_hands() && self.chain.len() + fact.depth() > 1;
        let known = match verdict {
            Known::Known => Some(self.nested(fact)),
            Known::Excluded => Some(self.nested(&fact.clone().negated())),
            Known::Open => None,
        };
        let quick = known.as_ref().filter(|_| !long);
        let since = quick.and_then(|fact| self.mind.since(fact));
        let found = quick.filter(|fact| !fact.about_hands()).and_then(|fact| self.mind.explain(fact));
        let family = self.mind.family();
        let checked = found.filter(|proof| proof.check(self.game, family, self.memory).is_ok());
        let unproved = (known.is_some() && checked.is_none())
            .then(|| "It is true in all hands and rules that fit; they were counted, and no proof is written.".into());
        Why {
            fact: knowledge::write(&self.mind, fact),
            words: self.words(fact),
            verdict,
            since,
            since_words: self.since_words(since),
            proof: checked.map_or(Vec::new(), |proof| self.sentences(&proof)),
            unproved,
            worlds: if known.is_none() { self.worlds(fact) } else { Vec::new() },
        }
    }

    /// A proof that has passed its checker, in sentences.
    fn sentences(&self, proof: &Proof) -> Vec<Sentence> {
        let (deck, family) = (self.deck(), self.family());
        let plain = |depth: usize, text: String| Sentence { depth, text, event: None };
        let mut out = Vec::new();
        if proof.told {
            out.push(plain(0, "You know the rule itself.".to_string()));
        }
        for (number, premise) in proof.premises.iter().enumerate() {
            out.push(Sentence { depth: 0, text: premise.words(deck, &proof.line), event: Some(premise.event) });
            let rules: Vec<&str> = proof
                .refuted
                .iter()
                .filter(|&&(_, by)| by == number)
                .map(|&(rule, _)| &**family[rule].text())
                .collect();
            if !rules.is_empty() {
                out.push(plain(1, format!("That refutes {}.", named(&rules))));
            }
        }
        if !proof.told || self.chain.len() > 1 {
            let rules: Vec<&str> = proof.fits.iter().map(|&rule| &**family[rule].text()).collect();
            out.push(plain(0, format!("What is left is {}.", named(&rules))));
            out.push(plain(0, format!("Under each of them it is true that {}.", self.words(&proof.fact))));
        } else {
            out.push(plain(0, format!("So {}.", self.words(&proof.fact))));
        }
        out
    }

    /// Two worlds that fit and differ in the fact.
    fn worlds(&self, fact: &Fact) -> Vec<WorldInfo> {
        if fact.about_hands() || fact.depth() > 0 {
            let pair = self.mind.why_not(fact).map(|why| [(true, why.holds), (false, why.fails)]);
            return pair.map_or(Vec::new(), |[a, b]| vec![self.world(a.0, &a.1, &b.1), self.world(b.0, &b.1, &a.1)]);
        }
        if let Fact::Atom(Atom::RuleKnown(..)) = fact {
            let pair = self.mind.why_not(fact).map(|why| [why.holds, why.fails]);
            return pair.map_or(Vec::new(), |[a, b]| vec![self.world(true, &a, &b), self.world(false, &b, &a)]);
        }
        let holds = |fit: &&Fit| self.plain(fact, fit);
        let (Some(yes), Some(no)) = (self.fits.iter().find(holds), self.fits.iter().find(|fit| !holds(fit))) else {
            return Vec::new();
        };
        let world = |is: bool, fit: &Fit| {
            let mut parts =
                vec![WorldPart { name: RULE.to_string(), value: fit.rule.text().to_string(), differs: true }];
            if let Some(card) = card_of(fact) {
                let value = if fit.accepted.has(card) { "accepted" } else { "refused" };
                let name = format!("{} next", self.deck().write(card));
                parts.push(WorldPart { name, value: value.to_string(), differs: true });
            }
            WorldInfo { holds: is, parts }
        };
        vec![world(true, yes), world(false, no)]
    }

    /// Whether a fact about the rule alone is true under a rule of the library.
    fn plain(&self, fact: &Fact, fit: &Fit) -> bool {
        match fact {
            Fact::Const(value) => *value,
            Fact::Atom(Atom::Accepts(card)) => fit.accepted.has(*card),
            Fact::Atom(Atom::Rule(place)) => fit.place == *place,
            Fact::Not(inner) => !self.plain(inner, fit),
            Fact::All(parts) => parts.iter().all(|part| self.plain(part, fit)),
            Fact::Any(parts) => parts.iter().any(|part| self.plain(part, fit)),
            Fact::Count(cmp, n, parts) => {
                cmp.admits((parts.iter().filter(|part| self.plain(part, fit)).count() as u64).cmp(n))
            }
            Fact::Iff(a, b) => self.plain(a, fit) == self.plain(b, fit),
            Fact::Atom(Atom::RuleKnown(..) | Atom::Holds(..) | Atom::CanPlay(_) | Atom::SurePlay(_))
            | Fact::Knows(..)
            | Fact::Common(..)
            | Fact::After(..) => false,
        }
    }

    fn world(&self, holds: bool, world: &World, other: &World) -> WorldInfo {
        let rule = WorldPart {
            name: RULE.to_string(),
            value: world.rule.text().to_string(),
            differs: world.rule.text() != other.rule.text(),
        };
        let seats = Seat::all(self.game.seats()).zip(world.hands.iter().zip(&other.hands));
        let hands = seats.filter_map(|(seat, (cards, others))| match cards {
            Cards::Seen(seen) if !seen.is_empty() => Some(WorldPart {
                name: format!("seat {seat}"),
                value: text::list(self.deck(), seen),
                differs: cards != others,
            }),
            Cards::Seen(_) | Cards::Hidden(_) => None,
        });
        WorldInfo { holds, parts: std::iter::once(rule).chain(hands).collect() }
    }
}

/// The card that a fact about the rule is about.
fn card_of(fact: &Fact) -> Option<Card> {
    match fact.atoms()[..] {
        [Atom::Accepts(card)] => Some(*card),
        _ => None,
    }
}

/// What a rule says where the dealer said otherwise.
pub(super) fn contrary(judgement: &Judgement, deck: &Deck, rule: &Secret) -> String {
    match &judgement.said {
        Said::Card { card, accepted } => {
            let says = if *accepted { "refuses" } else { "accepts" };
            format!("`{}` {says} {} there.", rule.text(), deck.write(*card))
        }
        Said::Wrong { guess, .. } if rule.text() == guess.text() => {
            format!("`{}` is what was guessed, and the guess was wrong.", rule.text())
        }
        Said::Wrong { guess, .. } => format!(
            "From there on `{}` accepts the same cards as `{}`, and that was a wrong guess.",
            rule.text(),
            guess.text()
        ),
    }
}

/// A few rules by their texts, and how many there are.
fn named(rules: &[&str]) -> String {
    let some: Vec<String> = rules.iter().take(NAMED).map(|text| format!("`{text}`")).collect();
    match rules.len() {
        0 => "no rule".to_string(),
        1 => some[0].clone(),
        n if n <= NAMED => some.join(", "),
        n => format!("{n} rules, such as {}", some.join(", ")),
    }
}

pub(super) fn why<G: Eleusis>(game: &G, memory: &[Sight], chain: &[Seat], fact: &str) -> Result<Why, Problem> {
    let round = Round::new(game, memory, chain)?;
    let ask = match game.table().deck().read(fact) {
        Some(card) => Ask::Fact(Fact::accepts(card)),
        None => ask::read(game, &round.mind, fact)?,
    };
    if let Ask::Fact(fact) = &ask {
        round.short(fact)?;
    }
    Ok(match ask {
        Ask::Rule(rule) => round.why_rule(round.foreign(&rule), &rule),
        Ask::Fact(fact) => match round.refuted(&fact) {
            Some(rule) => round.why_rule(round.row(&fact, RULE, Known::Excluded, None), &rule),
            None => round.why(&fact),
        },
    })
}

pub(super) fn bits<G: Eleusis>(game: &G, memory: &[Sight]) -> Option<f64> {
    let mind = mind(game, memory);
    match mind.standing() {
        Standing::Waiting => Some((mind.family().len() as f64).log2()),
        Standing::Told => Some(0.0),
        Standing::Fits(n) => Some((n as f64).log2()),
        Standing::NothingFits => None,
    }
}

pub(super) fn learned<G: Eleusis>(game: &G, memory: &[Sight]) -> Vec<FactRow> {
    let Some(me) = memory.first().map(|_| mind(game, memory).seat()) else { return Vec::new() };
    let Ok(round) = Round::new(game, memory, std::slice::from_ref(&me)) else { return Vec::new() };
    match (&round.eyes, round.mind.standing()) {
        (Eyes::Waiting, _) => Vec::new(),
        // A dealer learns nothing of its own rule.
        (Eyes::Told(_), _) if round.mind.desk().rule.is_some() => Vec::new(),
        (Eyes::Told(_), _) => round.rule_rows(),
        (Eyes::Fits, Standing::Fits(_)) => {
            let known = |row: &FactRow| row.verdict != Known::Open;
            let mut rows: Vec<FactRow> = round.card_rows().into_iter().filter(known).collect();
            let rule = Fact::Atom(Atom::RuleKnown(me, Reading::Residual));
            if round.verdict(&rule) == Known::Known {
                rows.insert(0, round.row(&rule, RULE, Known::Known, None));
            }
            rows
        }
        (Eyes::Fits, Standing::Waiting | Standing::Told | Standing::NothingFits) => Vec::new(),
    }
}
