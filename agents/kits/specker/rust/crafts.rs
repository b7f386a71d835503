//! How to play a challenge. The challenge's file defines its predicates, raw material and solutions.

use crate::json::{problem, Json, Result};

/// Prices and accounts are whole numbers of 10^-9 energy.
pub const ENERGY: i64 = 1_000_000_000;

/// Random numbers of its own: equal matches give equal answers, so that saved moves can be test cases.
pub struct Random(pub u32);

impl Random {
    /// A whole number from 0 to `below` - 1.
    pub fn below(&mut self, below: i64) -> i64 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (f64::from(self.0) / 4_294_967_296.0 * below as f64) as i64
    }

    /// Returns `count` different random elements, or all of a shorter list.
    pub fn pick<T>(&mut self, mut list: Vec<T>, count: i64) -> Vec<T> {
        let mut picked = Vec::new();
        while (picked.len() as i64) < count && !list.is_empty() {
            let at = self.below(list.len() as i64);
            picked.push(list.remove(at as usize));
        }
        picked
    }

    /// This many numbers from 1 to `most`.
    pub fn some(&mut self, count: i64, most: i64) -> Vec<i64> {
        (0..count).map(|_| 1 + self.below(most)).collect()
    }
}

/// Raw material, a solution of it, and a lower bound of that solution's quality, "p/q".
pub struct Material {
    pub instance: Json,
    pub solution: Json,
    pub quality: String,
}

/// A predicate to sell, and its price in 10^-9 energy.
pub struct Idea {
    pub predicate: Json,
    pub price: i64,
}

pub fn whole(number: i64) -> Json {
    Json::Number(number as f64)
}

pub fn wholes(numbers: &[i64]) -> Json {
    Json::List(numbers.iter().copied().map(whole).collect())
}

/// The numbers of a list.
pub fn integers(list: &Json) -> Result<Vec<i64>> {
    list.as_list()?.iter().map(Json::as_integer).collect()
}

/// The first element of a list that is a field of an object.
pub fn first<'a>(json: &'a Json, name: &str) -> Result<&'a Json> {
    match json.at(name)?.as_list()?.first() {
        Some(found) => Ok(found),
        None => problem(format!("{name}: the list is empty")),
    }
}

/// The element of a list whose measure is least; the first of equals.
pub fn least<'a>(list: &'a Json, measure: impl Fn(&Json) -> i64) -> Result<&'a Json> {
    match list.as_list()?.iter().min_by_key(|each| measure(each)) {
        Some(found) => Ok(found),
        None => problem("the list is empty"),
    }
}

/// A key that is the same for equal predicates: their parts are a set.
pub fn key_of(predicate: &Json) -> Result<String> {
    let parts = match predicate.as_object()?.first() {
        Some((_, parts)) => parts.as_list()?,
        None => return problem("the predicate has no parts"),
    };
    let mut texts: Vec<String> = parts.iter().map(Json::to_string).collect();
    texts.sort();
    texts.dedup();
    Ok(texts.join(" "))
}
