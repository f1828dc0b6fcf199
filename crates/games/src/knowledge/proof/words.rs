//! Proofs as numbered sentences, and as data.

use super::lines::HIDDEN;
use super::{Case, Eyes, FactOf, Line, LineOf, NOW, ProofOf, Rules, Step};
use crate::knowledge::{Fact, Seats, Voice, words, write};
use crate::table::page::Sentence;
use ken_logic::text::listed;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

/// How a game says the steps of its proofs. Everything else about sentences is the same for all games.
pub trait Telling: Rules + Sized {
    /// Who is called *you*.
    fn voice(&self) -> Voice {
        Voice::default()
    }

    /// Several facts as one sentence, without a full stop and beginning as in the middle of one.
    fn tell(&self, facts: &[FactOf<Self>]) -> String {
        facts.iter().map(|fact| words(self, fact, &self.voice())).collect::<Vec<_>>().join("; ")
    }

    /// What these premises are that say these facts: `event 3: it passed on plum and rope`.
    fn premises(&self, premises: &[Self::Premise], facts: &[FactOf<Self>]) -> String;

    /// How it is said that somebody sees something by the premise: `it looked at card 3`.
    fn sight(&self, premise: &Self::Premise) -> String {
        self.premises(std::slice::from_ref(premise), &[])
    }

    /// Why the rule leads to these facts; `by` are the lines that it starts from, as in `1 and 3`, or nothing.
    fn reason(&self, rule: &Self::Rule, by: &str, facts: &[FactOf<Self>]) -> String;

    /// Why there are no other cases: `seat 2 showed plum or rope in event 3`.
    fn split(&self, rule: &Self::Rule) -> String;

    /// What the change is that the seats do not see: `cards 3 and 4 exchanged`.
    fn change(&self, rule: &Self::Rule) -> String;

    /// What somebody said not to know, and would have known: `seat 1 did not know the envelope in event 5`.
    fn denied(&self, premise: &Self::Premise) -> String;

    /// The rule's name in data.
    fn name(&self, rule: &Self::Rule) -> &'static str;

    /// The event that a rule rests on.
    fn event(&self, rule: &Self::Rule) -> Option<usize>;

    /// The number of an event as it is said.
    fn event_number(&self, event: usize) -> usize {
        event + 1
    }

    /// A premise as data, beside its words and its event.
    fn premise_data(&self, premise: &Self::Premise) -> Value;
}

const WIDTH: usize = 80;

/// The sentences in lines of at most 80 columns.
pub fn paragraphs(sentences: &[Sentence]) -> String {
    let mut out = String::new();
    sentences.iter().for_each(|sentence| paragraph(&mut out, 2 * sentence.depth, &sentence.text));
    out
}

/// Adds a text in lines of at most [`WIDTH`] columns, the first indented by `indent` and the others by three more.
fn paragraph(out: &mut String, indent: usize, text: &str) {
    // Deep inside many cases the indentation stops growing, so that words still fit.
    let indent = indent.min(WIDTH / 2);
    let mut column = indent;
    out.push_str(&" ".repeat(indent));
    for (i, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if i > 0 && column + 1 + length > WIDTH {
            out.push('\n');
            out.push_str(&" ".repeat(indent + 3));
            column = indent + 3;
        } else if i > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
}

impl<A, P, R> super::Proof<A, P, R> {
    /// The proof as sentences, one numbered line or more for each.
    pub fn words<G: Telling<Atom = A, Premise = P, Rule = R>>(&self, game: &G) -> String {
        paragraphs(&self.sentences(game))
    }

    /// The sentences one by one, for pages that lay them out themselves.
    pub fn sentences<G: Telling<Atom = A, Premise = P, Rule = R>>(&self, game: &G) -> Vec<Sentence> {
        let mut out = Vec::new();
        let words = Words::of(game, self);
        self.lines.iter().for_each(|line| words.line(line, 0, &mut out));
        if self.lines.is_empty() {
            out.push(Sentence { depth: 0, text: "It is always true.".to_string(), event: None });
        }
        out
    }

    /// The proof as data: goal, premises and lines, each with its sentence.
    pub fn data<G: Telling<Atom = A, Premise = P, Rule = R>>(&self, game: &G) -> Value {
        data(game, self)
    }
}

fn data<G: Telling>(game: &G, proof: &ProofOf<G>) -> Value {
    let premise = |premise: &G::Premise| {
        let mut data = game.premise_data(premise);
        data["text"] = game.premises(std::slice::from_ref(premise), &[]).into();
        if let Some(event) = game.access(premise).and_then(|access| access.event) {
            data["event"] = game.event_number(event).into();
        }
        data
    };
    let words = Words::of(game, proof);
    json!({
        "claim": write(game, &proof.goal),
        "premises": proof.premises.iter().map(premise).collect::<Vec<_>>(),
        "steps": proof.lines.iter().map(|line| words.data(line)).collect::<Vec<_>>(),
    })
}

struct Words<'g, G: Rules> {
    game: &'g G,
    premises: &'g [G::Premise],
    /// The facts of every line and assumption, by its number.
    said: FxHashMap<usize, Vec<FactOf<G>>>,
}

impl<G: Telling> Words<'_, G> {
    fn of<'g>(game: &'g G, proof: &'g ProofOf<G>) -> Words<'g, G> {
        let mut said = FxHashMap::default();
        note(&proof.lines, &mut said);
        Words { game, premises: &proof.premises, said }
    }

    /// By which premises it is clear that these eyes see what the lines inside, or else those named, rest on.
    fn sight(&self, eyes: &[Eyes], line: &LineOf<G>, lines: &[LineOf<G>]) -> String {
        let mut cited = if lines.is_empty() { line.from.clone() } else { Vec::new() };
        lines.iter().for_each(|line| cite(line, &mut cited));
        let facts: Vec<FactOf<G>> = cited.iter().filter_map(|n| self.said.get(n)).flatten().cloned().collect();
        let by = eyes.iter().flat_map(|eyes| eyes.shown(self.game, &facts, NOW));
        let mut found: Vec<G::Premise> = Vec::new();
        for premise in by.filter(|premise| self.premises.contains(premise)) {
            if !found.contains(&premise) {
                found.push(premise);
            }
        }
        let mut words: Vec<String> = Vec::new();
        for premise in &found {
            let said = self.game.sight(premise);
            if !words.contains(&said) {
                words.push(said);
            }
        }
        words.join("; ")
    }

    /// The sentences of a line and of those inside it.
    fn line(&self, line: &LineOf<G>, depth: usize, out: &mut Vec<Sentence>) {
        self.after(format!("{}. ", line.number), line, depth, out);
    }

    /// The same after some words.
    fn after(&self, words: String, line: &LineOf<G>, depth: usize, out: &mut Vec<Sentence>) {
        let (text, inside) = self.sentence(line);
        let said = format!("{words}{text}");
        match &line.step {
            // An assumption of which a single line follows makes one sentence with it.
            Step::Cases(_, cases) => match &cases[..] {
                [Case { lines, .. }] => match &lines[..] {
                    [one] => self.after(format!("{said} "), one, depth, out),
                    lines => {
                        out.push(Sentence { depth, text: format!("{said}:"), event: None });
                        lines.iter().for_each(|line| self.line(line, depth + 1, out));
                    }
                },
                cases => {
                    out.push(Sentence { depth, text: said, event: self.event(line) });
                    cases.iter().for_each(|case| self.case(case, depth + 1, out));
                }
            },
            Step::Mind(_, lines) | Step::Knew(_, _, lines) => {
                out.push(Sentence { depth, text: said, event: self.event(line) });
                lines.iter().filter(|_| inside).for_each(|line| self.line(line, depth + 1, out));
            }
            Step::Unsure(_, _, case) => {
                out.push(Sentence { depth, text: said, event: self.event(line) });
                case.lines.iter().filter(|_| inside).for_each(|line| self.line(line, depth + 1, out));
            }
            Step::Given(_) | Step::Rule(_) | Step::Logic => {
                out.push(Sentence { depth, text: said, event: self.event(line) });
            }
        }
    }

    fn case(&self, case: &Case<G::Atom, G::Premise, G::Rule>, depth: usize, out: &mut Vec<Sentence>) {
        let suppose = format!("{}. Suppose that {}", case.number, self.game.tell(&case.assume));
        match &case.lines[..] {
            [] => out.push(Sentence { depth, text: format!("{suppose}: then nothing is left to show."), event: None }),
            [one] => self.after(format!("{suppose}. "), one, depth, out),
            lines => {
                out.push(Sentence { depth, text: format!("{suppose}."), event: None });
                lines.iter().for_each(|line| self.line(line, depth + 1, out));
            }
        }
    }

    /// The sentence of a line, and whether the lines inside it follow.
    fn sentence(&self, line: &LineOf<G>) -> (String, bool) {
        let by = listed(line.from.iter(), "and");
        let facts = capital(&self.facts(&line.facts));
        let with = |reason: String| match reason.is_empty() {
            true => format!("{facts}."),
            false => format!("{facts} ({reason})."),
        };
        let also = if by.is_empty() { String::new() } else { format!("; by {by}") };
        match &line.step {
            Step::Given(_) | Step::Rule(_) | Step::Logic => (with(self.reason(line)), false),
            Step::Cases(rule, cases) if cases.len() == 1 => {
                let case = &cases[0];
                let dot = if case.lines.len() == 1 { "." } else { "" };
                let assume = self.game.tell(&case.assume);
                let also = if rule.is_some() { also } else { String::new() };
                (format!("{facts}. For suppose that {assume} ({}{also}){dot}", case.number), true)
            }
            Step::Cases(None, _) => (format!("{facts} in each case."), true),
            Step::Cases(Some(rule), _) => (format!("{facts} in each case: {}{also}.", self.game.split(rule)), true),
            Step::Mind(eyes, lines) => {
                let sight = self.sight(eyes, line, lines);
                let since = if sight.is_empty() { String::new() } else { format!("; {sight}") };
                match &lines[..] {
                    [] => (with(format!("by {by}: {}{since}", self.seen(eyes, &line.from))), false),
                    [one] if one.step.is_short() => {
                        let (who, reason) = (self.whoever(eyes), self.reason(one));
                        let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
                        (with(format!("{who}{why}{since}")), false)
                    }
                    _ if sight.is_empty() => (format!("{facts}. {}:", capital(&self.through_eyes(eyes))), true),
                    _ => (format!("{facts}. {} ({sight}):", capital(&self.through_eyes(eyes))), true),
                }
            }
            Step::Knew(premise, _, lines) => {
                let denied = self.game.denied(premise);
                match &lines[..] {
                    [one] if one.step.is_short() => {
                        let (known, reason) = (self.facts(&one.facts), self.reason(one));
                        (format!("{facts}: {denied}, but would have known that {known} ({reason})."), false)
                    }
                    _ => (format!("{facts}: {denied}, but would have known it:"), true),
                }
            }
            Step::Unsure(seats, change, case) => {
                let (change, number) = (self.game.change(change), case.number);
                let who = self.game.voice().all(*seats);
                let there = self.game.tell(&case.assume);
                let cannot =
                    format!("{who} cannot tell this from the world with {change}, where {there} ({number}{also})");
                match &case.lines[..] {
                    [] => (with(cannot), false),
                    [one] if one.step.is_short() => {
                        let so = self.facts(&one.facts);
                        (with(if so == there { cannot } else { format!("{cannot} and {so}") }), false)
                    }
                    _ => (format!("{facts}. {}:", capital(&cannot)), true),
                }
            }
        }
    }

    fn facts(&self, facts: &[FactOf<G>]) -> String {
        match facts {
            [Fact::Const(false)] => "that cannot be".to_string(),
            facts => self.game.tell(facts),
        }
    }

    fn reason(&self, line: &LineOf<G>) -> String {
        let by = listed(line.from.iter(), "and");
        match &line.step {
            Step::Given(premises) => self.game.premises(premises, &line.facts),
            Step::Rule(rule) => self.game.reason(rule, &by, &line.facts),
            Step::Logic if by.is_empty() => "always".to_string(),
            Step::Logic => format!("by {by}"),
            Step::Cases(..) | Step::Mind(..) | Step::Knew(..) | Step::Unsure(..) => String::new(),
        }
    }

    /// Why these eyes see what these lines say.
    fn seen(&self, eyes: &[Eyes], lines: &[usize]) -> String {
        let facts = || lines.iter().filter_map(|n| self.said.get(n)).flatten();
        // What they do not see by themselves follows from what everybody saw.
        if !eyes.iter().all(|eyes| facts().all(|fact| eyes.settle(self.game, fact, NOW))) {
            return "everybody can tell that".to_string();
        }
        let you = self.game.voice().you;
        let see = |seats: Seats| match seats.single() {
            Some(seat) if Some(seat) == you => "you see that".to_string(),
            Some(_) => "it sees that itself".to_string(),
            None => "together they see that".to_string(),
        };
        match alike(eyes) {
            Some(Eyes::Pooled(seats)) => see(seats),
            Some(Eyes::Each(_)) | None => "all of them see that themselves".to_string(),
        }
    }

    fn whoever(&self, eyes: &[Eyes]) -> String {
        match alike(eyes) {
            Some(Eyes::Pooled(seats)) => match seats.single() {
                Some(seat) if self.game.voice().you == Some(seat) => "you saw that".to_string(),
                Some(_) => "it can tell".to_string(),
                None => "together they can tell".to_string(),
            },
            Some(Eyes::Each(_)) | None => "all of them can tell".to_string(),
        }
    }

    fn through_eyes(&self, eyes: &[Eyes]) -> String {
        let voice = self.game.voice();
        let one = |eyes: &Eyes| match *eyes {
            Eyes::Pooled(seats) if seats.len() > 1 => format!("{} together", voice.all(seats)),
            Eyes::Pooled(seats) | Eyes::Each(seats) => voice.all(seats),
        };
        match alike(eyes) {
            Some(Eyes::Pooled(seats)) => match seats.single() {
                Some(seat) => format!("from what {}", voice.does(seat, "see", "sees")),
                None => format!("from what {} see together", voice.all(seats)),
            },
            Some(Eyes::Each(seats)) => format!("from what each of {} sees", voice.all(seats)),
            None => {
                let first = |at: usize| !eyes[..at].contains(&eyes[at]);
                let each = (0..eyes.len()).filter(|&at| first(at)).map(|at| one(&eyes[at]));
                format!("from what {} all see", listed(each, "and"))
            }
        }
    }

    fn event(&self, line: &LineOf<G>) -> Option<usize> {
        let of = |premise: &G::Premise| self.game.access(premise).and_then(|access| access.event);
        let simple = |lines: &[LineOf<G>]| match lines {
            [one] if one.step.is_short() => self.event(one),
            _ => None,
        };
        match &line.step {
            Step::Given(premises) => premises.iter().filter_map(of).min(),
            Step::Rule(rule) | Step::Cases(Some(rule), _) => self.game.event(rule),
            Step::Knew(premise, _, _) => of(premise),
            Step::Mind(_, lines) => simple(lines),
            Step::Cases(None, cases) => cases.first().and_then(|case| simple(&case.lines)),
            Step::Logic | Step::Unsure(..) => None,
        }
    }

    fn data(&self, line: &LineOf<G>) -> Value {
        let name = match &line.step {
            Step::Given(_) => "given",
            Step::Rule(rule) => self.game.name(rule),
            Step::Logic => "logic",
            Step::Cases(..) => "cases",
            Step::Mind(..) => "knowledge",
            Step::Knew(..) => "would have known",
            Step::Unsure(..) => "not known",
        };
        let facts = |facts: &[FactOf<G>]| facts.iter().map(|fact| write(self.game, fact)).collect::<Vec<_>>();
        // A line that is said as a part of this one has no number; what it starts from, this one starts from.
        let part = match &line.step {
            Step::Mind(_, lines) | Step::Knew(_, _, lines) => lines.iter().filter(|one| one.number > HIDDEN).collect(),
            Step::Given(_) | Step::Rule(_) | Step::Logic | Step::Cases(..) | Step::Unsure(..) => Vec::new(),
        };
        let mut from: Vec<usize> = line.from.iter().chain(part.iter().flat_map(|one| &one.from)).copied().collect();
        from.sort_unstable();
        from.dedup();
        let mut data = json!({
            "step": line.number,
            "facts": facts(&line.facts),
            "rule": name,
            "from": from,
            "text": self.sentence(line).0,
        });
        if line.number > HIDDEN {
            data.as_object_mut().map(|line| line.remove("step"));
        }
        if let Some(event) = self.event(line) {
            data["event"] = self.game.event_number(event).into();
        }
        let lines = |lines: &[LineOf<G>]| lines.iter().map(|line| self.data(line)).collect::<Vec<_>>();
        let case = |case: &Case<G::Atom, G::Premise, G::Rule>| json!({"step": case.number, "assume": facts(&case.assume), "steps": lines(&case.lines)});
        match &line.step {
            Step::Cases(_, cases) => data["cases"] = cases.iter().map(case).collect(),
            Step::Mind(_, inner) | Step::Knew(_, _, inner) => data["steps"] = lines(inner).into(),
            Step::Unsure(_, _, other) => data["cases"] = vec![case(other)].into(),
            Step::Given(_) | Step::Rule(_) | Step::Logic => {}
        }
        data
    }
}

/// Notes what lines and assumptions say.
fn note<A: Clone, P, R>(lines: &[Line<A, P, R>], said: &mut FxHashMap<usize, Vec<Fact<A>>>) {
    for line in lines {
        said.insert(line.number, line.facts.clone());
        match &line.step {
            Step::Cases(_, cases) => cases.iter().for_each(|case| drop(said.insert(case.number, case.assume.clone()))),
            Step::Unsure(_, _, case) => drop(said.insert(case.number, case.assume.clone())),
            Step::Given(_) | Step::Rule(_) | Step::Logic | Step::Mind(..) | Step::Knew(..) => {}
        }
        line.step.inside().into_iter().for_each(|(_, lines)| note(lines, said));
    }
}

/// All that a line and those inside it rest on.
fn cite<A, P, R>(line: &Line<A, P, R>, cited: &mut Vec<usize>) {
    cited.extend(&line.from);
    line.step.inside().into_iter().for_each(|(_, lines)| lines.iter().for_each(|line| cite(line, cited)));
}

/// The eyes, if all are the same.
fn alike(eyes: &[Eyes]) -> Option<Eyes> {
    let (&first, rest) = eyes.split_first()?;
    rest.iter().all(|other| *other == first).then_some(first)
}

/// The first word of a sentence. Names of cards are words of the game and stay as they are.
fn capital(text: &str) -> String {
    const WORDS: [&str; 14] = [
        "from ", "seat ", "seats ", "you ", "your ", "that ", "card ", "cards ", "it ", "what ", "not ", "each ",
        "only ", "the ",
    ];
    let first = WORDS.iter().any(|word| text.starts_with(word)) || text == "you";
    let mut chars = text.chars();
    match (first, chars.next()) {
        (true, Some(letter)) => letter.to_uppercase().collect::<String>() + chars.as_str(),
        _ => text.to_string(),
    }
}
