//! The lines of the contest of 2005: messages are read from them, and answers are written as such.

use crate::fields::Word;
use crate::messages::*;
use std::error::Error;
use std::io::{stdin, stdout, Write};

type Failure = Box<dyn Error>;
type Words = Vec<String>;

/// Reads the messages of a match. It knows whose they are, because lines do not say which answer is wanted.
pub struct Reader {
    pub role: Role,
    pub world: i64,
    pub has_twist: bool,
}

/// The words of a line behind its name.
fn words(line: &str, name: &str) -> Result<Words, Failure> {
    let mut words = line.split_whitespace().map(str::to_string);
    if words.next().as_deref() != Some(name) {
        return Err(format!("Expected a line of {name}, not {line}.").into());
    }
    Ok(words.collect())
}

fn word(words: &[String], at: usize) -> Result<String, Failure> {
    words.get(at).cloned().ok_or_else(|| "A line has too few words.".into())
}

fn number(words: &[String], at: usize) -> Result<i64, Failure> {
    Ok(word(words, at)?.parse()?)
}

fn one_of<W: Word>(words: &[String], at: usize) -> Result<W, Failure> {
    Ok(W::of(&word(words, at)?)?)
}

fn read() -> Result<Option<String>, Failure> {
    let mut line = String::new();
    let bytes = stdin().read_line(&mut line)?;
    Ok(if bytes == 0 { None } else { Some(line.trim_end_matches(&['\r', '\n'][..]).to_string()) })
}

fn line() -> Result<String, Failure> {
    read()?.ok_or_else(|| "The input ended within a message.".into())
}

fn expect(wanted: &str) -> Result<(), Failure> {
    match line()? {
        found if found == wanted => Ok(()),
        found => Err(format!("Expected the line {wanted}, not {found}.").into()),
    }
}

fn value(name: &str) -> Result<String, Failure> {
    word(&words(&line()?, name)?, 0)
}

/// Reads a section whose first line was read: `made` makes a value of the words of each line.
fn section<T>(name: &str, made: impl Fn(&[String]) -> Result<T, Failure>) -> Result<Vec<T>, Failure> {
    let (end, start) = (format!("{name}/"), format!("{name}:"));
    let mut all = Vec::new();
    loop {
        let found = line()?;
        if found == end {
            return Ok(all);
        }
        all.push(made(&words(&found, &start)?)?);
    }
}

/// The same with its first line.
fn whole_section<T>(name: &str, made: impl Fn(&[String]) -> Result<T, Failure>) -> Result<Vec<T>, Failure> {
    expect(&format!("{name}\\"))?;
    section(name, made)
}

fn first(words: &[String]) -> Result<String, Failure> {
    word(words, 0)
}

fn inform(words: &[String]) -> Result<Inform, Failure> {
    let Planned { bot, loc, ptype, world } = planned(words)?;
    Ok(Inform { bot, loc, ptype, world, certainty: number(words, 4)? })
}

fn planned(words: &[String]) -> Result<Planned, Failure> {
    let (bot, loc) = (word(words, 0)?, word(words, 1)?);
    Ok(Planned { bot, loc, ptype: one_of(words, 2)?, world: number(words, 3)? })
}

impl Reader {
    /// The next message; None at the end of the input.
    pub fn next(&mut self) -> Result<Option<Told>, Failure> {
        let line = match read()? {
            Some(line) => line,
            None => return Ok(None),
        };
        Ok(Some(match line.as_str() {
            "wsk\\" => skeleton()?,
            "wor\\" => self.read_world()?,
            "from\\" => from()?,
            "nowinner:" => self.tally(None),
            "nottelling:" => Told::Offers(Offers { bots: None }),
            "ofc\\" => Told::Offers(Offers { bots: Some(section("ofc", first)?) }),
            "accused:" => Told::Accused(Accused {}),
            "game-over" => Told::GameOver(GameOver {}),
            other => self.tally(Some(word(&words(other, "winner:")?, 0)?)),
        }))
    }

    fn read_world(&mut self) -> Result<Told, Failure> {
        let (world, loot) = (value("wor:")?.parse()?, value("rbd:")?.parse()?);
        let mut next = line()?;
        let twist = if next == "dc\\" {
            let twist = twist()?;
            next = line()?;
            Some(twist)
        } else {
            None
        };
        if next != "bv\\" {
            return Err(format!("Expected the line bv\\, not {next}.").into());
        }
        let banks = section("bv", |words| Ok(Bank { loc: word(words, 0)?, value: number(words, 1)? }))?;
        let evidence = whole_section("ev", |words| Ok(Evidence { loc: word(words, 0)?, world: number(words, 1)? }))?;
        let smell = value("smell:")?.parse()?;
        let players = whole_section("pl", |words| {
            let (bot, loc) = (word(words, 0)?, word(words, 1)?);
            Ok(Player { bot, loc, ptype: one_of(words, 2)? })
        })?;
        expect("wor/")?;
        self.world = world;
        self.has_twist = twist.is_some();
        let asks = match (world, self.role, self.has_twist) {
            // The last world asks for nothing.
            (200.., _, _) => None,
            (_, Role::Robber, false) => Some(WorldAsks::Move),
            _ => Some(WorldAsks::Inform),
        };
        Ok(Told::World(World { asks, world, loot, twist, banks, evidence, smell, players }))
    }

    fn tally(&self, winner: Option<String>) -> Told {
        let asks = match (self.role, self.world % 2) {
            (Role::Robber, _) => Some(TallyAsks::Bribe),
            (Role::Cop, 1) => Some(if self.has_twist { TallyAsks::Orders } else { TallyAsks::Move }),
            _ => None,
        };
        Told::Tally(Tally { winner, asks })
    }
}

fn skeleton() -> Result<Told, Failure> {
    let (name, robber) = (value("name:")?, value("robber:")?);
    let mut cops = Vec::new();
    let mut next = line()?;
    while next != "nod\\" {
        cops.push(word(&words(&next, "cop:")?, 0)?);
        next = line()?;
    }
    let nodes = section("nod", |words| {
        let (x, y) = (number(words, 2)?, number(words, 3)?);
        Ok(Node { loc: word(words, 0)?, tag: one_of(words, 1)?, x, y })
    })?;
    let edges = whole_section("edg", |words| {
        Ok(Edge { from: word(words, 0)?, to: word(words, 1)?, type_: one_of(words, 2)? })
    })?;
    expect("wsk/")?;
    Ok(Told::Skeleton(Skeleton { name, robber, cops, nodes, edges }))
}

fn twist() -> Result<Twist, Failure> {
    let dirty = section("dc", first)?;
    let control = whole_section("sc", |words| Ok(Control { brain: word(words, 0)?, bot: word(words, 1)? }))?;
    let accusations = whole_section("fac", |words| {
        let (accuser, accused) = (word(words, 0)?, word(words, 1)?);
        Ok(Accusation { accuser, accused, world: number(words, 2)? })
    })?;
    Ok(Twist { dirty, control, accusations })
}

fn from() -> Result<Told, Failure> {
    let (mut informs, mut plans) = (Vec::new(), Vec::new());
    loop {
        let next = line()?;
        if next == "from/" {
            break;
        }
        let bot = word(&words(&next, "from:")?, 0)?;
        if line()? == "inf\\" {
            informs.push(InformsFrom { bot, informs: section("inf", inform)? });
        } else {
            plans.push(PlanFrom { bot, plan: section("plan", planned)? });
        }
    }
    if plans.is_empty() {
        return Ok(Told::AllInforms(AllInforms { from: informs }));
    }
    Ok(Told::AllPlans(AllPlans { from: plans }))
}

/// A section with a line for each text.
fn lines_of(name: &str, texts: impl Iterator<Item = String>) -> String {
    let lines: String = texts.map(|text| format!("{name}: {text}\n")).collect();
    format!("{name}\\\n{lines}{name}/\n")
}

fn move_of(BotMove { bot, loc, ptype }: &BotMove) -> String {
    format!("{loc} {} {bot}", ptype.text())
}

/// The lines of an answer.
fn written(said: &Said) -> String {
    match said {
        Said::Register(Register { bot, ptype }) => format!("reg: {bot} {}\n", ptype.text()),
        Said::Informs(Informs { informs }) => lines_of(
            "inf",
            informs.iter().map(|Inform { bot, loc, ptype, world, certainty }| {
                format!("{bot} {loc} {} {world} {certainty}", ptype.text())
            }),
        ),
        Said::Plan(Plan { plan }) => lines_of(
            "plan",
            plan.iter().map(|Planned { bot, loc, ptype, world }| format!("{bot} {loc} {} {world}", ptype.text())),
        ),
        Said::Vote(Vote { ballot }) => lines_of("vote", ballot.iter().cloned()),
        Said::Move(Move { loc, ptype }) => format!("mov: {loc} {}\n", ptype.text()),
        Said::Orders(Orders { market, moves, accuse }) => {
            let moves = lines_of("mov", moves.iter().map(move_of));
            match market {
                None => moves,
                Some(market) => {
                    let accused = lines_of("acc", accuse.iter().cloned());
                    format!("cmov\\\n{}:\n{moves}{accused}cmov/\n", market.text())
                }
            }
        }
        Said::Bribe(Bribe { asks }) => if *asks { "bribe:\n" } else { "nobribe:\n" }.to_string(),
        Said::RobberOrders(RobberOrders { move_, push, choose }) => {
            let more = match (push, choose) {
                (Some(Push { bot, loc }), _) => format!("psh: {bot} {loc}\n"),
                (None, Some(bots)) => lines_of("chc", bots.iter().cloned()),
                (None, None) => "nobribe:\n".to_string(),
            };
            format!("rmov\\\nmov: {}\n{more}rmov/\n", move_of(move_))
        }
    }
}

/// Writes an answer.
pub fn write(said: &Said) -> Result<(), Failure> {
    let mut out = stdout().lock();
    out.write_all(written(said).as_bytes())?;
    Ok(out.flush()?)
}
