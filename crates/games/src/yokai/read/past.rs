//! What a position says of the match that the table does not show.

use super::{Members, Reader, find};
use crate::cards::Card;
use crate::yokai::colour::{CARDS, Colour, Colouring};
use crate::yokai::layout::Layout;
use crate::yokai::notation::number;
use crate::yokai::position::{Marking, Past};
use crate::yokai::rules::Yokai;
use ken_logic::syntax::{Code, Json, JsonKind, nearest};

const TOLD: &str = "marks as they were made: [{\"card\": 3, \"beside\": [[\"blue\"]], \"free\": true}]";

const MARKING: [&str; 3] = ["card", "beside", "free"];

const OPTIONS: [&str; 3] = ["free_order", "any_time", "oracle"];

impl Reader {
    pub(super) fn past(&mut self, members: &Members) -> Past {
        let rules = find(members, "options").and_then(|options| self.rules(options));
        let layouts = find(members, "went_on").and_then(|list| self.list(list, "a list of layouts"));
        let went_on: Vec<Layout> = layouts.unwrap_or_default().iter().filter_map(|json| self.layout(json)).collect();
        let end = find(members, "end").and_then(|colours| self.end(colours));
        let told = find(members, "told").and_then(|list| self.list(list, TOLD)).unwrap_or_default();
        let told = told.iter().filter_map(|json| self.marking(json)).collect();
        Past { rules, went_on, end, told }
    }

    /// How a card came to be marked.
    fn marking(&mut self, json: &Json) -> Option<Marking> {
        let members = self.object(json, TOLD)?;
        let card = match find(members, "card") {
            Some(card) => self.card(card)?,
            None => return self.shape(json, TOLD),
        };
        let beside = find(members, "beside").and_then(|list| self.list(list, "a list of hints")).unwrap_or_default();
        let beside = beside.iter().filter_map(|hint| self.hint(hint)).collect();
        let free = match find(members, "free").map(|free| (&free.kind, free)) {
            None | Some((JsonKind::Bool(true), _)) => true,
            Some((JsonKind::Bool(false), _)) => false,
            Some((_, other)) => self.shape(other, "true or false")?,
        };
        for (key, span, _) in members.iter().filter(|(key, _, _)| !MARKING.contains(&key.as_str())) {
            self.report(Code::Shape, *span, format!("unknown key `{key}`"), "not part of a mark");
        }
        Some(Marking { card, beside, free })
    }

    fn rules(&mut self, json: &Json) -> Option<Yokai> {
        let mut rules = Yokai::default();
        for (key, span, value) in self.object(json, "the options of the match: {\"oracle\": true}")? {
            let flag = match key.as_str() {
                "free_order" => &mut rules.free_order,
                "any_time" => &mut rules.any_time,
                "oracle" => &mut rules.oracle,
                _ => {
                    self.report(Code::Shape, *span, format!("there is no option `{key}`"), "not an option");
                    let near = nearest(key, OPTIONS).map(|near| format!("did you mean `{near}`?"));
                    self.help(near.unwrap_or_else(|| format!("there are {}", OPTIONS.join(", "))));
                    continue;
                }
            };
            match value.kind {
                JsonKind::Bool(on) => *flag = on,
                _ => drop(self.shape::<()>(value, "true or false")),
            }
        }
        Some(rules)
    }

    /// The colours of all cards.
    fn end(&mut self, json: &Json) -> Option<Colouring> {
        let before = self.problems.len();
        let seen = self.seen(json);
        if self.problems.len() > before {
            return None;
        }
        let missing: Vec<String> =
            (0..CARDS).filter(|&i| seen[i].is_none()).map(|i| number(Card(i as u8)).to_string()).collect();
        if !missing.is_empty() {
            let message = format!("no colour is given for {}", missing.join(", "));
            self.report(Code::Missing, json.span, message, "the end shows all sixteen cards");
            return None;
        }
        Colouring::new(seen.map(|colour| colour.unwrap_or(Colour::Red)))
    }
}
