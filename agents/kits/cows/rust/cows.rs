//! Cows and Herders for programs in Rust: the dialogue, and what a team must have. One program plays all herders of a team.

use crate::fields::{FromJson, ToJson};
use crate::json::problem;
use crate::messages::*;
use crate::tartaglia::{run, Dialogue};

/// The herders of one match: see agent.rs.
pub trait Team {
    fn new(start: Start) -> Self;

    /// The action of a herder. In each step all herders are asked, one after another; `body` is its number, from 0.
    fn act(&mut self, body: i64, perception: &Perception) -> Action;
}

/// The dialogue of a match.
fn new_match<T: Team + 'static>() -> Dialogue {
    let mut team: Option<T> = None;
    Box::new(move |message| {
        let body = message.at("body")?;
        let answer = match (Told::from_json(message)?, &mut team) {
            (Told::Start(start), _) => {
                // Each herder receives the same message.
                team.get_or_insert_with(|| T::new(start));
                Ready {}.to_json()
            }
            (Told::Perception(perception), Some(team)) => {
                Act { action: team.act(body.as_integer()?, &perception) }.to_json()
            }
            (Told::Perception(_), None) => return problem("a step before the start"),
        };
        Ok(answer.with("body", body.clone()))
    })
}

/// The same with the messages of saved moves, which have the answers of scripts.
fn as_script<T: Team + 'static>() -> Dialogue {
    let mut answer = new_match::<T>();
    Box::new(move |message| Ok(answer(message)?.without("body")))
}

/// The main function of a team; see `tartaglia::run`.
pub fn play<T: Team + 'static>() {
    run(new_match::<T>, as_script::<T>);
}
