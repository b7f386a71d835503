//! Converts between JSON and the records of a game's messages; `messages_json.rs` does it for each record.

use crate::json::{problem, Json, JsonError, Result};

pub trait FromJson: Sized {
    fn from_json(json: &Json) -> Result<Self>;
}

pub trait ToJson {
    fn to_json(&self) -> Json;
}

/// An enumeration of words.
pub trait Word: Copy + 'static {
    const ALL: &'static [Self];

    fn text(self) -> &'static str;

    /// The word with a text.
    fn of(text: &str) -> Result<Self> {
        let words: Vec<&str> = Self::ALL.iter().map(|word| word.text()).collect();
        match Self::ALL.iter().find(|word| word.text() == text) {
            Some(word) => Ok(*word),
            None => problem(format!("expected one of the words {}", words.join(", "))),
        }
    }
}

impl FromJson for bool {
    fn from_json(json: &Json) -> Result<bool> {
        match json {
            Json::Bool(given) => Ok(*given),
            _ => problem("expected true or false"),
        }
    }
}

impl FromJson for i64 {
    fn from_json(json: &Json) -> Result<i64> {
        json.as_integer()
    }
}

impl FromJson for f64 {
    fn from_json(json: &Json) -> Result<f64> {
        json.as_number()
    }
}

impl FromJson for String {
    fn from_json(json: &Json) -> Result<String> {
        Ok(json.as_text()?.to_string())
    }
}

impl FromJson for Json {
    fn from_json(json: &Json) -> Result<Json> {
        Ok(json.clone())
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(json: &Json) -> Result<Vec<T>> {
        json.as_list()?.iter().map(T::from_json).collect()
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn from_json(json: &Json) -> Result<Option<T>> {
        match json {
            Json::Null => Ok(None),
            _ => T::from_json(json).map(Some),
        }
    }
}

impl ToJson for bool {
    fn to_json(&self) -> Json {
        Json::Bool(*self)
    }
}

impl ToJson for i64 {
    fn to_json(&self) -> Json {
        Json::Number(*self as f64)
    }
}

impl ToJson for f64 {
    fn to_json(&self) -> Json {
        Json::Number(*self)
    }
}

impl ToJson for String {
    fn to_json(&self) -> Json {
        Json::Text(self.clone())
    }
}

impl ToJson for Json {
    fn to_json(&self) -> Json {
        self.clone()
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn to_json(&self) -> Json {
        Json::List(self.iter().map(T::to_json).collect())
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn to_json(&self) -> Json {
        self.as_ref().map_or(Json::Null, T::to_json)
    }
}

/// Reads a field of an object.
pub fn get<T: FromJson>(json: &Json, name: &str) -> Result<T> {
    T::from_json(json.at(name)?).map_err(|error| JsonError(format!("{name}: {error}")))
}

/// Reads a field that may be missing or null.
pub fn get_optional<T: FromJson>(json: &Json, name: &str) -> Result<Option<T>> {
    match json.find(name) {
        None | Some(Json::Null) => Ok(None),
        Some(_) => get(json, name),
    }
}

/// Reads a field that is `true` where it is there.
pub fn get_flag(json: &Json, name: &str) -> bool {
    json.find(name) == Some(&Json::Bool(true))
}

/// True if an object has a field with this text.
pub fn has(json: &Json, name: &str, text: &str) -> bool {
    json.find(name).map_or(false, |found| found.is_text(text))
}

pub type Members = Vec<(String, Json)>;

/// Writes a field.
pub fn put(members: &mut Members, name: &str, value: &impl ToJson) {
    members.push((name.to_string(), value.to_json()));
}

/// Writes a field unless it has no value.
pub fn put_optional(members: &mut Members, name: &str, value: &Option<impl ToJson>) {
    if let Some(value) = value {
        put(members, name, value);
    }
}

/// Writes a field if it is true.
pub fn put_flag(members: &mut Members, name: &str, value: bool) {
    if value {
        put(members, name, &value);
    }
}
