//! JSON values; `json_text.rs` reads and writes them. Needs only Rust's standard library.

use std::fmt;

/// A text that is not JSON, or JSON that is not as expected; one sentence says where.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonError(pub String);

impl fmt::Display for JsonError {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for JsonError {}

pub type Result<T> = std::result::Result<T, JsonError>;

pub fn problem<T>(text: impl Into<String>) -> Result<T> {
    Err(JsonError(text.into()))
}

/// Any JSON value. Objects keep the order of their members.
#[derive(Clone, Debug)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// Equal values; the order of members does not count.
impl PartialEq for Json {
    fn eq(&self, other: &Json) -> bool {
        match (self, other) {
            (Json::Null, Json::Null) => true,
            (Json::Bool(a), Json::Bool(b)) => a == b,
            (Json::Number(a), Json::Number(b)) => a == b,
            (Json::Text(a), Json::Text(b)) => a == b,
            (Json::List(a), Json::List(b)) => a == b,
            (Json::Object(a), Json::Object(b)) => {
                a.len() == b.len() && a.iter().all(|(name, value)| other.find(name) == Some(value))
            }
            _ => false,
        }
    }
}

impl Json {
    /// An object with these members.
    pub fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
        Json::Object(members.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
    }

    pub fn text(text: &str) -> Json {
        Json::Text(text.to_string())
    }

    pub fn is_text(&self, text: &str) -> bool {
        matches!(self, Json::Text(found) if found == text)
    }

    pub fn as_text(&self) -> Result<&str> {
        match self {
            Json::Text(text) => Ok(text),
            _ => problem("expected a text"),
        }
    }

    pub fn as_number(&self) -> Result<f64> {
        match self {
            Json::Number(number) => Ok(*number),
            _ => problem("expected a number"),
        }
    }

    /// A whole number; those that the games use are exact.
    pub fn as_integer(&self) -> Result<i64> {
        let number = self.as_number()?;
        if number.fract() != 0.0 || number.abs() > 9_007_199_254_740_992.0 {
            return problem("expected a whole number");
        }
        Ok(number as i64)
    }

    pub fn as_list(&self) -> Result<&[Json]> {
        match self {
            Json::List(items) => Ok(items),
            _ => problem("expected a list"),
        }
    }

    pub fn as_object(&self) -> Result<&[(String, Json)]> {
        match self {
            Json::Object(members) => Ok(members),
            _ => problem("expected an object"),
        }
    }

    /// The value of a member of an object.
    pub fn find(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(each, _)| each == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The same, if it must be there.
    pub fn at(&self, name: &str) -> Result<&Json> {
        self.find(name).ok_or_else(|| JsonError(format!("the field {name} is missing")))
    }

    /// This object with another member, which is the last one.
    pub fn with(mut self, name: &str, value: Json) -> Json {
        if let Json::Object(members) = &mut self {
            members.retain(|(each, _)| each != name);
            members.push((name.to_string(), value));
        }
        self
    }

    /// This object without a member.
    pub fn without(mut self, name: &str) -> Json {
        if let Json::Object(members) = &mut self {
            members.retain(|(each, _)| each != name);
        }
        self
    }
}
