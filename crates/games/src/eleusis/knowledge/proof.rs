//! Why a fact is known: judgements that suffice, none of which can be left out, and what each rule that is out
//! misjudges. A proof is checked against the memory that it is about.

use super::atoms::{Atom, Fact};
use super::common::{Judgement, Said};
use super::{Candidate, Memory, Survey};
use crate::cards::Card;
use crate::eleusis::deck::Deck;
use crate::eleusis::moves::{Sight, What};
use crate::eleusis::secret::Secret;
use crate::eleusis::table::Eleusis;
use crate::eleusis::text;
use crate::eleusis::view::Desk;
use crate::game::{Knowledge, Seat};
use crate::knowledge::{Voice, words};
use std::fmt;
use std::sync::Arc;

/// Why a seat knows a fact.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// Who knows.
    pub seat: Seat,
    /// What.
    pub fact: Fact,
    /// Whether the seat knows the rule itself, and does not need the family.
    pub told: bool,
    /// The mainline.
    pub line: Vec<Card>,
    /// The judgements it follows from, whatever else was judged. None can be left out, but where the fact
    /// says that somebody does not know something: then they are all there are.
    pub premises: Vec<Judgement>,
    /// The places of the rules of the family that fit the premises: the fact is true in all worlds with these.
    pub fits: Vec<usize>,
    /// The places of all others, each with a premise (by its number) that refutes it.
    pub refuted: Vec<(usize, usize)>,
}

/// What is wrong with a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unproved(pub String);

impl fmt::Display for Unproved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unproved {}

/// The proof of a fact that is known.
pub(super) fn prove<G: Eleusis>(mind: &Memory<G>, fact: &Fact) -> Option<Proof> {
    let (line, judgements) = (mind.mainline(), mind.judgements());
    let rules: Vec<Candidate> =
        mind.family.iter().enumerate().map(|(at, rule)| mind.candidate(rule, Some(at))).collect();
    let refuters = |rule: &Candidate| judgements.iter().map(|j| j.refutes(&rule.secret, line)).collect();
    let refutes: Vec<Vec<bool>> = rules.iter().map(refuters).collect();
    let fits = |kept: &[usize], rule: usize| !kept.iter().any(|&j| refutes[rule][j]);
    let suffices = |kept: &[usize]| {
        let fitting = (0..rules.len()).filter(|&rule| fits(kept, rule)).map(|rule| rules[rule].clone()).collect();
        matches!(mind.survey_of(fitting, fact), Ok(Survey { holds: Some(_), fails: None }))
    };
    let mut kept: Vec<usize> = (0..judgements.len()).collect();
    if !suffices(&kept) {
        return None;
    }
    for judgement in (0..judgements.len()).rev().filter(|_| fact.stays()) {
        let fewer: Vec<usize> = kept.iter().copied().filter(|&j| j != judgement).collect();
        if suffices(&fewer) {
            kept = fewer;
        }
    }
    let refuter = |rule: usize| kept.iter().position(|&j| refutes[rule][j]).map(|premise| (rule, premise));
    Some(Proof {
        seat: mind.seat(),
        fact: fact.clone(),
        told: mind.known_rule().is_some(),
        line: line.to_vec(),
        premises: kept.iter().map(|&j| judgements[j].clone()).collect(),
        fits: (0..rules.len()).filter(|&rule| fits(&kept, rule)).collect(),
        refuted: (0..rules.len()).filter_map(refuter).collect(),
    })
}

impl Proof {
    /// Whether it is a proof for the seat with this memory. Every premise must be something that was said, every rule
    /// that is out must be refuted by its premise alone, and the fact must be true in all worlds with the others.
    ///
    /// Premises, refuted rules and facts about cards are judged by direct evaluation of the rules. Facts about hands, and
    /// about who knows the rule, are looked up in the same survey of worlds that the search uses: there the check is not
    /// independent of it.
    pub fn check<G: Eleusis>(&self, game: &G, family: &Arc<[Arc<Secret>]>, memory: &[Sight]) -> Result<(), Unproved> {
        let wrong = |what: String| Err(Unproved(what));
        let mut mind = Memory::within(game, family.clone());
        memory.iter().for_each(|sight| mind.learn(sight));
        if (mind.seat(), mind.mainline()) != (self.seat, &self.line[..]) {
            return wrong("it is about another table".into());
        }
        for premise in &self.premises {
            if !said(game, premise, memory) {
                return wrong(format!("event {} does not say so", premise.event));
            }
        }
        if !self.fact.stays() && self.premises != mind.judgements() {
            return wrong("what somebody does not know needs all that was said".into());
        }
        for place in 0..family.len() {
            let by = self.refuted.iter().find(|&&(rule, _)| rule == place).map(|&(_, premise)| premise);
            let is_out = by.and_then(|by| self.premises.get(by)).map(|p| p.refutes(&family[place], &self.line));
            match (self.fits.contains(&place), is_out) {
                (true, None) | (false, Some(true)) => {}
                (true, Some(_)) | (false, None | Some(false)) => {
                    return wrong(format!("nothing shows whether `{}` fits", family[place].text()));
                }
            }
        }
        if self.plainly(mind.common.dealer, family) == Some(false) {
            return wrong("a rule that fits says otherwise".into());
        }
        let rules = self.fits.iter().map(|&place| mind.candidate(&family[place], Some(place))).collect();
        match mind.survey_of(rules, &self.fact) {
            Ok(Survey { holds: Some(_), fails: None }) => Ok(()),
            Ok(Survey { .. }) | Err(_) => wrong("it does not follow".into()),
        }
    }

    /// Whether the fact is true under every rule that fits, by direct evaluation of the rules on the line alone; `None`
    /// where that does not decide it. It shares nothing with the search that found the proof.
    fn plainly(&self, dealer: Option<Seat>, family: &[Arc<Secret>]) -> Option<bool> {
        let fits: Vec<&Secret> = self.fits.iter().map(|&place| &*family[place]).collect();
        if self.told || fits.is_empty() {
            return None;
        }
        let truths: Option<Vec<bool>> =
            fits.iter().map(|rule| judges(&self.fact, rule, &fits, dealer, &self.line)).collect();
        truths.map(|truths| truths.into_iter().all(|truth| truth))
    }

    /// The proof in sentences: what is known, the judgements, what each rule that is out got wrong, who agrees.
    pub fn words<G: Eleusis>(&self, mind: &Memory<G>) -> Vec<String> {
        let (deck, family) = (mind.game.table().deck(), &mind.family);
        let fact = words(mind, &self.fact, &Voice::default());
        let mut lines = vec![format!("Seat {} knows that {fact}.", self.seat)];
        if self.told {
            lines.push("It knows the rule itself.".into());
        }
        lines.extend(self.premises.iter().map(|premise| premise.words(deck, &self.line)));
        for (number, premise) in self.premises.iter().enumerate() {
            let out = self.refuted.iter().filter(|&&(_, by)| by == number);
            let texts: Vec<String> = out.map(|&(rule, _)| format!("`{}`", family[rule].text())).collect();
            if !texts.is_empty() {
                lines.push(format!("{} refutes {}.", premise.name(deck), texts.join(", ")));
            }
        }
        if !self.told {
            let texts: Vec<String> = self.fits.iter().map(|&rule| format!("`{}`", family[rule].text())).collect();
            lines.push(format!("So it is true under all rules that fit: {}.", texts.join(", ")));
        }
        lines
    }
}

impl Judgement {
    /// What was judged, in short.
    fn name(&self, deck: &Deck) -> String {
        match &self.said {
            Said::Card { card, .. } => deck.write(*card),
            Said::Wrong { .. } => "The wrong guess".into(),
        }
    }

    /// The judgement as a sentence.
    pub fn words(&self, deck: &Deck, mainline: &[Card]) -> String {
        let line = text::list(deck, &mainline[..self.line]);
        match &self.said {
            Said::Card { card, accepted } => {
                let how = if *accepted { "accepted" } else { "refused" };
                format!("{} was {how} after {line}.", deck.write(*card))
            }
            Said::Wrong { guess, .. } => format!("`{}` was a wrong guess after {line}.", guess.text()),
        }
    }
}

/// Whether a fact about cards is true where this is the rule and these fit, by direct evaluation; `None` for other facts.
fn judges(fact: &Fact, rule: &Secret, fits: &[&Secret], dealer: Option<Seat>, line: &[Card]) -> Option<bool> {
    let truth = |fact: &Fact| judges(fact, rule, fits, dealer, line);
    let truths = |facts: &[Fact]| facts.iter().map(truth).collect::<Option<Vec<bool>>>();
    let under_all = |fact: &Fact| {
        let truths: Option<Vec<bool>> = fits.iter().map(|rule| judges(fact, rule, fits, dealer, line)).collect();
        truths.map(|truths| truths.into_iter().all(|truth| truth))
    };
    match fact {
        Fact::Const(value) => Some(*value),
        Fact::Atom(Atom::Accepts(card)) => Some(rule.rule().accepts(line, *card)),
        Fact::Not(fact) => truth(fact).map(|truth| !truth),
        Fact::All(facts) => Some(truths(facts)?.into_iter().all(|truth| truth)),
        Fact::Any(facts) => Some(truths(facts)?.into_iter().any(|truth| truth)),
        Fact::Count(cmp, n, facts) => {
            Some(cmp.admits((truths(facts)?.into_iter().filter(|truth| *truth).count() as u64).cmp(n)))
        }
        Fact::Iff(a, b) => Some(truth(a)? == truth(b)?),
        Fact::Knows(seats, fact) if dealer.is_some_and(|dealer| seats.has(dealer)) => truth(fact),
        Fact::Common(seats, fact) if dealer.is_some_and(|dealer| seats.single() == Some(dealer)) => truth(fact),
        Fact::Knows(_, fact) | Fact::Common(_, fact) => under_all(fact),
        Fact::Atom(Atom::Rule(_) | Atom::RuleKnown(..) | Atom::Holds(..) | Atom::CanPlay(_) | Atom::SurePlay(_))
        | Fact::After(..) => None,
    }
}

/// Whether the judgement was made in the round on the table, told from the memory and the layout alone.
fn said<G: Eleusis>(game: &G, judgement: &Judgement, memory: &[Sight]) -> bool {
    let round = memory.iter().rposition(|sight| matches!(sight.what, What::Dealt { .. }));
    if round.is_none_or(|round| judgement.event <= round) || judgement.event >= memory.len() {
        return false;
    }
    let mut desk = Desk::new(game, Seat(0));
    memory[..judgement.event].iter().for_each(|sight| desk.watch(game, sight));
    let layout = desk.stage.layout();
    let what = match (&judgement.said, &memory[judgement.event].what) {
        (Said::Card { card, accepted }, What::Played { card: played, accepted: so, .. }) => {
            (card, accepted) == (played, so)
        }
        (Said::Card { card, accepted: true }, What::NoPlay { laid, .. }) => *laid == Some(*card),
        (Said::Card { card, accepted: false }, What::NoPlay { hand, laid, .. }) => {
            hand.contains(card) && laid.is_none_or(|laid| *card < laid)
        }
        (Said::Wrong { guess, there }, What::Guessed { rule, right: false, .. }) => {
            let same = game.table().menu().secret(rule).is_ok_and(|read| read == *guess);
            same && guess.follow(layout).ok() == *there
        }
        _ => false,
    };
    what && layout.mainline().len() == judgement.line
}
