//! Claims rivers by the rules and without much thought: always the first free one. The last function rates rivers: start
//! there.
#![allow(dead_code)]

mod fields;
mod json;
mod json_text;
mod messages;
mod messages_json;
mod punter;
mod tartaglia;

use messages::{Claim, Ends, Move, Pass, Passing, River, Setup};
use punter::Punter;
use std::collections::{HashMap, VecDeque};

struct Agent {
    /// My number.
    me: i64,
    /// The sites that are mines.
    mines: Vec<i64>,
    /// Rivers that nobody has.
    free: Vec<Ends>,
    /// My own.
    own: Vec<Ends>,
    /// Those of all others.
    others: Vec<Ends>,
    /// By mine: the number of rivers from it to each site.
    distances: HashMap<i64, HashMap<i64, i64>>,
}

impl Punter for Agent {
    fn new(setup: Setup) -> Agent {
        let (mines, free) = (setup.map.mines, setup.map.rivers);
        let distances = mines.iter().map(|mine| (*mine, reach(*mine, &free))).collect();
        Agent { me: setup.punter, mines, free, own: Vec::new(), others: Vec::new(), distances }
    }

    fn choose_move(&mut self, moves: &[Move]) -> Move {
        for each in moves {
            if let Move::Claim(Claim { claim }) = each {
                self.hear(claim);
            }
        }
        let punter = Some(self.me);
        match self.choose() {
            None => Move::Pass(Pass { pass: Passing { punter } }),
            Some(Ends { source, target }) => Move::Claim(Claim { claim: River { punter, source, target } }),
        }
    }
}

/// The sites that can be reached from a site over some rivers, each with the number of rivers on the way.
fn reach(from: i64, rivers: &[Ends]) -> HashMap<i64, i64> {
    let mut next: HashMap<i64, Vec<i64>> = HashMap::new();
    for Ends { source, target } in rivers {
        next.entry(*source).or_default().push(*target);
        next.entry(*target).or_default().push(*source);
    }
    let mut found = HashMap::from([(from, 0)]);
    let mut queue = VecDeque::from([from]);
    while let Some(site) = queue.pop_front() {
        let distance = found[&site] + 1;
        for there in next.get(&site).into_iter().flatten() {
            if !found.contains_key(there) {
                found.insert(*there, distance);
                queue.push_back(*there);
            }
        }
    }
    found
}

impl Agent {
    /// Records the claim of a river.
    fn hear(&mut self, claim: &River) {
        let River { source, target, .. } = *claim;
        let rivers = if claim.punter == Some(self.me) { &mut self.own } else { &mut self.others };
        rivers.push(Ends { source, target });
        let is_it = |river: &Ends| {
            (river.source, river.target) == (source, target) || (river.source, river.target) == (target, source)
        };
        self.free.retain(|river| !is_it(river));
    }

    /// The free river with the best rating; the first of equals.
    fn choose(&self) -> Option<Ends> {
        let mut best = None;
        let mut most = -1;
        for river in &self.free {
            let worth = self.worth(river);
            if worth > most {
                best = Some(river.clone());
                most = worth;
            }
        }
        best
    }

    /// The rating of a free river: 0 or more.
    fn worth(&self, _river: &Ends) -> i64 {
        1
    }
}

fn main() {
    punter::play::<Agent>();
}
