//! A team whose herders wander about. One value plays all of them, so each knows what the others have seen. The last
//! functions choose where a herder goes: start there.
#![allow(dead_code)]

mod cows;
mod fields;
mod json;
mod json_text;
mod messages;
mod messages_json;
mod tartaglia;

use cows::Team;
use messages::{Action, Cell, Perception, Start};
use std::collections::{HashMap, HashSet};

/// A place; x grows to the east, y to the south.
type Place = (i64, i64);

/// A cow that some herder has seen, and the step in which that was.
#[derive(Clone)]
struct Cow {
    name: String,
    place: Place,
    step: i64,
}

/// Moves by the change of x and y.
fn move_to(x: i64, y: i64) -> Option<Action> {
    match (x, y) {
        (0, -1) => Some(Action::North),
        (1, -1) => Some(Action::Northeast),
        (1, 0) => Some(Action::East),
        (1, 1) => Some(Action::Southeast),
        (0, 1) => Some(Action::South),
        (-1, 1) => Some(Action::Southwest),
        (-1, 0) => Some(Action::West),
        (-1, -1) => Some(Action::Northwest),
        _ => None,
    }
}

/// The distance between two points in a straight line.
fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    ((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)).sqrt()
}

fn point((x, y): Place) -> (f64, f64) {
    (x as f64, y as f64)
}

struct Herders {
    start: Start,
    /// The middle of the corral.
    home: (f64, f64),
    /// Cows that some herder has seen lately.
    herd: Vec<Cow>,
    /// The cow that each herder drives.
    chosen: HashMap<i64, Cow>,
}

impl Team for Herders {
    fn new(start: Start) -> Herders {
        let corral = &start.corral;
        let home = ((corral.x0 + corral.x1) as f64 / 2.0, (corral.y0 + corral.y1) as f64 / 2.0);
        Herders { start, home, herd: Vec::new(), chosen: HashMap::new() }
    }

    fn act(&mut self, body: i64, perception: &Perception) -> Action {
        self.look(perception);
        let goal = self.goal(body, perception);
        self.walk(perception, goal)
    }
}

impl Herders {
    /// Remembers the cows that a herder sees, and forgets those that are not where they were.
    fn look(&mut self, perception: &Perception) {
        let place = |cell: &Cell| (perception.x + cell.x, perception.y + cell.y);
        let seen: HashSet<Place> = perception.cells.iter().filter(|cell| !cell.unknown).map(place).collect();
        let step = perception.step;
        self.herd.retain(|cow| !seen.contains(&cow.place) && step - cow.step <= 30);
        for cell in &perception.cells {
            if let Some(name) = &cell.cow {
                let cow = Cow { name: name.clone(), place: place(cell), step };
                match self.herd.iter_mut().find(|each| each.name == *name) {
                    Some(known) => *known = cow,
                    None => self.herd.push(cow),
                }
            }
        }
    }

    /// The move to the best free cell on the way to a goal; the first of equals.
    fn walk(&self, perception: &Perception, goal: Place) -> Action {
        let mut best = Action::Skip;
        let mut most = f64::NEG_INFINITY;
        if (perception.x, perception.y) == goal {
            return best;
        }
        for cell in &perception.cells {
            let is_free = cell.cow.is_none() && cell.agent.is_none() && !cell.obstacle;
            if let (Some(action), true) = (move_to(cell.x, cell.y), is_free) {
                let worth = self.worth((perception.x + cell.x, perception.y + cell.y), goal);
                if worth > most {
                    best = action;
                    most = worth;
                }
            }
        }
        best
    }

    /// The place beyond a cow, seen from home, at a distance.
    fn beyond(&self, cow: Place, far: f64) -> Place {
        let length = distance(point(cow), self.home);
        let along = |a: f64, b: f64| (a + (a - b) * far / length + 0.5).floor() as i64;
        (along(cow.0 as f64, self.home.0), along(cow.1 as f64, self.home.1))
    }

    /// A place to explore: a different one for each herder, and every 20 steps.
    fn somewhere(&self, body: i64, step: i64) -> Place {
        let number = 7 * body + step / 20;
        (13 * number % self.start.width, 29 * number % self.start.height)
    }

    /// A herder's rating of a place on the way to its goal.
    fn worth(&self, place: Place, goal: Place) -> f64 {
        -distance(point(place), point(goal))
    }

    /// The cow that a herder drives; the first of equals.
    fn choose(&mut self, body: i64, me: Place) -> Option<Cow> {
        let mut best: Option<&Cow> = None;
        let mut least = f64::INFINITY;
        for cow in &self.herd {
            let way = distance(point(me), point(cow.place)) + distance(point(cow.place), self.home);
            if way < least {
                best = Some(cow);
                least = way;
            }
        }
        let best = best.cloned();
        match &best {
            Some(cow) => self.chosen.insert(body, cow.clone()),
            None => self.chosen.remove(&body),
        };
        best
    }

    /// The place that a herder heads for.
    fn goal(&mut self, body: i64, perception: &Perception) -> Place {
        self.somewhere(body, perception.step)
    }
}

fn main() {
    cows::play::<Herders>();
}
