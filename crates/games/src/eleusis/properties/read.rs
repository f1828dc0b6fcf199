//! Instances in JSON, one or a file of them.
//!
//! All problems of a file are found at once, each with its place.

use super::{Candidate, Instance, MAX_RULES, Mode, Observation, Person, Protocol, Reading};
use crate::cards::{Card, CardSet};
use crate::eleusis::deck::Deck;
use crate::eleusis::notation::read_rule;
use crate::eleusis::rule::Rule;
use ken_logic::syntax::{Code, Diagnostic, Json, JsonKind, Span, json_with_places, nearest};

type Members = [(String, Span, Json)];

const KEYS: &[&str] = &[
    "id",
    "about",
    "family",
    "rules",
    "deck",
    "starter",
    "mode",
    "hands",
    "first_turn",
    "observation",
    "protocol",
    "knowledge",
    "move_bound",
    "result",
];

/// Reads an instance, or a file with `"instances"` and the texts of their rules in `"rules"`.
///
/// `rules` of an instance are a map from names to texts, or a list: of names of the file's map, of names of library
/// rules, or of texts. Without `rules` they are the `family`, which may also be a map for a list of names. Left out are `deck` (the standard one), `mode` (`unlimited`, or `decks` if there are hands),
/// `first_turn` (`A`), `observation` (`public`), `protocol` (`any`), `knowledge` (`residual`) and `move_bound` (none).
pub fn instances(text: &str) -> Result<Vec<Instance>, Vec<Diagnostic>> {
    let json = json_with_places(text).map_err(|problem| vec![*problem])?;
    let mut reader = Reader { text, problems: Vec::new() };
    let found = reader.file(&json);
    match found {
        Some(found) if reader.problems.is_empty() => Ok(found),
        _ => Err(reader.problems),
    }
}

struct Reader<'t> {
    text: &'t str,
    problems: Vec<Diagnostic>,
}

fn find<'j>(members: &'j Members, key: &str) -> Option<&'j Json> {
    members
        .iter()
        .find(|(k, _, _)| k == key)
        .map(|(_, _, json)| json)
        .filter(|json| !matches!(json.kind, JsonKind::Null))
}

impl Reader<'_> {
    fn report(&mut self, code: Code, span: Span, message: impl Into<String>, label: &str, help: Option<String>) {
        let mut problem = Diagnostic::new(code, span, message).label(label);
        problem.help = help;
        self.problems.push(problem);
    }

    fn shape(&mut self, span: Span, wanted: &str) {
        self.report(Code::Shape, span, format!("expected {wanted}"), "not this", None);
    }

    fn members<'j>(&mut self, json: &'j Json, wanted: &str) -> Option<&'j Members> {
        match &json.kind {
            JsonKind::Object(members) => Some(members),
            _ => {
                self.shape(json.span, wanted);
                None
            }
        }
    }

    fn list<'j>(&mut self, json: &'j Json, wanted: &str) -> Option<&'j [Json]> {
        match &json.kind {
            JsonKind::List(items) => Some(items),
            _ => {
                self.shape(json.span, wanted);
                None
            }
        }
    }

    fn words<'j>(&mut self, json: &'j Json, wanted: &str) -> Option<&'j str> {
        match &json.kind {
            JsonKind::Text(text) => Some(text),
            _ => {
                self.shape(json.span, wanted);
                None
            }
        }
    }

    fn need<'j>(&mut self, members: &'j Members, key: &str, span: Span, help: &str) -> Option<&'j Json> {
        let found = find(members, key);
        if found.is_none() {
            self.report(Code::Missing, span, format!("`{key}` is missing"), "needed here", Some(help.to_string()));
        }
        found
    }

    fn file(&mut self, json: &Json) -> Option<Vec<Instance>> {
        let members = self.members(json, "an instance, or an object with \"instances\"")?;
        let Some(list) = find(members, "instances") else { return Some(vec![self.instance(json, None)?]) };
        let rules = match find(members, "rules") {
            Some(rules) => Some(self.members(rules, "the texts of the rules by their names")?),
            None => None,
        };
        let list = self.list(list, "a list of instances")?;
        // One bad instance must not hide the problems of the next.
        let read: Vec<Option<Instance>> = list.iter().map(|item| self.instance(item, rules)).collect();
        read.into_iter().collect()
    }

    fn instance(&mut self, json: &Json, named: Option<&Members>) -> Option<Instance> {
        let members = self.members(json, "an instance: an object with \"rules\" and \"starter\"")?;
        for (key, span, _) in members {
            if !KEYS.contains(&key.as_str()) {
                let near = nearest(key, KEYS.iter().copied()).map(|near| format!("did you mean `{near}`?"));
                self.report(Code::Shape, *span, format!("unknown key `{key}`"), "not part of an instance", near);
            }
        }
        let start = Span { end: json.span.start + 1, ..json.span };
        let deck = find(members, "deck").map_or(Some(Deck::STANDARD), |deck| self.deck(deck));
        let family = find(members, "family").filter(|family| !matches!(family.kind, JsonKind::Text(_)));
        let named = match family.map(|family| &family.kind) {
            Some(JsonKind::Object(family)) => Some(family.as_slice()),
            _ => named,
        };
        let help = "the candidates: a list of rule texts, or a map from names to texts";
        let rules = find(members, "rules").or(family).or_else(|| self.need(members, "rules", start, help));
        let rules = rules.zip(deck.as_ref()).and_then(|(rules, deck)| self.rules(rules, named, deck));
        let starter = self.need(members, "starter", start, "the first card of the line");
        let starter = starter.zip(deck.as_ref()).and_then(|(card, deck)| self.card(card, deck));
        let mode = self.mode(members, deck.as_ref(), starter, start);
        let first = self.choice(members, "first_turn", &Person::ALL, Person::name, Person::A);
        let observation = self.choice(members, "observation", Observation::ALL, Observation::name, Observation::Public);
        let protocol = self.choice(members, "protocol", Protocol::ALL, Protocol::name, Protocol::Any);
        let reading = self.choice(members, "knowledge", Reading::ALL, Reading::name, Reading::Residual);
        let bound = match find(members, "move_bound") {
            None => Some(None),
            Some(json) => self.bound(json).map(Some),
        };
        let id = find(members, "id").and_then(|id| self.words(id, "a name")).map(str::to_string);
        Some(Instance {
            id,
            rules: rules?,
            deck: deck?,
            starter: starter?,
            mode: mode?,
            first: first?,
            observation: observation?,
            protocol: protocol?,
            reading: reading?,
            bound: bound?,
        })
    }

    fn choice<T: Copy>(
        &mut self,
        members: &Members,
        key: &str,
        all: &[T],
        name: impl Fn(T) -> &'static str,
        usual: T,
    ) -> Option<T> {
        let Some(json) = find(members, key) else { return Some(usual) };
        let names: Vec<&str> = all.iter().map(|&one| name(one)).collect();
        let listed = names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
        let text = self.words(json, &format!("one of {listed}"))?;
        let found = all.iter().copied().find(|&one| name(one) == text);
        if found.is_none() {
            let near = nearest(text, names.iter().copied()).map(|near| format!("did you mean `{near}`?"));
            let help = near.unwrap_or_else(|| format!("one of {listed}"));
            self.report(Code::UnknownName, json.span, format!("unknown {key} `{text}`"), "not one of them", Some(help));
        }
        found
    }

    fn bound(&mut self, json: &Json) -> Option<u32> {
        match json.kind {
            JsonKind::Number(n) if n.fract() == 0.0 && (0.0..=1e6).contains(&n) => Some(n as u32),
            _ => {
                self.shape(json.span, "a number of moves, at most 1000000, or null");
                None
            }
        }
    }

    /// `standard`, or two suits with values from 1 on: `suits R,B x values 1..3`.
    fn deck(&mut self, json: &Json) -> Option<Deck> {
        const HELP: &str = "`standard`, or `suits R,B x values 1..3`";
        let text = self.words(json, &format!("a deck: {HELP}"))?;
        let plain: String = text.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
        let found = match plain.as_str() {
            "standard" | "52" => Some(Deck::STANDARD),
            other => other
                .strip_prefix("suitsr,bxvalues1..")
                .and_then(|values| values.parse().ok())
                .and_then(Deck::two_suits),
        };
        if found.is_none() {
            self.report(Code::Shape, json.span, format!("unknown deck `{text}`"), "not a deck", Some(HELP.to_string()));
        }
        found
    }

    fn card(&mut self, json: &Json, deck: &Deck) -> Option<Card> {
        let text = self.words(json, "a card")?;
        let found = deck.read(text);
        if found.is_none() {
            let some: Vec<String> = deck.all().iter().take(3).map(|c| deck.write(c)).collect();
            let help = format!("its cards are written {}, …", some.join(", "));
            self.report(Code::UnknownName, json.span, format!("no card `{text}`"), "not in the deck", Some(help));
        }
        found
    }

    fn mode(&mut self, members: &Members, deck: Option<&Deck>, starter: Option<Card>, start: Span) -> Option<Mode> {
        let hands = find(members, "hands");
        let usual = if hands.is_some() { "decks" } else { "unlimited" };
        match self.choice(members, "mode", &["unlimited", "decks"], |mode| mode, usual)? {
            "unlimited" => {
                if let Some(hands) = hands {
                    let help = Some("leave `hands` out, or write `\"mode\": \"decks\"`".to_string());
                    self.report(Code::Shape, hands.span, "with unlimited stock there are no hands", "not used", help);
                }
                Some(Mode::Unlimited)
            }
            _ => {
                let help = "the cards of both players: {\"A\": [..], \"B\": [..]}";
                let hands = self.need(members, "hands", start, help)?;
                let both = self.members(hands, help)?;
                for (name, span, _) in both {
                    if !Person::ALL.iter().any(|who| who.name() == name) {
                        let message = format!("a hand of `{name}`: the model has two players");
                        self.report(Code::Shape, *span, message, "not a player", Some(help.to_string()));
                    }
                }
                let mut used = starter.map_or(CardSet::EMPTY, CardSet::of);
                let mut read = [None; 2];
                for who in Person::ALL {
                    let hand = self.need(both, who.name(), hands.span, "a list of cards");
                    read[who.index()] = hand.zip(deck).and_then(|(hand, deck)| self.hand(hand, deck, &mut used));
                }
                let [Some(a), Some(b)] = read else { return None };
                Some(Mode::Decks([a, b]))
            }
        }
    }

    fn hand(&mut self, json: &Json, deck: &Deck, used: &mut CardSet) -> Option<CardSet> {
        let mut hand = Some(CardSet::EMPTY);
        for item in self.list(json, "a list of cards")? {
            let card = self.card(item, deck);
            if let Some(card) = card.filter(|&card| used.has(card)) {
                let message = format!("the card `{}` is there twice", deck.write(card));
                self.report(Code::Duplicate, item.span, message, "it lies on the line or is in a hand already", None);
            }
            hand = hand.zip(card).map(|(hand, card)| hand.with(card));
            *used = card.map_or(*used, |card| used.with(card));
        }
        hand
    }

    fn rules(&mut self, json: &Json, named: Option<&Members>, deck: &Deck) -> Option<Vec<Candidate>> {
        let mut found: Vec<Option<Candidate>> = Vec::new();
        match &json.kind {
            JsonKind::Object(members) => {
                for (name, _, text) in members {
                    found.push(self.candidate(name, text, deck));
                }
            }
            JsonKind::List(items) => {
                for item in items {
                    let Some(name) = self.words(item, "the name of a rule, or its text") else {
                        found.push(None);
                        continue;
                    };
                    let text = named.and_then(|named| find(named, name)).unwrap_or(item);
                    found.push(self.candidate(name, text, deck));
                }
            }
            _ => self.shape(json.span, "a list of rule texts, or a map from names to texts"),
        }
        if !(1..=MAX_RULES).contains(&found.len()) && matches!(json.kind, JsonKind::Object(_) | JsonKind::List(_)) {
            let message = format!("{} candidates", found.len());
            let help = Some(format!("a family has 1 to {MAX_RULES} candidates"));
            self.report(Code::Number, json.span, message, "this family", help);
            return None;
        }
        let found: Vec<Candidate> = found.into_iter().collect::<Option<_>>()?;
        for (k, candidate) in found.iter().enumerate() {
            if found[..k].iter().any(|earlier| earlier.name == candidate.name) {
                let message = format!("the rule `{}` is there twice", candidate.name);
                self.report(Code::Duplicate, json.span, message, "in this family", None);
            }
        }
        Some(found)
    }

    fn candidate(&mut self, name: &str, json: &Json, deck: &Deck) -> Option<Candidate> {
        let rule = self.rule(json, deck)?;
        match Candidate::new(name, rule) {
            Ok(candidate) => Some(candidate),
            Err(why) => {
                self.report(Code::Large, json.span, why.to_string(), "no finite memory judges by this rule", None);
                None
            }
        }
    }

    /// A rule text or the name of a library rule, with its problems at their places in the file.
    fn rule(&mut self, json: &Json, deck: &Deck) -> Option<Rule> {
        let text = self.words(json, "a rule text")?;
        match read_rule(text, deck) {
            Ok(rule) => Some(rule),
            Err(problems) => {
                let (from, to) = (json.span.start as usize + 1, json.span.end as usize);
                // Where the text stands in the file as it is, without escapes, places shift; else all of it is marked.
                let plain = self.text.get(from..to.saturating_sub(1)) == Some(text);
                for mut problem in problems {
                    problem.span = match plain {
                        true => Span::new(problem.span.start as usize + from, problem.span.end as usize + from),
                        false => json.span,
                    };
                    self.problems.push(problem);
                }
                None
            }
        }
    }
}
