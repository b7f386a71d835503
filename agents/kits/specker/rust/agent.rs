//! Plays the Specker Challenge Game by its rules, and otherwise at random. The four functions of `Decisions` decide how it plays
//! max-csp: start there. specker.rs keeps the rules, and challenges.rs plays the other built-in challenges at random.
#![allow(dead_code)]

mod challenges;
mod crafts;
mod fields;
mod json;
mod json_text;
mod messages;
mod messages_json;
mod sha256;
mod specker;
mod tartaglia;

use crafts::{Random, ENERGY};
use messages::Start;
use specker::{Constraint, Decisions, Instance, Limits};

/// `random.below(n)` gives a number from 0 to n - 1, and `specker::weight_met(instance, values)` the weight that is satisfied.
struct Agent {
    start: Start,
    limits: Limits,
}

impl Decisions for Agent {
    fn new(start: Start, limits: Limits) -> Agent {
        Agent { start, limits }
    }

    /// True to buy raw material of these relations at this price, in 10^-9 energy.
    fn is_worth(&mut self, _relations: &[i64], price: i64, random: &mut Random) -> bool {
        random.below(ENERGY) >= price
    }

    /// The relation to sell, from 0 to 255, and its price in 10^-9 energy.
    fn idea(&mut self, random: &mut Random) -> (i64, i64) {
        (random.below(256), random.below(ENERGY + 1))
    }

    /// The raw material to deliver: the harder, the better.
    fn raw_material(&mut self, relations: &[i64], _random: &mut Random) -> Instance {
        let constraint = |relation: &i64| Constraint { weight: 1, relation: *relation, variables: vec![1, 2, 3] };
        let constraints = relations.iter().map(constraint).take(self.limits.max_constraints as usize).collect();
        Instance { variables: 3, constraints }
    }

    /// A value for each variable, 0 or 1: the more weight is satisfied, the better.
    fn solve(&mut self, instance: &Instance, random: &mut Random) -> Vec<i64> {
        (0..instance.variables).map(|_| random.below(2)).collect()
    }
}

fn main() {
    specker::play::<Agent>();
}
