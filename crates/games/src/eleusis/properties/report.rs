//! The answers for a whole family.

use super::{Decision, Instance, Person};
use crate::bridge::eleusis::Checked;
use serde_json::{Map, Value, json};

/// What is true in the copy of one candidate; none where the search was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// Property 1, `AF (K_A Rule | K_B Rule)`.
    pub someone: bool,
    /// Property 2, `AF (K_A Rule & !K_B Rule)`.
    pub alice_first: Option<bool>,
    /// `EF (K_A Rule | K_B Rule)`.
    pub someone_may: Option<bool>,
    /// `EF (K_A Rule & !K_B Rule)`.
    pub alice_first_may: Option<bool>,
    /// Property 4: the least m.
    pub least_m: Option<u32>,
}

impl From<&Decision> for Verdicts {
    fn from(decision: &Decision) -> Verdicts {
        Verdicts {
            someone: decision.someone.holds(),
            alice_first: decision.alice_first.as_ref().ok().map(super::Outcome::holds),
            someone_may: decision.someone_may.as_ref().ok().map(Option::is_some),
            alice_first_may: decision.alice_first_may.as_ref().ok().map(Option::is_some),
            least_m: decision.least_m(),
        }
    }
}

impl From<&Checked> for Verdicts {
    fn from(checked: &Checked) -> Verdicts {
        Verdicts {
            someone: checked.someone,
            alice_first: Some(checked.alice_first),
            someone_may: Some(checked.someone_may),
            alice_first_may: Some(checked.alice_first_may),
            least_m: checked.least_m,
        }
    }
}

/// Whether something holds in every copy: false as soon as it fails in one, none if that is not known.
pub fn in_all(answers: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for answer in answers {
        match answer {
            Some(false) => return Some(false),
            Some(true) => {}
            None => all = None,
        }
    }
    all
}

/// Property 3, `Turn = A -> AF (K_A Rule & !K_B Rule)`, in every copy.
pub fn property_3(instance: &Instance, verdicts: &[Verdicts]) -> Option<bool> {
    match instance.first {
        Person::A => in_all(verdicts.iter().map(|v| v.alice_first)),
        Person::B => Some(true),
    }
}

/// Property 4 in every copy: the least m that does for all of them.
pub fn property_4(verdicts: &[Verdicts]) -> Option<u32> {
    let each: Option<Vec<u32>> = verdicts.iter().map(|v| v.least_m).collect();
    each?.into_iter().max()
}

/// The answers as data: for each question the answer in each copy, and in all of them; null where the search was stopped.
pub fn result(instance: &Instance, verdicts: &[Verdicts]) -> Value {
    let mut data = Map::new();
    let mut put = |key: &str, answer: &dyn Fn(&Verdicts) -> Option<bool>| {
        let named = instance.rules.iter().zip(verdicts).map(|(rule, v)| (rule.name.clone(), json!(answer(v))));
        data.insert(key.to_string(), Value::Object(named.collect()));
        data.insert(format!("{key}_all"), json!(in_all(verdicts.iter().map(answer))));
    };
    put("p1_AF_someone_knows", &|v| Some(v.someone));
    put("p2_AF_A_knows_B_not", &|v| v.alice_first);
    put("EF_someone_knows", &|v| v.someone_may);
    put("EF_A_knows_B_not", &|v| v.alice_first_may);
    let least = instance.rules.iter().zip(verdicts).map(|(rule, v)| (rule.name.clone(), json!(v.least_m)));
    data.insert("p4_least_m".to_string(), Value::Object(least.collect()));
    data.insert("p4_least_m_all_rules".to_string(), json!(property_4(verdicts)));
    data.insert("p3_turnA_implies_p2".to_string(), json!(property_3(instance, verdicts)));
    Value::Object(data)
}
