//! Haggling for programs in Rust: the dialogue, and what an agent must have.

use crate::fields::{FromJson, ToJson};
use crate::json::{problem, Json};
use crate::messages::*;
use crate::tartaglia::{run, Dialogue};

/// A number of objects for each type.
pub type Share = Vec<i64>;

/// A player of one match: see agent.rs.
pub trait Haggler {
    fn new(opt: Opt) -> Self;

    /// My turn. `offered` is what the partner leaves me, if it has made an offer. Returns what I demand; None: I accept.
    fn offer(&mut self, offered: Option<Share>) -> Option<Share>;
}

/// The dialogue of a match.
fn new_match<A: Haggler + 'static>() -> Dialogue {
    let mut agent: Option<A> = None;
    Box::new(move |message| match (Told::from_json(message)?, &mut agent) {
        (Told::Start(start), _) => {
            agent = Some(A::new(start.opt));
            Ok(Ready {}.to_json())
        }
        (Told::Turn(turn), Some(agent)) => Ok(Demand { offer: agent.offer(turn.offer) }.to_json()),
        (Told::Turn(_), None) => problem("a turn before the start"),
    })
}

/// The same with the messages of saved moves: those that scripts get.
fn as_script<A: Haggler + 'static>() -> Dialogue {
    let mut answer = new_match::<A>();
    Box::new(move |message| {
        let is_start = message.at("type")?.is_text("start");
        let told = if is_start {
            let opt = message.clone().with("max_rounds", message.at("maxRounds")?.clone());
            Json::object([("type", Json::text("start")), ("opt", opt)])
        } else {
            let turn = Json::object([("type", Json::text("offer"))]);
            match message.at("offer")? {
                Json::Null => turn,
                offer => turn.with("offer", offer.clone()),
            }
        };
        let demand = answer(&told)?.find("offer").cloned();
        Ok(Json::object([("value", demand.unwrap_or(Json::Null))]))
    })
}

/// The main function of an agent; see `tartaglia::run`.
pub fn play<A: Haggler + 'static>() {
    run(new_match::<A>, as_script::<A>);
}
