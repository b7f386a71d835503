//! Lambda Punter for programs in Rust: the dialogue, and what an agent must have.

use crate::fields::{FromJson, ToJson};
use crate::json::problem;
use crate::messages::*;
use crate::tartaglia::{run, Dialogue};

/// A player of one match: see agent.rs.
pub trait Punter {
    fn new(setup: Setup) -> Self;

    /// My turn. `moves` are the last moves of all punters, mine among them. An illegal move counts as a pass.
    fn choose_move(&mut self, moves: &[Move]) -> Move;

    /// Asked in matches with futures: the sites that I bet on, at most one for each mine.
    fn futures(&mut self) -> Vec<Future> {
        Vec::new()
    }

    /// Called at the end of a match.
    fn stop(&mut self, _stop: &Stop) {}
}

/// Prints the problems of the last move.
fn log_notes(notes: &Option<Vec<String>>) {
    for note in notes.iter().flatten() {
        eprintln!("{note}");
    }
}

/// The dialogue of a match.
fn new_match<A: Punter + 'static>() -> Dialogue {
    let mut agent: Option<A> = None;
    Box::new(move |message| match (Told::from_json(message)?, &mut agent) {
        (Told::Setup(setup), _) => {
            let ready = setup.punter;
            let bets = setup.settings.as_ref().map_or(false, |settings| settings.futures);
            let made = agent.insert(A::new(setup));
            let futures = if bets { made.futures() } else { Vec::new() };
            Ok(Ready { ready, futures: Some(futures) }.to_json())
        }
        (Told::Turn(turn), Some(agent)) => {
            log_notes(&turn.notes);
            Ok(match agent.choose_move(&turn.moves) {
                Move::Claim(claim) => claim.to_json(),
                Move::Pass(pass) => pass.to_json(),
                Move::Splurge(splurge) => splurge.to_json(),
                Move::Option(option) => option.to_json(),
            })
        }
        (Told::Stop(stop), Some(agent)) => {
            log_notes(&stop.notes);
            agent.stop(&stop);
            Ok(Stopped {}.to_json())
        }
        (_, None) => problem("a turn before the setup"),
    })
}

/// The main function of an agent; see `tartaglia::run`. Saved moves have the messages and answers of programs.
pub fn play<A: Punter + 'static>() {
    run(new_match::<A>, new_match::<A>);
}
