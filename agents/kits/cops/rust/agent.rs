//! A robber and a cop that wander about. The last functions of each make the decisions: start there.
//!
//! agent.json starts this program with the role as its argument.
#![allow(dead_code)]

mod cops;
mod fields;
mod json;
mod json_text;
mod lines;
mod messages;
mod messages_json;
mod tartaglia;

use cops::{Brain, CopBrain, CopOrders, RobberBrain, RobberMove};
use messages::*;
use std::collections::{HashMap, VecDeque};

/// Corners next to each other.
type Ways = HashMap<String, Vec<String>>;

/// The map from the point of view of a player that moves on it.
struct Town {
    foot: Ways,
    car: Ways,
    /// Results of `moves`.
    known: HashMap<(String, Ptype), HashMap<String, i64>>,
}

fn add(list: &mut Vec<String>, corner: &str) {
    if !list.iter().any(|each| each == corner) {
        list.push(corner.to_string());
    }
}

impl Town {
    fn new(game: &Skeleton) -> Town {
        // Standing still is a move.
        let alone = || game.nodes.iter().map(|node| (node.loc.clone(), vec![node.loc.clone()])).collect::<Ways>();
        let (mut foot, mut car) = (alone(), alone());
        for edge in &game.edges {
            add(car.entry(edge.from.clone()).or_default(), &edge.to);
            if edge.type_ == EdgeType::Foot {
                add(foot.entry(edge.from.clone()).or_default(), &edge.to);
                add(foot.entry(edge.to.clone()).or_default(), &edge.from);
            }
        }
        Town { foot, car, known: HashMap::new() }
    }

    /// The corners that a player can be on after a move.
    fn next(&self, loc: &str, ptype: Ptype) -> &[String] {
        let ways = if ptype == Ptype::CopCar { &self.car } else { &self.foot };
        ways.get(loc).map_or(&[], Vec::as_slice)
    }

    /// The number of moves to each corner.
    fn moves(&mut self, from: &str, ptype: Ptype) -> &HashMap<String, i64> {
        let key = (from.to_string(), ptype);
        if !self.known.contains_key(&key) {
            let mut found = HashMap::from([(from.to_string(), 0)]);
            let mut queue = VecDeque::from([from.to_string()]);
            while let Some(loc) = queue.pop_front() {
                let moves = found[&loc] + 1;
                for to in self.next(&loc, ptype) {
                    if !found.contains_key(to) {
                        found.insert(to.clone(), moves);
                        queue.push_back(to.clone());
                    }
                }
            }
            self.known.insert(key.clone(), found);
        }
        &self.known[&key]
    }
}

/// The corner with the best rating; the first of equals.
fn best_of(corners: &[String], mut worth: impl FnMut(&str) -> f64) -> String {
    let mut best = String::new();
    let mut most = f64::NEG_INFINITY;
    for corner in corners {
        let rating = worth(corner);
        if rating > most || best.is_empty() {
            best = corner.clone();
            most = rating;
        }
    }
    best
}

struct Robber {
    name: String,
    town: Town,
}

impl Brain for Robber {
    fn new(game: Skeleton) -> Robber {
        Robber { town: Town::new(&game), name: game.name }
    }
}

impl RobberBrain for Robber {
    fn next_move(&mut self, world: &World, _offers: Option<&[String]>) -> RobberMove {
        let me = world.players.iter().find(|player| player.bot == self.name);
        let here = me.map_or(String::new(), |player| player.loc.clone());
        let corners = self.town.next(&here, Ptype::Robber).to_vec();
        RobberMove { loc: best_of(&corners, |corner| self.worth(corner, world)), push: None, choose: None }
    }
}

impl Robber {
    /// The number of moves from the nearest cop to a corner.
    fn safety(&mut self, corner: &str, world: &World) -> f64 {
        let mut least = f64::INFINITY;
        for player in world.players.iter().filter(|player| player.bot != self.name) {
            if let Some(moves) = self.town.moves(&player.loc, player.ptype).get(corner) {
                least = least.min(*moves as f64);
            }
        }
        least
    }

    /// The robber's rating of a corner; it moves to the best one.
    fn worth(&mut self, corner: &str, world: &World) -> f64 {
        ((corner.len() as i64 + world.world) % 7) as f64
    }
}

struct Cop {
    name: String,
    robber: String,
    /// Which of the five cops it is, from 0.
    number: usize,
    banks: Vec<String>,
    town: Town,
    /// The corners where the robber may be.
    suspects: Vec<String>,
}

impl Brain for Cop {
    fn new(game: Skeleton) -> Cop {
        let tagged = |tag| game.nodes.iter().filter(|node| node.tag == tag).map(|node| node.loc.clone()).collect();
        let number = game.cops.iter().position(|cop| *cop == game.name).unwrap_or(0);
        let (banks, suspects) = (tagged(NodeTag::Bank), tagged(NodeTag::RobberStart));
        let town = Town::new(&game);
        Cop { name: game.name, robber: game.robber, number, banks, town, suspects }
    }

    /// Called after the robber's move: works out where it may be, and informs the other cops.
    fn inform(&mut self, world: &World) -> Vec<Inform> {
        let mut all = Vec::new();
        for to in self.suspects.iter().flat_map(|loc| self.town.next(loc, Ptype::Robber)) {
            add(&mut all, to);
        }
        let seen = world.players.iter().find(|player| player.bot == self.robber);
        let left: Vec<String> = match seen {
            Some(player) => vec![player.loc.clone()],
            None => all.iter().filter(|corner| self.suspect(corner, world)).cloned().collect(),
        };
        self.suspects = if left.is_empty() { all.clone() } else { left };
        all.retain(|corner| !self.suspects.contains(corner));
        self.tell(&all, world)
    }

    /// Receives the reports of all cops. Suggests nothing.
    fn plan(&mut self, informs: &[InformsFrom], _world: &World) -> Vec<Planned> {
        let all: Vec<&Inform> = informs.iter().flat_map(|from| &from.informs).collect();
        self.hear(&all);
        Vec::new()
    }
}

impl CopBrain for Cop {
    fn next_move(&mut self, _winner: Option<&str>, world: &World) -> CopOrders {
        let (here, ptype) = self.me(world);
        let corners = self.town.next(&here, ptype).to_vec();
        let loc = best_of(&corners, |corner| self.hope(corner, world));
        let moves = vec![BotMove { bot: self.name.clone(), loc, ptype }];
        CopOrders { moves, market: Market::StraightArrow, accuse: Vec::new() }
    }
}

impl Cop {
    /// My corner, and my type: on foot or in a car.
    fn me(&self, world: &World) -> (String, Ptype) {
        let me = world.players.iter().find(|player| player.bot == self.name);
        me.map_or((String::new(), Ptype::CopFoot), |player| (player.loc.clone(), player.ptype))
    }

    /// Chooses from the corners without the robber those to report: only its own corner.
    fn tell(&self, corners: &[String], world: &World) -> Vec<Inform> {
        let (here, _) = self.me(world);
        let told = |loc: &String| Inform {
            bot: self.robber.clone(),
            loc: loc.clone(),
            ptype: Ptype::Robber,
            world: world.world,
            certainty: -100,
        };
        corners.iter().filter(|corner| **corner == here).map(told).collect()
    }

    /// Uses the reports of all cops: believes the first one that is certain of the robber's corner.
    fn hear(&mut self, informs: &[&Inform]) {
        if let Some(claim) = informs.iter().find(|each| each.bot == self.robber && each.certainty == 100) {
            self.suspects = vec![claim.loc.clone()];
        }
    }

    /// True if the robber, while nobody sees it, may be on a corner.
    fn suspect(&self, corner: &str, world: &World) -> bool {
        corner != self.me(world).0
    }

    /// The cop's rating of a corner; it moves to the best one.
    fn hope(&mut self, corner: &str, world: &World) -> f64 {
        ((corner.len() as i64 + world.world) % 7) as f64
    }
}

fn main() {
    cops::play::<Robber, Cop>("Fox", Ptype::CopFoot);
}
