//! Plays by the rules with a simple strategy: it demands everything that is worth something to it and accepts half of the
//! total value. The three functions at the end make its decisions: start there.
#![allow(dead_code)]

mod fields;
mod haggle;
mod json;
mod json_text;
mod messages;
mod messages_json;
mod tartaglia;

use haggle::{Haggler, Share};
use messages::Opt;

struct Agent {
    /// 0: the first turn is mine.
    me: i64,
    /// The number of objects of each type.
    counts: Share,
    /// The value of one object of each type to me.
    values: Vec<i64>,
    /// The maximum number of turns for each of us.
    max_rounds: i64,
    /// The offers so far, oldest first.
    offers: Vec<Share>,
    /// The number of its current turn, from 1.
    turn: i64,
}

impl Haggler for Agent {
    fn new(opt: Opt) -> Agent {
        let Opt { me, counts, values, max_rounds } = opt;
        Agent { me, counts, values, max_rounds, offers: Vec::new(), turn: 0 }
    }

    fn offer(&mut self, offered: Option<Share>) -> Option<Share> {
        self.turn += 1;
        if let Some(share) = offered {
            self.offers.push(share.clone());
            if self.is_enough(&share) {
                return None;
            }
        }
        Some(self.demand())
    }
}

impl Agent {
    /// The value of a share to me.
    fn worth(&self, share: &[i64]) -> i64 {
        share.iter().zip(&self.values).map(|(count, value)| count * value).sum()
    }

    /// True if an offer is good enough to accept.
    fn is_enough(&self, offered: &[i64]) -> bool {
        2 * self.worth(offered) >= self.worth(&self.counts)
    }

    /// The share to demand.
    fn demand(&self) -> Share {
        let wanted = |(count, value): (&i64, &i64)| if *value > 0 { *count } else { 0 };
        self.counts.iter().zip(&self.values).map(wanted).collect()
    }

    /// The apparent value of an object of each type to the partner; only the proportions matter.
    fn dear(&self) -> Vec<f64> {
        vec![1.0; self.counts.len()]
    }
}

fn main() {
    haggle::play::<Agent>();
}
