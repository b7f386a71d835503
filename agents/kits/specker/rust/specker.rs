//! The Specker Challenge Game for programs in Rust: the dialogue, and a player that keeps the rules in any built-in challenge.

use crate::challenges::BuiltIn;
use crate::crafts::*;
use crate::fields::{FromJson, ToJson};
use crate::json::{problem, Json, Result};
use crate::messages::*;
use crate::sha256::sha256;
use crate::tartaglia::{run, Dialogue};
use std::collections::HashMap;

/// A constraint of max-csp.
pub struct Constraint {
    pub weight: i64,
    /// 0 to 255: bit 4x + 2y + z is 1 if the constraint is satisfied when its three variables are x, y and z.
    pub relation: i64,
    /// Three different variables.
    pub variables: Vec<i64>,
}

/// Raw material of max-csp. Variables are numbered from 1 to `variables`.
pub struct Instance {
    pub variables: i64,
    pub constraints: Vec<Constraint>,
}

/// The settings of max-csp.
#[derive(Clone, Copy)]
pub struct Limits {
    pub max_vars: i64,
    pub max_constraints: i64,
    pub max_weight: i64,
}

/// The decisions of an agent in max-csp: see agent.rs.
pub trait Decisions {
    fn new(start: Start, limits: Limits) -> Self;
    fn is_worth(&mut self, relations: &[i64], price: i64, random: &mut Random) -> bool;
    fn idea(&mut self, random: &mut Random) -> (i64, i64);
    fn raw_material(&mut self, relations: &[i64], random: &mut Random) -> Instance;
    fn solve(&mut self, instance: &Instance, random: &mut Random) -> Vec<i64>;
}

/// The weight of the constraints that these values satisfy.
pub fn weight_met(instance: &Instance, values: &[i64]) -> i64 {
    let is_met = |constraint: &&Constraint| {
        let row = constraint.variables.iter().fold(0, |row, variable| 2 * row + values[*variable as usize - 1]);
        (constraint.relation >> row) % 2 == 1
    };
    instance.constraints.iter().filter(is_met).map(|constraint| constraint.weight).sum()
}

/// How the challenge of the match is played.
enum Craft<D> {
    MaxCsp(D),
    BuiltIn(BuiltIn),
}

/// Does what the rules require in any challenge.
struct Player<D> {
    start: Start,
    craft: Craft<D>,
    random: Random,
    /// Secrets of its own secret challenges by number, until they are revealed: the solution and the nonce.
    secrets: HashMap<i64, (Json, String)>,
}

/// The lowest price of each predicate for sale as the same kind as mine.
type Lowest = HashMap<String, i64>;

fn lower(lowest: &mut Lowest, predicate: &Json, price: i64) -> Result<()> {
    let least = lowest.entry(key_of(predicate)?).or_insert(price);
    *least = price.min(*least);
    Ok(())
}

impl<D: Decisions> Player<D> {
    fn new(start: Start) -> Result<Player<D>> {
        let Challenge { name, config, .. } = start.challenge.clone();
        let limit = |name: &str| config.at(name)?.as_integer();
        let craft = if name == "max-csp" {
            let (max_vars, max_constraints) = (limit("maxVars")?, limit("maxConstraints")?);
            let limits = Limits { max_vars, max_constraints, max_weight: limit("maxWeight")? };
            Craft::MaxCsp(D::new(start.clone(), limits))
        } else {
            Craft::BuiltIn(BuiltIn { name, limits: config })
        };
        let random = Random((start.me + 1) as u32);
        Ok(Player { start, craft, random, secrets: HashMap::new() })
    }

    fn turn(&mut self, view: &Turn) -> Result<Vec<Action>> {
        let mut actions = Vec::new();
        // Rule 4: fulfil obligations first.
        for sold in &view.to_deliver {
            actions.push(Action::Deliver(self.delivery(sold)?));
        }
        for due in &view.to_solve {
            let solution = self.solve(&due.instance)?;
            actions.push(Action::Solve(Solve { challenge: due.challenge, solution }));
        }
        for due in view.to_reveal.iter().flatten() {
            let challenge = due.challenge;
            match self.secrets.remove(&challenge) {
                Some((solution, nonce)) => actions.push(Action::Reveal(Reveal { challenge, solution, nonce })),
                None => return problem(format!("the secret of challenge {challenge} is unknown")),
            }
        }
        if view.trading {
            self.trade(view, &mut actions)?;
        }
        Ok(actions)
    }

    fn delivery(&mut self, sold: &Sold) -> Result<Deliver> {
        let Material { instance, solution, quality } = self.raw_material(&sold.predicate)?;
        let challenge = sold.challenge;
        if sold.kind != Some(Kind::Secret) {
            return Ok(Deliver { challenge, instance, secret: None });
        }
        let nonce: String = (0..64).map(|_| format!("{:x}", self.random.below(16))).collect();
        let opening = Json::List(vec![solution.clone(), Json::text(&nonce)]);
        self.secrets.insert(challenge, (solution, nonce));
        let secret = Secret { quality, commitment: sha256(&opening.to_string()) };
        Ok(Deliver { challenge, instance, secret: Some(secret) })
    }

    /// Rules 2 and 3: buys one challenge or lowers all offers of others, and offers something new.
    fn trade(&mut self, view: &Turn, actions: &mut Vec<Action>) -> Result<()> {
        let kind = match self.start.config.variant {
            Some(Variant::Belief) => Kind::Belief,
            Some(Variant::Secret) => Kind::Secret,
            _ => Kind::Classic,
        };
        let mut lowest = Lowest::new();
        for offer in view.store.iter().filter(|offer| offer.kind.unwrap_or(Kind::Classic) == kind) {
            lower(&mut lowest, &offer.predicate, offer.price)?;
        }
        if matches!(view.step, None | Some(Step::Decide)) {
            self.buy_or_lower(view, kind, &mut lowest, actions)?;
        }
        if !matches!(view.step, None | Some(Step::Offer)) {
            return Ok(());
        }
        let config = &self.start.config;
        let mine = view.store.iter().filter(|offer| offer.seller == self.start.me).count() as i64;
        let wanted = match config.mode {
            Some(Mode::Asynchronous) => i64::from(mine < config.offers_max),
            _ => config.offers_min.max(1),
        };
        for _ in 0..wanted {
            match self.new_offer(&lowest)? {
                None => break,
                Some(Idea { predicate, price }) => {
                    lower(&mut lowest, &predicate, price)?;
                    actions.push(Action::Offer(Offer { predicate, price, kind: None, f: None }));
                }
            }
        }
        Ok(())
    }

    fn buy_or_lower(&mut self, view: &Turn, kind: Kind, lowest: &mut Lowest, actions: &mut Vec<Action>) -> Result<()> {
        let me = self.start.me;
        let others: Vec<&StoreEntry> = view.store.iter().filter(|offer| offer.seller != me).collect();
        for offer in &others {
            let is_cheap = offer.price < view.account;
            if is_cheap && (offer.price == 0 || self.is_worth(&offer.predicate, offer.price)?) {
                actions.push(Action::Accept(Accept { challenge: offer.challenge }));
                return Ok(());
            }
        }
        if self.start.config.mode == Some(Mode::Asynchronous) {
            return Ok(());
        }
        for offer in others {
            let price = (offer.price - self.start.config.mindec).max(0);
            actions.push(Action::Reoffer(Reoffer { challenge: offer.challenge, price }));
            if offer.kind.unwrap_or(Kind::Classic) == kind {
                lower(lowest, &offer.predicate, price)?;
            }
        }
        Ok(())
    }

    /// An offer of a predicate that nobody offers or, if none is left, at a price below all others.
    fn new_offer(&mut self, lowest: &Lowest) -> Result<Option<Idea>> {
        let league = self.league_parts();
        for tries in 0..300 {
            let parts = match league {
                Some(parts) => parts,
                None if tries < 200 => 1,
                None => 1 + self.random.below(5),
            };
            if let Some(Idea { predicate, price }) = self.idea(parts)? {
                match lowest.get(&key_of(&predicate)?) {
                    Some(taken) if *taken <= price => {
                        if tries >= 250 && *taken > 0 {
                            return Ok(Some(Idea { predicate, price: taken - 1 }));
                        }
                    }
                    _ => return Ok(Some(Idea { predicate, price })),
                }
            }
        }
        Ok(None)
    }

    /// The number of parts that predicates must have in this match, if it has such a league.
    fn league_parts(&self) -> Option<i64> {
        match self.start.config.league.as_deref() {
            Some(league) if league.starts_with("level-k") => Some(self.start.config.league_parameter.unwrap_or(2)),
            Some("t-ball") | Some("slow-pitch") => Some(1),
            _ => None,
        }
    }

    fn is_worth(&mut self, predicate: &Json, price: i64) -> Result<bool> {
        match &mut self.craft {
            Craft::BuiltIn(_) => Ok(self.random.below(ENERGY) >= price),
            Craft::MaxCsp(agent) => Ok(agent.is_worth(&integers(predicate.at("relations")?)?, price, &mut self.random)),
        }
    }

    fn idea(&mut self, parts: i64) -> Result<Option<Idea>> {
        let random = &mut self.random;
        let agent = match &mut self.craft {
            Craft::MaxCsp(agent) => agent,
            Craft::BuiltIn(challenge) => {
                let predicate = challenge.predicate(parts, random)?;
                return Ok(predicate.map(|predicate| Idea { predicate, price: random.below(ENERGY + 1) }));
            }
        };
        let (relation, price) = agent.idea(random);
        let of = |relations: &[i64]| Some(Idea { predicate: Json::object([("relations", wholes(relations))]), price });
        if parts == 1 {
            return Ok(of(&[relation]));
        }
        // Different relations with the same number of rows never imply each other.
        let same = |rows: u32| (0..256).filter(|relation: &i64| relation.count_ones() == rows).collect::<Vec<i64>>();
        let mut enough: Vec<Vec<i64>> = (0..=8).map(same).filter(|each| each.len() as i64 >= parts).collect();
        if enough.is_empty() {
            return Ok(None);
        }
        let at = random.below(enough.len() as i64) as usize;
        Ok(of(&random.pick(enough.swap_remove(at), parts)))
    }

    fn raw_material(&mut self, predicate: &Json) -> Result<Material> {
        let agent = match &mut self.craft {
            Craft::MaxCsp(agent) => agent,
            Craft::BuiltIn(challenge) => return challenge.raw_material(predicate),
        };
        let instance = agent.raw_material(&integers(predicate.at("relations")?)?, &mut self.random);
        let values = agent.solve(&instance, &mut self.random);
        let weight: i64 = instance.constraints.iter().map(|each| each.weight).sum();
        let written = |each: &Constraint| {
            Json::object([
                ("weight", whole(each.weight)),
                ("relation", whole(each.relation)),
                ("variables", wholes(&each.variables)),
            ])
        };
        let constraints = Json::List(instance.constraints.iter().map(written).collect());
        Ok(Material {
            quality: format!("{}/{weight}", weight_met(&instance, &values)),
            instance: Json::object([("variables", whole(instance.variables)), ("constraints", constraints)]),
            solution: Json::object([("values", wholes(&values))]),
        })
    }

    fn solve(&mut self, given: &Json) -> Result<Json> {
        let agent = match &mut self.craft {
            Craft::MaxCsp(agent) => agent,
            Craft::BuiltIn(challenge) => return challenge.solve(given, &mut self.random),
        };
        let read = |each: &Json| {
            Ok(Constraint {
                weight: each.at("weight")?.as_integer()?,
                relation: each.at("relation")?.as_integer()?,
                variables: integers(each.at("variables")?)?,
            })
        };
        let constraints: Result<Vec<Constraint>> = given.at("constraints")?.as_list()?.iter().map(read).collect();
        let instance = Instance { variables: given.at("variables")?.as_integer()?, constraints: constraints? };
        Ok(Json::object([("values", wholes(&agent.solve(&instance, &mut self.random)))]))
    }
}

/// The dialogue of a match.
fn new_match<D: Decisions + 'static>() -> Dialogue {
    let mut player: Option<Player<D>> = None;
    Box::new(move |message| match (Told::from_json(message)?, &mut player) {
        (Told::Start(start), _) => {
            player = Some(Player::new(start)?);
            Ok(Ready { protocol: None }.to_json())
        }
        (Told::Turn(turn), Some(player)) => Ok(Bundle { protocol: None, actions: player.turn(&turn)? }.to_json()),
        // A player that is removed is told so, and asked for nothing.
        (Told::Removed(_), _) => Ok(Json::Null),
        (Told::Turn(_), None) => problem("a turn before the start"),
    })
}

/// The main function of an agent; see `tartaglia::run`. Saved moves have the messages and answers of programs.
pub fn play<D: Decisions + 'static>() {
    run(new_match::<D>, new_match::<D>);
}
