//! The note sheet of Cluedo, and its words for people.

use super::screen::{WIDTH, hang};
use super::{FILLS, Table, refusal};
use crate::cluedo::explicable;
use crate::input::Failure;
use ken_games::cards::{Card, CardSet};
use ken_games::cluedo::know::Knower;
use ken_games::cluedo::knowledge::solve;
use ken_games::cluedo::players::{self, PLAYERS};
use ken_games::cluedo::position::Deal;
use ken_games::cluedo::rules::Phase;
use ken_games::cluedo::view::Mark;
use ken_games::cluedo::why::{self, Answer};
use ken_games::cluedo::worth::{Care, Estimate, left_out, rank};
use ken_games::cluedo::{Action, Cluedo, Deck, Endmove, Position, Sight, World};
use ken_games::dice::Dice;
use ken_games::game::{Game, Illegal, Player, Seat, View};
use ken_games::knowledge;
use ken_games::knowledge::{Budget, Refused};
use ken_logic::syntax::Diagnostic;
use ken_logic::text::grouped;

/// How much advice on a question looks at.
const CARE: Care = Care { deals: 4_000, views: 8, of_view: 2_000, all_views: 500, looks: 30_000_000 };

/// From this level on marks are checked, and so is an accusation.
const CHECKS: u8 = 1;

/// The last step of a hint: what to do.
const LAST: u8 = 3;

const BROKEN: &str = "no deal fits what you saw: a declared convention was broken";

/// How many questions advice lists.
const BEST: usize = 8;

const USAGE: &str = "  suggest CARDS    ask for one card of each category: `suggest plum rope hall`
  show CARD        show a card that was asked for
  accuse CARDS     say what lies in the envelope, once in a match; you are asked
                   whether you mean it: `yes` or `no`
  end              end your turn without accusing
                   `s`, `a` and `e` will do, and so do beginnings of names
                   the sheet: ✓ has, ✗ has not, · open, ? one of a set
  know FORMULA     whether you know it: `know K[2] env(rope)`   (--helper 3)
  why FACT         why you know it: `why !holds(2,rope)`        (--helper 3)
  advise           the best you can do                          (--helper 4)";

impl Table for Cluedo {
    const RIVAL: &'static str = "inquirer";

    fn players() -> Vec<(&'static str, &'static str)> {
        PLAYERS.iter().map(|p| (p.name, p.about)).collect()
    }

    fn player(&self, name: &str, seed: u64) -> Result<Box<dyn Player<Cluedo>>, Illegal> {
        players::seat(name, self, seed)
    }

    fn expand(&self, typed: &str, legal: &[Action]) -> String {
        // Both `suggest` and `show` begin so, but only one of them can be meant.
        match typed.split_once([' ', ',']) {
            Some(("s" | "S", cards)) => match legal.first() {
                Some(Action::Show(_)) => format!("show {cards}"),
                _ => format!("suggest {cards}"),
            },
            _ => typed.to_string(),
        }
    }

    fn usage(&self) -> &'static str {
        USAGE
    }

    fn request(&self, memory: &[Sight]) -> String {
        let page = self.view(memory);
        match page.phase {
            Phase::Suggest(_) => "suggest".to_string(),
            Phase::Show { to, cards, .. } => {
                let can: CardSet = page.hand.iter().copied().collect::<CardSet>().and(cards);
                format!("show seat {to} {}", self.deck().names(can).replace(' ', " or "))
            }
            Phase::Decide(_) => "accuse or end".to_string(),
            Phase::Over(_) => "over".to_string(),
        }
    }

    fn counted(&self, sight: &Sight) -> bool {
        match sight {
            Sight::Asked { .. } | Sight::Accused { .. } => true,
            Sight::Dealt { .. } | Sight::Shown { .. } => false,
            Sight::Ended { .. } => self.endmove() == Endmove::Ignorance,
        }
    }

    fn hand(&self, memory: &[Sight]) -> String {
        self.deck().names(self.view(memory).hand.iter().copied().collect())
    }

    fn sheet(&self, memory: &[Sight], helper: u8) -> String {
        let page = self.view(memory);
        let seats = page.sizes.len();
        let mut marks = page.marks.clone();
        if helper >= FILLS {
            // As certain as the convention: if somebody ended a turn although it knew, this may be wrong, or nothing fits.
            let solved = solve(&position(self, memory), &Budget::default()).ok();
            for (solved, place, row) in
                solved.iter().flat_map(|s| s.marginals.iter().enumerate().map(move |(p, r)| (s, p, r)))
            {
                for (card, &n) in row.iter().enumerate() {
                    match n {
                        0 => marks[card][place] = Mark::HasNot,
                        n if n == solved.deals => marks[card][place] = Mark::Has,
                        _ => {}
                    }
                }
            }
        }
        let mark = |card: Card, seat: Seat| marks[card.index()][seat.index()];
        let one_of = page.one_of.iter().filter(|(by, cards)| cards.iter().all(|c| mark(c, *by) != Mark::Has));
        let open = |&(by, cards): &(Seat, CardSet)| (by, cards.iter().filter(|&c| mark(c, by) == Mark::Open).collect());
        let mut one_of: Vec<(Seat, CardSet)> = one_of.map(open).collect();
        one_of.sort_unstable();
        one_of.dedup();
        let sign = |card: Card, place: usize| match marks[card.index()][place] {
            Mark::Open if one_of.iter().any(|&(by, cards)| by.index() == place && cards.has(card)) => '?',
            mark => mark.sign(),
        };
        let blocks = (0..self.deck().categories()).map(|k| block(self.deck(), k, seats, &sign));
        let mut lines = beside(blocks.collect());
        for (by, cards) in one_of {
            let cards = self.deck().names(cards).replace(' ', ", ");
            let one_of = if cards.contains(' ') { "one of " } else { "" };
            lines.extend(hang("", &format!("seat {by} holds {one_of}{cards}")));
        }
        for wrong in &page.not_envelope {
            lines.extend(hang("", &format!("not all of {} lie in the envelope", self.deck().names(*wrong))));
        }
        lines.join("\n")
    }

    fn know(&self, memory: &[Sight], formula: &str) -> Result<String, Failure> {
        let position = position(self, memory);
        let read = knowledge::read(&position, formula).map_err(|problems| unread(formula, problems))?;
        let answer = match Knower::new(&position).ask(&read, &Budget::default()) {
            Ok(answer) => answer,
            Err(Refused::NoWorld) => return Err(Failure::usage(BROKEN)),
            Err(error @ (Refused::Limit | Refused::Unfit(_))) => return Err(Failure::usage(error.to_string())),
        };
        let world = |world: Option<World>| world.map_or_else(Vec::new, |w| hang("  ", &describe(self, &w.deal)));
        let lines = match (answer.known(), answer.possible()) {
            (true, _) => vec!["known: you know it".to_string()],
            (false, false) => vec!["excluded: you know that it is false".to_string()],
            (false, true) => {
                let mut lines = vec!["open: it is true if".to_string()];
                lines.extend(world(answer.witness));
                lines.push("and false if".to_string());
                lines.extend(world(answer.counterexample));
                lines
            }
        };
        Ok(lines.join("\n"))
    }

    fn why(&self, memory: &[Sight], fact: &str) -> Result<String, Failure> {
        let position = position(self, memory);
        let claim = explicable(&position, fact)?;
        let proof = |proof: &why::Proof| {
            let words = proof.words(&position);
            let steps = words.lines().flat_map(|l| hang("  ", l)).collect::<Vec<_>>();
            steps.join("\n")
        };
        match why::why(&position, &claim, &Budget::default()) {
            Answer::Known(found) => Ok(format!("known\n{}", proof(&found))),
            Answer::Refuted(found) => Ok(format!("excluded: its contrary is known\n{}", proof(&found))),
            Answer::Open { yes, no } => {
                let mut lines = vec!["open: it is true if".to_string()];
                lines.extend(hang("  ", &describe(self, &yes.deal)));
                lines.push("and false if".to_string());
                lines.extend(hang("  ", &describe(self, &no.deal)));
                Ok(lines.join("\n"))
            }
            Answer::Clash(_) => Err(Failure::usage(BROKEN)),
            Answer::Long { holds, lines } => {
                let verdict = if holds { "known" } else { "excluded: its contrary is known" };
                Ok(format!("{verdict}\n  its proof has {lines} sentences, which are too many to show"))
            }
            Answer::Unproved => Err(Failure::usage("this would take too long to find out")),
        }
    }

    fn advise(&self, memory: &[Sight]) -> Result<String, Failure> {
        match self.view(memory).phase {
            Phase::Suggest(_) => questions(self, memory),
            Phase::Show { .. } | Phase::Decide(_) | Phase::Over(_) => {
                let hint = ken_games::table::Face::advice(self, memory, LAST)
                    .map_err(|problem| refusal(Illegal::new(problem.message)))?;
                let mut lines: Vec<String> = hint.lines.iter().flat_map(|l| hang("", l)).collect();
                lines.extend(hint.action.map(|action| format!("  {action}")));
                Ok(lines.join("\n"))
            }
        }
    }

    fn preview(&self, memory: &[Sight], action: &Action, helper: u8) -> Option<String> {
        let &Action::Accuse(cards) = action else { return None };
        let question = format!("accuse {}? A wrong accusation ends your asking.", self.deck().names(cards));
        let mut lines = hang("", &question);
        if helper >= CHECKS {
            lines.extend(hang("", founded(&position(self, memory), cards)));
        }
        lines.push("type `yes` to accuse, `no` or something else if not".to_string());
        Some(lines.join("\n"))
    }
}

/// Whether an accusation follows from what was seen.
fn founded(position: &Position, cards: CardSet) -> &'static str {
    let only = |envelopes: &[(CardSet, u128)]| matches!(envelopes, [(only, _)] if *only == cards);
    match solve(position, &Budget::default()) {
        Ok(solved) if only(&solved.envelopes) => "It follows from what you saw.",
        Ok(solved) if solved.envelopes.iter().all(|(e, _)| *e != cards) => "What you saw rules it out!",
        Ok(_) => "It does not follow from what you saw!",
        Err(Refused::NoWorld) => "It cannot be checked: no deal fits what you saw.",
        Err(Refused::Limit | Refused::Unfit(_)) => "It would take too long to check it.",
    }
}

/// The best questions.
fn questions(game: &Cluedo, memory: &[Sight]) -> Result<String, Failure> {
    let position = position(game, memory);
    let ranking = rank(&position, CARE, &Budget::default(), &mut Dice::new(0)).map_err(|error| match error {
        Refused::NoWorld => refusal(Illegal::new(BROKEN)),
        Refused::Limit | Refused::Unfit(_) => refusal(Illegal::new(error.to_string())),
    })?;
    let best = || ranking.questions.iter().take(BEST);
    let looked = match ranking.exact {
        true => "all looked at".to_string(),
        false => format!("bits and wins are estimates from {} of them", grouped(ranking.looked)),
    };
    let mut lines = vec![
        format!("{} deals fit, {looked}", grouped(ranking.deals)),
        format!("{:>10} {:>11} {:>10}  question", "bits", "wins", "gives"),
    ];
    let bits =
        |e: &Estimate| if e.exact { format!("{:.2}", e.value) } else { format!("{:.2}±{:.2}", e.value, e.error) };
    for question in best() {
        let wins = match question.wins.exact {
            true => format!("{:.1}%", 100.0 * question.wins.value),
            false => format!("{:.1}±{:.1}%", 100.0 * question.wins.value, 100.0 * question.wins.error),
        };
        lines.push(format!(
            "{:>10} {wins:>11} {:>10}  suggest {}",
            bits(&question.envelope_bits),
            question.given().map_or(String::new(), |g| bits(&g)),
            game.deck().names(question.cards)
        ));
    }
    lines.push("bits: what the answer is expected to tell about the envelope; wins: the".to_string());
    lines.push("chance that it is the envelope; gives: bits for the others, on average".to_string());
    if let Some(given) = best().filter_map(|q| q.given()).find(|g| !g.exact) {
        lines.push(format!("gives is an estimate from {} deals", grouped(given.deals)));
    }
    lines.extend(left_out(&position).map(str::to_string));
    if lines.iter().any(|l| l.contains('±')) {
        lines.push("±: half of a 95% interval".to_string());
    }
    Ok(lines.join("\n"))
}

/// What the seat has seen.
fn position(game: &Cluedo, memory: &[Sight]) -> Position {
    Position::of_memory(game.deck(), game.endmove(), memory)
}

/// A deal in words.
fn describe(game: &Cluedo, deal: &Deal) -> String {
    let hand = |seat: Seat| format!("{seat}: {}", game.deck().names(deal.hand(seat)));
    let hands: Vec<String> = Seat::all(game.seats()).map(hand).collect();
    format!("{}; envelope: {}", hands.join("; "), game.deck().names(deal.envelope()))
}

fn unread(text: &str, problems: Vec<Diagnostic>) -> Failure {
    Failure::Text { name: "what you typed".to_string(), text: text.to_string(), problems }
}

/// The part of the sheet that a category fills: a line for the places, and one for each card.
fn block(deck: &Deck, category: usize, seats: usize, sign: &dyn Fn(Card, usize) -> char) -> Vec<String> {
    let cards = deck.category(category);
    let names = cards.iter().map(|c| deck.name(c)).chain([deck.category_name(category)]);
    let width = names.map(|n| n.chars().count()).max().unwrap_or(0);
    let places: String = (0..seats).map(|s| format!(" {s}")).collect();
    let mut lines = vec![format!("{:width$}{places} e", deck.category_name(category))];
    for card in cards.iter() {
        let signs: String = (0..=seats).map(|p| format!(" {}", sign(card, p))).collect();
        lines.push(format!("{:width$}{signs}", deck.name(card)));
    }
    lines
}

/// Blocks side by side as far as they fit.
fn beside(blocks: Vec<Vec<String>>) -> Vec<String> {
    const GAP: usize = 3;
    let mut lines: Vec<String> = Vec::new();
    let (mut top, mut used) = (0, 0);
    for block in blocks {
        let width = block.first().map_or(0, |l| l.chars().count());
        if used > 0 && used + GAP + width > WIDTH {
            (top, used) = (lines.len(), 0);
        }
        let left = if used == 0 { 0 } else { used + GAP };
        lines.resize(lines.len().max(top + block.len()), String::new());
        for (line, part) in lines[top..].iter_mut().zip(&block) {
            line.push_str(&" ".repeat(left - line.chars().count()));
            line.push_str(part);
        }
        used = left + width;
    }
    lines
}
