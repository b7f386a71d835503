//! The other built-in challenges: any predicate, the smallest possible raw material, any solution; bought and priced at random.

use crate::crafts::*;
use crate::json::{problem, Json, Result};

/// A built-in challenge other than max-csp, by its name, and its settings.
pub struct BuiltIn {
    pub name: String,
    pub limits: Json,
}

fn list(items: Vec<Json>) -> Json {
    Json::List(items)
}

fn kind_of(text: &str) -> Json {
    Json::object([("$", Json::text(text))])
}

/// The positive root of a cubic equation, by bisection.
fn root_of(question: &Json) -> Result<Json> {
    let kind = question.at("kind")?.at("$")?.as_text()?;
    let (a, b) = (question.at("a")?.as_number()?, question.at("b")?.as_number()?);
    let (mut low, mut high) = (0.0, a + b + 1.0);
    for _ in 0..100 {
        let x: f64 = (low + high) / 2.0;
        let middle = a * if kind.contains("Unknowns") { x } else { x * x };
        let sum = x * x * x + if kind.starts_with("Cubes") { -middle } else { middle };
        if sum < b {
            low = x;
        } else {
            high = x;
        }
    }
    Ok(Json::Number(low))
}

/// A shape of pseudo-boolean.
fn shape_of(coefficients: &[i64], bound: i64) -> Json {
    Json::object([
        ("coefficients", wholes(coefficients)),
        ("comparison", kind_of("AtLeast")),
        ("bound", whole(bound)),
    ])
}

impl BuiltIn {
    fn limit(&self, name: &str) -> Result<i64> {
        self.limits.at(name)?.as_integer()
    }

    fn unknown<T>(&self) -> Result<T> {
        problem(format!("This agent cannot play the challenge {}.", self.name))
    }

    /// A predicate of this many parts that do not imply each other, if there is one.
    pub fn predicate(&self, parts: i64, random: &mut Random) -> Result<Option<Json>> {
        let (name, value) = match self.name.as_str() {
            "max-sat" => {
                let longest = self.limit("maxVars")?.min(self.limit("maxClauseLength")?);
                let shortest = (parts - 1).max(1);
                if shortest > longest {
                    return Ok(None);
                }
                let length = shortest + random.below(longest - shortest + 1);
                let type_of = |positives| Json::object([("length", whole(length)), ("positives", whole(positives))]);
                let picked = random.pick((0..=length).collect(), parts);
                ("types", list(picked.into_iter().map(type_of).collect()))
            }
            "knapsack" => ("weights", wholes(&random.some(parts, self.limit("maxWeight")?))),
            "cubic-equations" => {
                let kinds = vec!["UnknownsAndCubes", "SquaresAndCubes", "CubesOfUnknowns", "CubesOfSquares"];
                ("kinds", list(random.pick(kinds, parts).into_iter().map(kind_of).collect()))
            }
            "pseudo-boolean" => {
                let (terms, most) = (self.limit("maxTerms")?.min(self.limit("maxVars")?), self.limit("maxCoefficient")?);
                let shapes = (0..parts).map(|_| {
                    let count = 1 + random.below(terms);
                    let coefficients = random.some(count, most);
                    let bound = random.below(1 + coefficients.iter().sum::<i64>());
                    shape_of(&coefficients, bound)
                });
                ("shapes", list(shapes.collect()))
            }
            "travelling-salesman" => ("distances", wholes(&random.some(parts, self.limit("maxDistance")?))),
            "vertex-cover" => {
                let colours = self.limit("colours")?;
                let join = |a, b| Json::object([("a", whole(a)), ("b", whole(b))]);
                let joins = (1..=colours).flat_map(|a| (a..=colours).map(move |b| join(a, b)));
                ("joins", list(random.pick(joins.collect(), parts)))
            }
            "graph-colouring" => ("gaps", wholes(&random.some(parts, self.limit("maxVertices")? - 1))),
            "job-scheduling" => ("durations", wholes(&random.some(parts, self.limit("longest")?))),
            "longest-common-subsequence" => {
                let letters: Vec<char> = ('a'..='t').take(self.limit("maxLetters")? as usize).collect();
                let picked = random.pick(letters, parts);
                ("letters", list(picked.into_iter().map(|letter| Json::Text(letter.to_string())).collect()))
            }
            "number-partition" => ("numbers", wholes(&random.some(parts, self.limit("largest")?))),
            "set-cover" => {
                let most = self.limit("maxSize")?.min(self.limit("maxMember")?);
                ("sizes", wholes(&random.pick((1..=most).collect(), parts)))
            }
            _ => return self.unknown(),
        };
        Ok(Some(Json::object([(name, value)])))
    }

    /// The smallest possible raw material, with a solution that is met.
    pub fn raw_material(&self, predicate: &Json) -> Result<Material> {
        let one = || wholes(&[1]);
        let (instance, solution) = match self.name.as_str() {
            "max-sat" => {
                let length_of = |each: &Json| each.at("length").and_then(Json::as_integer).unwrap_or(0);
                let kind = least(predicate.at("types")?, length_of)?;
                let (length, positives) = (length_of(kind), kind.at("positives")?.as_integer()?);
                let literals: Vec<i64> = (1..=length).map(|each| if each <= positives { each } else { -each }).collect();
                let values: Vec<i64> = literals.iter().map(|literal| i64::from(*literal > 0)).collect();
                let clause = Json::object([("weight", whole(1)), ("literals", wholes(&literals))]);
                let instance = Json::object([("variables", whole(length)), ("clauses", list(vec![clause]))]);
                (instance, Json::object([("values", wholes(&values))]))
            }
            "knapsack" => {
                let weight = first(predicate, "weights")?;
                let item = Json::object([("weight", weight.clone()), ("worth", whole(1))]);
                let instance = Json::object([("capacity", weight.clone()), ("items", list(vec![item]))]);
                (instance, Json::object([("packed", one())]))
            }
            "cubic-equations" => {
                let kind = first(predicate, "kinds")?.clone();
                let question = Json::object([("kind", kind), ("a", whole(1)), ("b", whole(1))]);
                let answers = list(vec![root_of(&question)?]);
                (Json::object([("questions", list(vec![question]))]), Json::object([("answers", answers)]))
            }
            "pseudo-boolean" => return self.constraint(predicate),
            "travelling-salesman" => {
                let distance = first(predicate, "distances")?.as_integer()?;
                let instance = Json::object([("cities", whole(3)), ("distances", wholes(&[distance; 3]))]);
                (instance, Json::object([("tour", wholes(&[1, 2, 3]))]))
            }
            "vertex-cover" => {
                let join = first(predicate, "joins")?;
                let colours = list(vec![join.at("a")?.clone(), join.at("b")?.clone()]);
                let edge = Json::object([("a", whole(1)), ("b", whole(2))]);
                let instance = Json::object([("colours", colours), ("edges", list(vec![edge]))]);
                (instance, Json::object([("cover", one())]))
            }
            "graph-colouring" => {
                let gap = first(predicate, "gaps")?.as_integer()?;
                let colours: Vec<i64> = (0..=gap).map(|vertex| if vertex < gap { 1 } else { 2 }).collect();
                let edge = Json::object([("a", whole(1)), ("b", whole(gap + 1))]);
                let instance = Json::object([("vertices", whole(gap + 1)), ("edges", list(vec![edge]))]);
                (instance, Json::object([("colours", wholes(&colours))]))
            }
            "job-scheduling" => {
                let jobs = list(vec![first(predicate, "durations")?.clone()]);
                (Json::object([("speeds", one()), ("jobs", jobs)]), Json::object([("machines", one())]))
            }
            "longest-common-subsequence" => {
                let word = list(vec![first(predicate, "letters")?.clone()]);
                (Json::object([("a", word.clone()), ("b", word)]), Json::object([("a", one()), ("b", one())]))
            }
            "number-partition" => {
                let number = first(predicate, "numbers")?.as_integer()?;
                (Json::object([("numbers", wholes(&[number, number]))]), Json::object([("heaps", wholes(&[1, 2]))]))
            }
            "set-cover" => {
                let members: Vec<i64> = (1..=first(predicate, "sizes")?.as_integer()?).collect();
                let set = Json::object([("cost", whole(1)), ("members", wholes(&members))]);
                (Json::object([("sets", list(vec![set]))]), Json::object([("chosen", one())]))
            }
            _ => return self.unknown(),
        };
        Ok(Material { instance, solution, quality: "1/1".to_string() })
    }

    /// Raw material of pseudo-boolean: one constraint.
    fn constraint(&self, predicate: &Json) -> Result<Material> {
        let terms = |each: &Json| each.at("coefficients").and_then(Json::as_list).map_or(0, |all| all.len() as i64);
        let shape = least(predicate.at("shapes")?, terms)?;
        let comparison = shape.at("comparison")?.at("$")?.as_text()?;
        let bound = shape.at("bound")?.as_integer()?;
        let coefficients = integers(shape.at("coefficients")?)?;
        let variables: Vec<Json> = (1..=coefficients.len()).map(|at| Json::Text(format!("x{at}"))).collect();
        let literal = |variable: &Json| Json::object([("$", Json::text("Positive")), ("variable", variable.clone())]);
        let literals = list(variables.iter().map(literal).collect());
        let value = i64::from(comparison != "AtMost" && bound != 0);
        let is_met = comparison != "Exactly" || bound == value * coefficients.iter().sum::<i64>();
        let constraint = Json::object([("weight", whole(1)), ("shape", shape.clone()), ("literals", literals)]);
        Ok(Material {
            instance: Json::object([("constraints", list(vec![constraint])), ("variables", list(variables))]),
            solution: Json::object([("values", wholes(&vec![value; coefficients.len()]))]),
            quality: if is_met { "1/1" } else { "0/1" }.to_string(),
        })
    }

    /// Any solution.
    pub fn solve(&self, instance: &Json, random: &mut Random) -> Result<Json> {
        let size = |name: &str| Ok(instance.at(name)?.as_list()?.len() as i64);
        let count = |name: &str| instance.at(name)?.as_integer();
        let mut bits = |count: i64| (0..count).map(|_| random.below(2)).collect::<Vec<i64>>();
        let (name, values) = match self.name.as_str() {
            "max-sat" => ("values", bits(count("variables")?)),
            "pseudo-boolean" => ("values", bits(size("variables")?)),
            "knapsack" => {
                let mut left = count("capacity")?;
                let mut packed = Vec::new();
                for (at, item) in (1..).zip(instance.at("items")?.as_list()?) {
                    let weight = item.at("weight")?.as_integer()?;
                    if weight <= left {
                        left -= weight;
                        packed.push(at);
                    }
                }
                ("packed", packed)
            }
            "cubic-equations" => {
                let answers: Result<Vec<Json>> = instance.at("questions")?.as_list()?.iter().map(root_of).collect();
                return Ok(Json::object([("answers", list(answers?))]));
            }
            "travelling-salesman" => ("tour", (1..=count("cities")?).collect()),
            "vertex-cover" => {
                let mut cover = Vec::new();
                for edge in instance.at("edges")?.as_list()? {
                    let vertex = edge.at("a")?.as_integer()?;
                    if !cover.contains(&vertex) {
                        cover.push(vertex);
                    }
                }
                ("cover", cover)
            }
            "graph-colouring" => ("colours", random.some(count("vertices")?, self.limit("colours")?)),
            "job-scheduling" => ("machines", random.some(size("jobs")?, size("speeds")?)),
            "longest-common-subsequence" => {
                let (a, b) = (instance.at("a")?.as_list()?, instance.at("b")?.as_list()?);
                let pairs = (1..).zip(a.iter().zip(b));
                let same: Vec<i64> = pairs.filter(|(_, (x, y))| x == y).map(|(place, _)| place).collect();
                return Ok(Json::object([("a", wholes(&same)), ("b", wholes(&same))]));
            }
            "number-partition" => ("heaps", random.some(size("numbers")?, 2)),
            "set-cover" => ("chosen", (1..=size("sets")?).collect()),
            _ => return self.unknown(),
        };
        Ok(Json::object([(name, wholes(&values))]))
    }
}
