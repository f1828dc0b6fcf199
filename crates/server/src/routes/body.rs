//! Values out of JSON, with what is wrong said in the words of the interface: where, what stands there, and what was
//! expected.

use serde::de::value::{MapAccessDeserializer, StrDeserializer, StringDeserializer};
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
            false => format!("the body is not JSON: see line {line}, column {column}"),
        }
    })?;
    Ok(T::deserialize(Reader(value)).map_err(|misfit| misfit.to_string()))
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
        said if said.starts_with("struct ") || said.contains("tagged enum ") => "an object",
        said if said.starts_with("a tuple of ") || said.starts_with("an array of ") => "a list of another length",
        _ => "another kind of value",
    };
    words.to_string()
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

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match self.0 {
            // The order of fields is no part of the interface.
            Value::Array(_) => Err(instead(Unexpected::Seq, &visitor)),
            value => Reader(value).deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match self.0 {
            Value::String(name) => visitor.visit_enum(StringDeserializer::new(name)),
            Value::Object(map) => {
                let fields = Fields { fields: map.into_iter(), next: None };
                visitor.visit_enum(MapAccessDeserializer::new(fields))
            }
            value => Reader(value).deserialize_any(Name).and_then(|()| Err(Misfit::custom(""))),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
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
    use crate::api::{Decided, Move, NewMatch, Notes};
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
        assert_eq!(misfit::<NewMatch>(&helper), "`helper` is 300, but a whole number from 0 to 255 is expected");
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
        assert!(said("[".repeat(10_000).as_bytes()).starts_with("the body is not JSON: see line 1"));
    }
}
