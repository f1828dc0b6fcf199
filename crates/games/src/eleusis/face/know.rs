//! Who knows what of the rule, since when, and why.

use super::board::{Fit, difficulty, fits};
use super::mind;
use crate::cards::{Card, CardSet};
use crate::eleusis::automaton::separate;
use crate::eleusis::knowledge::{Atom, Fact, Judgement, Memory, Standing, Unproved, World};
use crate::eleusis::moves::{Cards, Sight, What};
use crate::eleusis::properties::Reading;
use crate::eleusis::secret::{Secret, Unfit};
use crate::eleusis::table::{Eleusis, Phase};
use crate::eleusis::{Classic, Express, library, text};
use crate::game::{Knowledge, Seat, Verdict};
use crate::knowledge::{self, Budget, Inspected, Language, Part, Proved, Remembers, Row};
use crate::table::page::{Known, Problem, Sentence, Why, WorldInfo, WorldPart};
use ken_logic::syntax::Diagnostic;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// How many rules are listed.
const RULES: usize = 40;

const HANDS: &str = "the cards";
const OWN: &str = "your hand";
const RULE: &str = "the rule";
const SEATS: &str = "the seats";

impl Remembers for Express {
    type Mind = Memory<Express>;

    fn mind(&self, memory: &[Sight]) -> Memory<Express> {
        mind(self, memory)
    }
}

impl Remembers for Classic {
    type Mind = Memory<Classic>;

    fn mind(&self, memory: &[Sight]) -> Memory<Classic> {
        mind(self, memory)
    }
}

/// What the last of a chain goes by.
enum Eyes {
    /// There is no rule yet.
    Waiting,
    /// The rule itself: these are accepted.
    Told(CardSet),
    /// The rules that fit; perhaps none does.
    Fits,
}

impl<G: Eleusis> Inspected for Memory<G> {
    const COUNTS: bool = false;

    fn rows(&mut self, chain: &[Seat]) -> Vec<Row<Atom>> {
        let eyes = self.eyes(&chain[..1]);
        if let Eyes::Waiting = eyes {
            return Vec::new();
        }
        let mut rows = self.rule_rows(&eyes);
        rows.extend(self.card_rows(&eyes));
        rows.extend(Seat::all(self.seats()).map(|seat| {
            let fact = Fact::Atom(Atom::RuleKnown(seat, Reading::Residual));
            let verdict = self.verdict(&fact);
            Row::new(fact, SEATS).own(verdict, None)
        }));
        rows
    }

    fn learned(&mut self) -> Vec<Row<Atom>> {
        let me = self.seat();
        let eyes = self.eyes(&[me]);
        match (&eyes, self.standing()) {
            (Eyes::Waiting, _) => Vec::new(),
            // A dealer learns nothing of its own rule.
            (Eyes::Told(_), _) if self.desk().rule.is_some() => Vec::new(),
            (Eyes::Told(_), _) => self.rule_rows(&eyes),
            (Eyes::Fits, Standing::Fits(_)) => {
                let fact = Fact::Atom(Atom::RuleKnown(me, Reading::Residual));
                let known = self.verdict(&fact) == Verdict::Yes;
                let rule = known.then(|| Row::new(fact, RULE).own(Verdict::Yes, None));
                let decided = |row: &Row<Atom>| matches!(row.own, Some((Verdict::Yes | Verdict::No, _)));
                rule.into_iter().chain(self.card_rows(&eyes).into_iter().filter(decided)).collect()
            }
            (Eyes::Fits, Standing::Waiting | Standing::Told | Standing::NothingFits) => Vec::new(),
        }
    }

    fn note(&mut self, chain: &[Seat]) -> Option<String> {
        let of = self.family().len();
        Some(match (self.eyes(chain), self.fitting().count()) {
            (Eyes::Waiting, _) => "There is no rule yet.".to_string(),
            (Eyes::Told(_), _) if chain.len() == 1 && self.is_told() => {
                "You know the rule itself, and so does everybody: the round is over.".to_string()
            }
            (Eyes::Told(_), n) if chain.len() == 1 => {
                let (called, fit) = (self.called(), fits_of(n));
                format!("You know the rule itself; the others take it for one of the {of} of {called}, of which {fit}.")
            }
            (Eyes::Told(_), _) => "They know the rule itself.".to_string(),
            (Eyes::Fits, 0) => {
                let called = self.called();
                format!(
                    "None of the {of} rules of {called} fits any more: the rule is another one, and nothing is claimed."
                )
            }
            (Eyes::Fits, n) => {
                let nested = match chain.len() {
                    1 => "",
                    _ => {
                        " Every judgement is public: all players know the same of the rule, and know that of each \
                         other; the dealer knows the rule itself."
                    }
                };
                let (called, fit) = (self.called(), fits_of(n));
                format!("As certain as that the rule is one of the {of} of {called}; {fit}.{nested}")
            }
        })
    }

    fn parts(&self, world: &World) -> Vec<Part> {
        let rule = Part::new(RULE, world.rule.text().to_string());
        let hands = Seat::all(self.seats()).zip(&world.hands).filter_map(|(seat, cards)| match cards {
            Cards::Seen(seen) if !seen.is_empty() => {
                Some(Part::new(format!("seat {seat}"), text::list(self.deck(), seen)))
            }
            Cards::Seen(_) | Cards::Hidden(_) => None,
        });
        std::iter::once(rule).chain(hands).collect()
    }

    fn prove(&mut self, fact: &Fact, _: &Budget) -> Result<Proved, String> {
        match self.proved(fact) {
            Ok(proof) => Ok(Proved::of(&proof, self)),
            Err(Unproved::Long(lines)) => Err(format!(
                "It was decided over all rules and hands that fit; the proof has {lines} sentences, too many to show."
            )),
            Err(Unproved::NotFound) => {
                Err("It was decided over all rules and hands that fit, but no short proof was found.".to_string())
            }
        }
    }

    fn clash(&self) -> Problem {
        match self.standing() {
            Standing::Waiting => Problem::new("no-rule", "there is no rule yet"),
            Standing::Told | Standing::Fits(_) | Standing::NothingFits => {
                let (of, called) = (self.family().len(), self.called());
                let message = format!("none of the {of} rules of {called} fits what was judged: nothing is claimed");
                Problem::new("nothing-fits", message)
            }
        }
    }

    fn relative(&mut self) -> Map<String, Value> {
        let (of, fit) = (self.family().len(), self.fitting().count());
        Map::from_iter([("family".to_string(), json!({"name": self.called(), "rules": of, "fit": fit}))])
    }

    fn read(&self, text: &str) -> Result<Fact, Vec<Diagnostic>> {
        let text = text.trim();
        if let Some(card) = self.deck().read(text) {
            return Ok(Fact::accepts(card));
        }
        let named = library::find(text).map_or(text, |entry| entry.text);
        knowledge::read(self, text).or_else(|problems| self.fact("rule", &[named]).map_err(|_| problems))
    }

    fn related(&self, a: &Atom, b: &Atom) -> bool {
        let card = |atom: &Atom| match atom {
            Atom::Accepts(card) | Atom::Holds(_, card) => Some(*card),
            Atom::Rule(_) | Atom::RuleKnown(..) | Atom::CanPlay(_) | Atom::SurePlay(_) => None,
        };
        a == b || card(a).is_some() && card(a) == card(b)
    }

    fn changes(&self, _: &Fact) -> bool {
        // Another round has another rule.
        true
    }

    fn is_same_at(&self, earlier: &Memory<G>, fact: &Fact) -> bool {
        !fact.about_next() || self.has_line_of(earlier)
    }

    fn aside(&mut self, chain: &[Seat], text: &str) -> Option<Why> {
        let text = text.trim();
        let inside = text.strip_prefix("rule(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(text);
        let rule = self.game().table().menu().secret(inside.trim()).ok()?;
        Some(self.foreign(chain, &rule))
    }

    fn shortcut(&self, chain: &[Seat], fact: &Fact) -> Option<Verdict> {
        match (fact, self.eyes(chain)) {
            (Fact::Atom(Atom::Accepts(card)), eyes) => Some(self.accepts(&eyes, *card).0),
            (Fact::Atom(Atom::Rule(place)), Eyes::Fits) => self.rule_verdict(*place),
            _ => None,
        }
    }

    fn chance(&mut self, fact: &Fact) -> Option<f64> {
        match fact {
            Fact::Atom(Atom::Accepts(card)) => self.accepts(&self.eyes(&[self.seat()]), *card).1,
            _ => None,
        }
    }

    fn bits(&mut self) -> Option<f64> {
        match self.standing() {
            Standing::Waiting => Some((self.family().len() as f64).log2()),
            Standing::Told => Some(0.0),
            Standing::Fits(n) => Some((n as f64).log2()),
            Standing::NothingFits => None,
        }
    }

    fn amount(&mut self) -> Option<String> {
        match self.standing() {
            Standing::Waiting => None,
            Standing::Told => Some("1".to_string()),
            Standing::Fits(n) => Some(n.to_string()),
            Standing::NothingFits => Some("0".to_string()),
        }
    }
}

/// `1 fits` or `3 fit`.
fn fits_of(rules: usize) -> String {
    if rules == 1 { "1 fits".to_string() } else { format!("{rules} fit") }
}

impl<G: Eleusis> Memory<G> {
    /// What the last of the chain goes by, as far as the first knows.
    fn eyes(&self, chain: &[Seat]) -> Eyes {
        let over = matches!(self.desk().stage.phase(), Phase::Rule(_) | Phase::Over);
        let dealer = self.game().table().dealer(self.desk().stage.round());
        let told = over || chain.iter().all(|&seat| seat == dealer);
        match (self.standing(), self.sure()) {
            (Standing::Waiting, _) => Eyes::Waiting,
            (Standing::Told, Some(sure)) if told => Eyes::Told(sure.accepted),
            (Standing::Told | Standing::Fits(_) | Standing::NothingFits, _) => Eyes::Fits,
        }
    }

    /// Whether the rule is known to be one of the family, without a visit to all worlds: all players know the same of it.
    fn rule_verdict(&self, place: usize) -> Option<Verdict> {
        let starter = *self.desk().stage.layout().mainline().first()?;
        let fits = fits(self);
        let Some(rule) = fits.iter().find(|fit| fit.place == place) else {
            return self.refuted(place).map(|_| Verdict::No);
        };
        let from = |fit: &Fit| fit.rule.after(starter);
        let same = |fit: &Fit| {
            fit.place == place
                || separate((rule.rule.automaton(), from(rule)), (fit.rule.automaton(), from(fit))).is_none()
        };
        Some(if fits.iter().all(same) { Verdict::Yes } else { Verdict::Open })
    }

    /// What is known of a card by those eyes, and how many of the rules that fit accept it.
    fn accepts(&self, eyes: &Eyes, card: Card) -> (Verdict, Option<f64>) {
        let fits = fits(self);
        let (accept, of) = match eyes {
            Eyes::Waiting => (0, 0),
            Eyes::Told(accepted) => (usize::from(accepted.has(card)), 1),
            Eyes::Fits => (fits.iter().filter(|fit| fit.accepted.has(card)).count(), fits.len()),
        };
        let verdict = match accept {
            _ if of == 0 => Verdict::Open,
            0 => Verdict::No,
            n if n == of => Verdict::Yes,
            _ => Verdict::Open,
        };
        (verdict, (of > 0).then(|| accept as f64 / of as f64))
    }

    fn card_rows(&self, eyes: &Eyes) -> Vec<Row<Atom>> {
        let hand: CardSet = self.desk().hand().iter().copied().collect();
        let hand = if matches!(self.desk().stage.phase(), Phase::Rule(_)) { CardSet::EMPTY } else { hand };
        let row = |card: Card| {
            let (verdict, share) = self.accepts(eyes, card);
            let group = if hand.has(card) { OWN } else { HANDS };
            Row::new(Fact::accepts(card), group).own(verdict, share)
        };
        hand.iter().chain(self.deck().all().minus(hand).iter()).map(row).collect()
    }

    fn rule_rows(&self, eyes: &Eyes) -> Vec<Row<Atom>> {
        if let Eyes::Told(_) = eyes {
            let place =
                |rule: &Arc<Secret>| self.family().iter().position(|other| other.automaton() == rule.automaton());
            let told = self
                .known_rule()
                .cloned()
                .and_then(|rule| Some(Row::new(Fact::rule(place(&rule)?), RULE).own(Verdict::Yes, Some(1.0))));
            return told.into_iter().collect();
        }
        let mut fitting = fits(self);
        fitting.sort_by_key(|fit| difficulty(&fit.rule));
        let share = 1.0 / fitting.len().max(1) as f64;
        let fit = |fit: &Fit| {
            let verdict = self.rule_verdict(fit.place).unwrap_or(Verdict::Open);
            Row::new(Fact::rule(fit.place), RULE).own(verdict, Some(share))
        };
        let mut rows: Vec<Row<Atom>> = fitting.iter().take(RULES).map(fit).collect();
        let out = |place: &usize| !fitting.iter().any(|fit| fit.place == *place);
        let left = RULES - rows.len();
        let excluded = (0..self.family().len()).filter(out).take(left);
        rows.extend(excluded.map(|place| Row::new(Fact::rule(place), RULE).own(Verdict::No, Some(0.0))));
        rows
    }

    /// The first judgement that a rule does not fit.
    fn refuter(&self, rule: &Secret) -> Option<&Judgement> {
        let line = self.desk().stage.layout().mainline();
        self.judgements().iter().find(|judgement| judgement.refutes(rule, line))
    }

    /// Whether the rule is this one, which is none of the library, and why.
    fn foreign(&self, chain: &[Seat], rule: &Arc<Secret>) -> Why {
        let eyes = self.eyes(chain);
        let same = self.known_rule().cloned().is_some_and(|told| told.automaton() == rule.automaton());
        let verdict = match (&eyes, self.refuter(rule)) {
            (Eyes::Waiting, _) | (Eyes::Fits, None) => Known::Open,
            (Eyes::Told(_), _) if same => Known::Known,
            (Eyes::Told(_), _) | (Eyes::Fits, Some(_)) => Known::Excluded,
        };
        let (mut since, mut worlds) = (None, Vec::new());
        let (proof, unproved) = self.of_foreign(chain, rule, verdict);
        match (verdict, self.refuter(rule)) {
            (Known::Excluded, Some(judgement)) if matches!(eyes, Eyes::Fits) => since = Some(judgement.event),
            (Known::Open, _) => {
                let world = |holds: bool, rule: &Secret| WorldInfo {
                    holds,
                    parts: vec![WorldPart { name: RULE.to_string(), value: rule.text().to_string(), differs: true }],
                };
                let other = fits(self).into_iter().find(|fit| fit.rule.automaton() != rule.automaton());
                worlds = other.map_or(Vec::new(), |fit| vec![world(true, rule), world(false, &fit.rule)]);
            }
            (Known::Known | Known::Excluded, _) => since = self.told_since(chain, rule),
        }
        Why {
            fact: format!("rule({})", rule.text()),
            words: format!("the rule is `{}`, which is none of the library", rule.text()),
            verdict,
            since,
            since_words: since.map(|event| text::tell(self.game().table(), &self.sights()[event])),
            proof,
            unproved,
            worlds,
        }
    }

    /// The proof that the rule is this one or is not, or what there is to say instead.
    fn of_foreign(&self, chain: &[Seat], rule: &Arc<Secret>, verdict: Known) -> (Vec<Sentence>, Option<String>) {
        let mind = self.with_rule(rule);
        let it = Fact::rule(mind.family().len() - 1);
        let fact = match verdict {
            Known::Known => it,
            Known::Excluded => it.negated(),
            Known::Open => return (Vec::new(), None),
        };
        match mind.proved(&fact.known_along(&chain[1..])) {
            Ok(proof) => (proof.sentences(&mind), None),
            Err(_) => {
                let line = self.desk().stage.layout().mainline();
                let said = self.refuter(rule).map(|judgement| {
                    let (said, contrary) = (judgement.words(self.deck(), line), judgement.contrary(self.deck(), rule));
                    format!("{said}, and {contrary}.")
                });
                (Vec::new(), said)
            }
        }
    }

    /// The event since which the chain, which was told the rule, knows whether it is this one.
    fn told_since(&self, chain: &[Seat], rule: &Secret) -> Option<usize> {
        let dealt = |sight: &Sight| match sight.what {
            What::Dealt { dealer, .. } => Some(dealer),
            What::Begun { .. }
            | What::Played { .. }
            | What::NoPlay { .. }
            | What::Discarded { .. }
            | What::Guessed { .. }
            | What::Passed { .. } => None,
        };
        let (deal, dealer) = self.sights().iter().enumerate().rev().find_map(|(at, s)| Some((at, dealt(s)?)))?;
        match self.refuter(rule) {
            _ if chain.iter().all(|&seat| seat == dealer) => Some(deal),
            Some(judgement) => Some(judgement.event),
            None => self.sights().iter().rposition(|sight| sight.end.is_some()),
        }
    }
}

/// What is wrong with the text of a rule.
pub(super) fn problem(text: &str, unfit: Unfit) -> Problem {
    match unfit {
        Unfit::Unread(problems) => Problem::text(text, &problems),
        Unfit::Unbounded(why) => Problem::new("unread", why),
    }
}
