//! Values out of JSON, with what is wrong said in the words of the interface: where, what stands there, and what was
//! expected.

use ken_games::record::json_fault;
use ken_logic::syntax::{Code, Diagnostic, Source, json_with_places};
use serde::de::value::{StrDeserializer, StringDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, Expected, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::Value;
use std::fmt;

/// Reads a value from the bytes of a body. The error is a sentence; `Ok(Err(_))` is JSON that does not fit.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<Result<T, String>, String> {
    if bytes.trim_ascii().is_empty() {
        return Err("the body is empty, but JSON is expected".to_string());
    }
    let value: Value = serde_json::from_slice(bytes).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        match error.is_eof() {
            true => format!("the JSON of the body is not complete: it ends at line {line}, column {column}"),
            false => format!("the body {}: see line {line}, column {column}", json_fault(&error)),
        }
    })?;
    // Of a key that is there twice one would be lost without a word.
    if let Some(problem) = std::str::from_utf8(bytes).ok().and_then(|text| json_with_places(text).err()) {
        return Ok(Err(fault(&String::from_utf8_lossy(bytes), &problem)));
    }
    Ok(T::deserialize(Reader(value)).map_err(|misfit| misfit.to_string()))
}

/// What is wrong with JSON beyond its grammar.
fn fault(text: &str, problem: &Diagnostic) -> String {
    let (line, column) = Source { name: "", text }.position(problem.span.start);
    let what = match problem.code {
        Code::Duplicate => "has a key twice in one object",
        Code::Depth => "is nested too deeply",
        _ => "is not JSON",
    };
    format!("the body {what}: see line {line}, column {column}")
}

/// What does not fit, and where.
#[derive(Debug)]
struct Misfit {
    /// The way to the place, the innermost step first.
    way: Vec<Step>,
    /// The rest of a sentence that begins with the place.
    what: String,
}

#[derive(Debug)]
enum Step {
    Name(String),
    Entry(usize),
}

impl Misfit {
    fn new(what: String) -> Misfit {
        Misfit { way: Vec::new(), what }
    }

    fn below(mut self, step: Step) -> Misfit {
        self.way.push(step);
        self
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut place = String::new();
        for step in self.way.iter().rev() {
            match step {
                Step::Name(name) if place.is_empty() => place += name,
                Step::Name(name) => place += &format!(".{name}"),
                Step::Entry(n) => place += &format!("[{n}]"),
            }
        }
        match place.is_empty() {
            true => write!(f, "the body {}", self.what),
            false => write!(f, "`{place}` {}", self.what),
        }
    }
}

impl std::error::Error for Misfit {}

/// What stands there.
fn met(met: Unexpected<'_>) -> String {
    match met {
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(number) => number.to_string(),
        Unexpected::Signed(number) => number.to_string(),
        // Beyond this a number is digits and nothing else.
        Unexpected::Float(number) if number.abs() >= 1e15 => format!("{number:e}"),
        Unexpected::Float(number) => number.to_string(),
        Unexpected::Str(_) | Unexpected::Char(_) => "a text".to_string(),
        Unexpected::Unit | Unexpected::Option => "null".to_string(),
        Unexpected::Seq => "a list".to_string(),
        Unexpected::Map => "an object".to_string(),
        _ => "another kind of value".to_string(),
    }
}

/// What should stand there.
fn wanted(expected: &dyn Expected) -> String {
    let said = expected.to_string();
    let words = match said.as_str() {
        "a string" | "a borrowed string" | "variant identifier" | "string or map" => "a text",
        "a boolean" => "true or false",
        "u8" => "a whole number from 0 to 255",
        "u16" | "u32" | "u64" | "usize" => "a whole number from 0 on",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a sequence" => "a list",
        "a map" => "an object",
        said if is_object(said) => "an object",
        said if said.starts_with("a whole number from ") => said,
        said if said.starts_with("a tuple of ") || said.starts_with("an array of ") => "a list of another length",
        _ => "another kind of value",
    };
    words.to_string()
}

/// Whether what is expected has fields, by the words of serde: their order is no part of the interface, so that no list can
/// stand for them.
fn is_object(expected: &str) -> bool {
    expected.starts_with("struct ") || expected.contains("tagged enum ")
}

fn instead(found: Unexpected<'_>, expected: &dyn Expected) -> Misfit {
    Misfit::new(format!("is {}, but {} is expected", met(found), wanted(expected)))
}

impl Error for Misfit {
    fn custom<T: fmt::Display>(_: T) -> Misfit {
        Misfit::new("is not what is expected there".to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Misfit {
        instead(found, expected)
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Misfit {
        instead(found, expected)
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Misfit {
        Misfit::new(format!("has {length} entries, but {} is expected", wanted(expected)))
    }

    fn unknown_variant(_: &str, known: &'static [&'static str]) -> Misfit {
        Misfit::new(format!("names something unknown, but one of `{}` is expected", known.join("`, `")))
    }

    fn unknown_field(field: &str, known: &'static [&'static str]) -> Misfit {
        Misfit::new(format!("has `{field}`, but only `{}` are expected", known.join("`, `")))
    }

    fn missing_field(field: &'static str) -> Misfit {
        Misfit::new(format!("lacks `{field}`"))
    }

    fn duplicate_field(field: &'static str) -> Misfit {
        Misfit::new(format!("has `{field}` twice"))
    }
}

/// A value that is being read.
struct Reader(Value);

impl<'de> Deserializer<'de> for Reader {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => visitor.visit_u64(number),
                (None, Some(number)) => visitor.visit_i64(number),
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => visitor.visit_string(text),
            Value::Array(_) if is_object(&(&visitor as &dyn Expected).to_string()) => {
                Err(instead(Unexpected::Seq, &visitor))
            }
            Value::Array(entries) => visitor.visit_seq(Entries(entries.into_iter().enumerate())),
            Value::Object(map) => visitor.visit_map(Fields { fields: map.into_iter(), next: None }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            value => visitor.visit_some(Reader(value)),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match self.0 {
            Value::String(name) => visitor.visit_enum(StringDeserializer::new(name)),
            // No variant that is chosen by a name alone holds anything.
            value => Reader(value).deserialize_any(Name).and_then(|()| Err(Misfit::custom(""))),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct struct map identifier ignored_any
    }
}

/// Takes nothing: what is met is said not to be a text.
struct Name;

impl Visitor<'_> for Name {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }
}

/// The entries of a list.
struct Entries(std::iter::Enumerate<std::vec::IntoIter<Value>>);

impl<'de> SeqAccess<'de> for Entries {
    type Error = Misfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Misfit> {
        let Some((n, value)) = self.0.next() else { return Ok(None) };
        seed.deserialize(Reader(value)).map(Some).map_err(|misfit| misfit.below(Step::Entry(n)))
    }
}

/// The fields of an object.
struct Fields {
    fields: serde_json::map::IntoIter,
    next: Option<(String, Value)>,
}

impl<'de> MapAccess<'de> for Fields {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Misfit> {
        self.next = self.fields.next();
        let Some((name, _)) = &self.next else { return Ok(None) };
        seed.deserialize(StrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Misfit> {
        let (name, value) = self.next.take().unwrap_or_default();
        seed.deserialize(Reader(value)).map_err(|misfit| misfit.below(Step::Name(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{BranchFrom, Decided, Move, NewMatch, Notes};
    use crate::logic::LogicCheck;
    use serde_json::json;

    fn misfit<T: DeserializeOwned>(value: &Value) -> String {
        let read = read::<T>(value.to_string().as_bytes()).expect("JSON");
        read.map(|_| ()).expect_err("it does not fit")
    }

    #[test]
    fn what_does_not_fit_is_said_with_its_place_and_what_was_expected() {
        assert_eq!(misfit::<Move>(&json!([])), "the body is a list, but an object is expected");
        assert_eq!(misfit::<Move>(&json!({"action": 3})), "`action` is 3, but a text is expected");
        assert_eq!(misfit::<Move>(&json!({"action": "end"})), "the body lacks `revision`");
        let below = "`revision` is -1, but a whole number from 0 on is expected";
        assert_eq!(misfit::<Decided>(&json!({"revision": -1})), below);
        assert_eq!(misfit::<Decided>(&json!({"revision": null})), below.replace("-1", "null"));
        let helper = json!({"game": "cluedo", "seats": [], "helper": 300});
        assert_eq!(misfit::<NewMatch>(&helper), "`helper` is 300, but a whole number from 0 to 4 is expected");
        let seats = |seat: Value| json!({"game": "cluedo", "seats": [{"kind": "me"}, seat]});
        assert_eq!(misfit::<NewMatch>(&seats(json!({}))), "`seats[1]` lacks `kind`");
        assert_eq!(misfit::<NewMatch>(&seats(json!(7))), "`seats[1]` is 7, but an object is expected");
        let unknown = misfit::<NewMatch>(&seats(json!({"kind": "ghost"})));
        assert!(unknown.starts_with("`seats[1].kind` names something unknown, but one of `me`"), "{unknown}");
        assert_eq!(misfit::<Notes>(&json!({"marks": {"a b": true}})), "`marks.a b` is true, but a text is expected");
        assert_eq!(misfit::<LogicCheck>(&json!({"text": "", "kind": 7})), "`kind` is 7, but a text is expected");
        let kind = misfit::<LogicCheck>(&json!({"text": "", "kind": "word"}));
        assert!(kind.starts_with("`kind` names something unknown, but one of `"), "{kind}");
        assert_eq!(
            misfit::<LogicCheck>(&json!({"text": "", "formulas": "p"})),
            "`formulas` is a text, but a list is expected"
        );
    }

    #[test]
    fn what_fits_is_read_as_it_stands() {
        let value = json!({"game": "cluedo", "seats": [{"kind": "me"}], "options": {"a": [1, -2, 0.5, null, "é"]}});
        let new = read::<NewMatch>(value.to_string().as_bytes()).unwrap().unwrap();
        assert_eq!((new.game.as_str(), new.seats.len(), &new.options), ("cluedo", 1, &value["options"]));
    }

    #[test]
    fn what_is_no_json_is_said_with_its_line_and_column() {
        let said = |text: &[u8]| read::<Move>(text).map(|_| ()).unwrap_err();
        assert_eq!(said(b" \n"), "the body is empty, but JSON is expected");
        assert_eq!(said(b"{"), "the JSON of the body is not complete: it ends at line 1, column 1");
        assert_eq!(said(b"{\"action\":\n  end}"), "the body is not JSON: see line 2, column 3");
        assert_eq!(said(b"{} {}"), "the body is not JSON: see line 1, column 4");
        assert!(said(b"\"\xff\"").starts_with("the body is not JSON: see line 1"));
    }

    #[test]
    fn json_that_is_too_much_is_not_said_to_be_no_json() {
        let said = |text: &str| match read::<NewMatch>(text.as_bytes()) {
            Err(said) | Ok(Err(said)) => said,
            Ok(Ok(_)) => panic!("{text} fits"),
        };
        for deep in [100, 200, 10_000] {
            let nested = said(&format!("{}{}", "[".repeat(deep), "]".repeat(deep)));
            assert!(nested.starts_with("the body is nested too deeply: see line 1"), "{deep}: {nested}");
        }
        assert!(said("{\"seed\": 1e999}").starts_with("the body has a number that is too large: see line 1, column 1"));
        let huge = said(&format!("{{\"game\": 1{}}}", "0".repeat(300)));
        assert_eq!(huge, "`game` is 1e300, but a text is expected");
    }

    #[test]
    fn a_list_does_not_stand_for_an_object_with_a_tag() {
        for seat in [json!(["me"]), json!(["machine", "exact"]), json!([])] {
            let value = json!({"game": "cluedo", "seats": [{"kind": "me"}, seat]});
            assert_eq!(misfit::<NewMatch>(&value), "`seats[1]` is a list, but an object is expected");
        }
    }

    #[test]
    fn an_object_in_the_place_of_a_name_is_told_that_a_text_is_expected() {
        let said = "is an object, but a text is expected";
        for kind in [json!({}), json!({"ken": null}), json!({"ken": 1})] {
            assert_eq!(misfit::<LogicCheck>(&json!({"text": "", "kind": kind})), format!("`kind` {said}"));
            let seats = json!({"game": "cluedo", "seats": [{"kind": kind}]});
            assert_eq!(misfit::<NewMatch>(&seats), format!("`seats[0].kind` {said}"));
        }
    }

    #[test]
    fn a_key_that_is_there_twice_is_refused_with_its_place() {
        let twice = |text: &str| read::<Notes>(text.as_bytes()).unwrap().map(|_| ()).unwrap_err();
        let said = "the body has a key twice in one object: see line 1, column ";
        assert_eq!(twice(r#"{"marks": {}, "marks": {}}"#), format!("{said}15"));
        assert_eq!(twice(r#"{"marks": {"a": "x", "\u0061": "y"}}"#), format!("{said}22"));
    }

    #[test]
    fn a_helper_level_out_of_range_is_told_the_range_at_once() {
        for level in [json!(5), json!(300), json!(-1), json!(1.5), json!("2")] {
            for said in [
                misfit::<NewMatch>(&json!({"game": "cluedo", "seats": [], "helper": level})),
                misfit::<BranchFrom>(&json!({"events": 1, "seats": [], "helper": level})),
            ] {
                assert!(said.ends_with(", but a whole number from 0 to 4 is expected"), "{said}");
            }
        }
    }
}
