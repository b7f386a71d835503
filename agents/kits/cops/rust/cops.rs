//! Cops & Robbers for programs in Rust: the dialogue, and what a robber and a cop must have.

use crate::fields::{FromJson, ToJson};
use crate::json::{problem, Json, Result};
use crate::lines::{write, Reader};
use crate::messages::*;
use crate::tartaglia::{run_with, Dialogue};
use std::error::Error;

/// The common part of robbers and cops. In the first rule set the robber is asked for nothing of this.
pub trait Brain {
    fn new(game: Skeleton) -> Self
    where
        Self: Sized;

    /// Claims for the other brains of the round.
    fn inform(&mut self, _world: &World) -> Vec<Inform> {
        Vec::new()
    }

    /// Hears the claims of all, and suggests moves.
    fn plan(&mut self, _informs: &[InformsFrom], _world: &World) -> Vec<Planned> {
        Vec::new()
    }

    /// The names of all brains of the round, the one with the best plan first.
    fn vote(&mut self, plans: &[PlanFrom], _world: &World) -> Vec<String> {
        plans.iter().map(|each| each.bot.clone()).collect()
    }
}

/// A corner to go to; in the second rule set also a cop to push or cops to bribe.
pub struct RobberMove {
    pub loc: String,
    pub push: Option<Push>,
    pub choose: Option<Vec<String>>,
}

/// The robber of a match: see agent.rs.
pub trait RobberBrain: Brain {
    /// `offers`: the cops that can be bribed, if the robber has asked for them.
    fn next_move(&mut self, world: &World, offers: Option<&[String]>) -> RobberMove;

    /// Second rule set: true to ask which cops can be bribed.
    fn bribe(&mut self, _winner: Option<&str>, _world: &World) -> bool {
        false
    }
}

/// The moves of the robots of a brain, mostly only its own; the rest is for the second rule set.
pub struct CopOrders {
    pub moves: Vec<BotMove>,
    pub market: Market,
    pub accuse: Vec<String>,
}

/// A cop of a match: see agent.rs.
pub trait CopBrain: Brain {
    /// `winner`: the brain whose plan was elected.
    fn next_move(&mut self, winner: Option<&str>, world: &World) -> CopOrders;
}

enum Side {
    Robber(Box<dyn RobberBrain>),
    Cop(Box<dyn CopBrain>),
}

/// Makes the robber or the cop of a match.
type Made = fn(Skeleton) -> Side;

/// Passes messages to a robber or a cop, and answers them.
struct Conversation {
    registration: Register,
    made: Made,
    name: String,
    side: Option<Side>,
    world: Option<World>,
}

impl Conversation {
    fn new(registration: Register, made: Made) -> Conversation {
        Conversation { registration, made, name: String::new(), side: None, world: None }
    }

    /// The answer to a message; None if it asks for none.
    fn hear(&mut self, told: Told) -> Result<Option<Said>> {
        match told {
            Told::AskRegister(_) => return Ok(Some(Said::Register(self.registration.clone()))),
            Told::Skeleton(game) => {
                self.name = game.name.clone();
                self.side = Some((self.made)(game));
                return Ok(None);
            }
            Told::World(world) => {
                let asks = world.asks;
                self.world = Some(world);
                return match asks {
                    Some(asks) => self.answer_world(asks),
                    None => Ok(None),
                };
            }
            Told::Accused(_) => {
                eprintln!("accused rightly: the game goes on without this cop");
                return Ok(None);
            }
            Told::GameOver(_) => return Ok(None),
            _ => {}
        }
        let (side, world) = match (&mut self.side, &self.world) {
            (Some(side), Some(world)) => (side, world),
            _ => return problem("a round before the first world"),
        };
        Ok(match told {
            Told::AllInforms(all) => Some(Said::Plan(Plan { plan: side.plan(&all.from, world) })),
            Told::AllPlans(all) => Some(Said::Vote(Vote { ballot: side.vote(&all.from, world) })),
            Told::Tally(tally) => match (tally.asks, side) {
                (Some(TallyAsks::Bribe), Side::Robber(robber)) => {
                    Some(Said::Bribe(Bribe { asks: robber.bribe(tally.winner.as_deref(), world) }))
                }
                (Some(asks), Side::Cop(cop)) => {
                    let orders = cop.next_move(tally.winner.as_deref(), world);
                    Some(if asks == TallyAsks::Move { first_move(orders)? } else { self.orders(orders) })
                }
                _ => None,
            },
            Told::Offers(offers) => match side {
                Side::Cop(_) => None,
                Side::Robber(robber) => {
                    let RobberMove { loc, push, choose } = robber.next_move(world, offers.bots.as_deref());
                    let move_ = BotMove { bot: self.name.clone(), loc, ptype: Ptype::Robber };
                    Some(Said::RobberOrders(RobberOrders { move_, push, choose }))
                }
            },
            _ => None,
        })
    }

    fn answer_world(&mut self, asks: WorldAsks) -> Result<Option<Said>> {
        match (&mut self.side, &self.world) {
            (Some(Side::Robber(robber)), Some(world)) if asks == WorldAsks::Move => {
                let loc = robber.next_move(world, None).loc;
                Ok(Some(Said::Move(Move { loc, ptype: Ptype::Robber })))
            }
            (Some(side), Some(world)) => Ok(Some(Said::Informs(Informs { informs: side.inform(world) }))),
            _ => problem("a world before the map"),
        }
    }

    /// The orders in the second rule set; a dirty cop has no market.
    fn orders(&self, CopOrders { moves, market, accuse }: CopOrders) -> Said {
        let twist = self.world.as_ref().and_then(|world| world.twist.as_ref());
        let is_dirty = twist.map_or(false, |twist| twist.dirty.contains(&self.name));
        Said::Orders(Orders { market: if is_dirty { None } else { Some(market) }, moves, accuse })
    }
}

fn first_move(orders: CopOrders) -> Result<Said> {
    match orders.moves.into_iter().next() {
        Some(BotMove { loc, ptype, .. }) => Ok(Said::Move(Move { loc, ptype })),
        None => problem("a cop gave no move"),
    }
}

impl Side {
    fn inform(&mut self, world: &World) -> Vec<Inform> {
        match self {
            Side::Robber(robber) => robber.inform(world),
            Side::Cop(cop) => cop.inform(world),
        }
    }

    fn plan(&mut self, informs: &[InformsFrom], world: &World) -> Vec<Planned> {
        match self {
            Side::Robber(robber) => robber.plan(informs, world),
            Side::Cop(cop) => cop.plan(informs, world),
        }
    }

    fn vote(&mut self, plans: &[PlanFrom], world: &World) -> Vec<String> {
        match self {
            Side::Robber(robber) => robber.vote(plans, world),
            Side::Cop(cop) => cop.vote(plans, world),
        }
    }
}

/// Plays a match over the lines of the contest of 2005.
fn play_lines(role: Role, registration: Register, made: Made) -> std::result::Result<(), Box<dyn Error>> {
    write(&Said::Register(registration.clone()))?;
    let mut conversation = Conversation::new(registration, made);
    let mut reader = Reader { role, world: 0, has_twist: false };
    while let Some(told) = reader.next()? {
        let is_over = matches!(told, Told::GameOver(_));
        if let Some(said) = conversation.hear(told)? {
            write(&said)?;
        }
        if is_over {
            break;
        }
    }
    Ok(())
}

/// The main function of an agent: its argument is the role, `robber` or `cop`; `--test PATH...` tests saved moves.
pub fn play<R: RobberBrain + 'static, C: CopBrain + 'static>(name: &'static str, starts: Ptype) {
    let as_robber: Made = |game| Side::Robber(Box::new(R::new(game)));
    let as_cop: Made = |game| Side::Cop(Box::new(C::new(game)));
    let side = move |role: Role| {
        let (ptype, made) = if role == Role::Robber { (Ptype::Robber, as_robber) } else { (starts, as_cop) };
        (Register { bot: name.to_string(), ptype }, made)
    };
    let as_script = move || -> Dialogue {
        let mut conversation: Option<Conversation> = None;
        Box::new(move |message| {
            let told = Told::from_json(message)?;
            if let Told::AskRegister(asked) = &told {
                let (registration, made) = side(asked.role);
                conversation = Some(Conversation::new(registration, made));
            }
            match &mut conversation {
                Some(conversation) => Ok(conversation.hear(told)?.map_or(Json::Null, |said| said.to_json())),
                None => problem("a message before the registration"),
            }
        })
    };
    let play = || match std::env::args().nth(1).as_deref() {
        Some("robber") => {
            let (registration, made) = side(Role::Robber);
            play_lines(Role::Robber, registration, made)
        }
        Some("cop") => {
            let (registration, made) = side(Role::Cop);
            play_lines(Role::Cop, registration, made)
        }
        _ => Err("usage: agent robber|cop, or agent --test PATH...".into()),
    };
    run_with(play, &as_script);
}
