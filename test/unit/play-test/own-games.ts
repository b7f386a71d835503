/** Small challenges for tests, written as a teacher would. */

export const machines = `challenge machines "Jobs on machines"
config { maxJobs = 8 in 1..30  machines = 3 in 1..5 }
dictionary {{
  Predicate = "lengths" <lengths> List(int).
  Instance = "jobs" <jobs> List(int).
  Solution = "on" <machine> List(int).
}}
set Predicate.lengths
legal predicate {
  require length(predicate.lengths) in 1..10 else "1 to 10 lengths."
  for l in predicate.lengths { require l in 1..100 else "Lengths are 1 to 100." }
}
legal instance {
  require length(instance.jobs) in 1..config.maxJobs else "Too many jobs."
  for j in instance.jobs { require j in predicate.lengths else "No such length." }
}
feasible solution {
  require length(solution.machine) = length(instance.jobs) else "One machine for each job."
  for m in solution.machine { require m in 1..config.machines else "No such machine." }
}
define load(m: int, on: list of int, jobs: list of int) = sum(jobs[i] for k at i in on where k = m)
measure = max(load(m, solution.machine, instance.jobs) for m in 1..config.machines)
goal = min
bound = max(max(instance.jobs), sum(instance.jobs) / config.machines)
property predicate { Predicate.lengths: length range 1 4, distinct, element range 1 100 }
property instance { Instance.jobs: length range 2 config.maxJobs, element in predicate.lengths }
property solution { Solution.machine: length length(instance.jobs), element range 1 config.machines }
example "one" { predicate {{ lengths 3 }} instance {{ jobs 3 }} solution {{ on 1 }} quality = 1 }
`

/** Numbers on two sides of a scale. */
export const partition = `challenge partition "Two equal sides"
config { maxNumbers = 10 in 2..40 }
dictionary {{
  Predicate = "numbers" <numbers> List(int).
  Instance = "weights" <weights> List(int).
  Solution = "left" <left> List(int).
}}
set Predicate.numbers
legal predicate {
  require length(predicate.numbers) in 1..10 else "1 to 10 numbers."
  for n in predicate.numbers { require n in 1..1000 else "Numbers are 1 to 1000." }
}
legal instance {
  require length(instance.weights) in 2..config.maxNumbers else "2 to {config.maxNumbers} weights."
  for w in instance.weights { require w in predicate.numbers else "{w} is not allowed." }
}
feasible solution {
  for i in solution.left { require i in 1..length(instance.weights) else "No weight {i}." }
  require distinct(solution.left) else "Each weight once."
  require 2 * sum(instance.weights[i] for i in solution.left) <= sum(instance.weights) else "The left side is too heavy."
}
measure = sum(instance.weights[i] for i in solution.left)
goal = max
bound = sum(instance.weights) / 2
property predicate { Predicate.numbers: length range 1 4, distinct, element range 1 1000 }
property instance { Instance.weights: length range 2 config.maxNumbers, element in predicate.numbers }
property solution { Solution.left: length range 0 length(instance.weights), distinct, element range 1 length(instance.weights) }
example "two" { predicate {{ numbers 3 }} instance {{ weights 3 3 }} solution {{ left 1 }} quality = 1 }
`

/** A set of vertices with as many edges as possible to the others. */
export const cut = `challenge cut "Largest cut"
config { maxVertices = 8 in 2..30 }
dictionary {{
  Predicate = "weights" <weights> List(int).
  Instance = "vertices" <vertices> int "edges" <edges> List(Edge).
  Edge = "(" <a> int <b> int ":" <weight> int ")".
  Solution = "sides" <sides> List(int).
}}
set Predicate.weights
legal predicate {
  require length(predicate.weights) in 1..10 else "1 to 10 weights."
  for w in predicate.weights { require w in 1..20 else "Weights are 1 to 20." }
}
legal instance {
  require instance.vertices in 2..config.maxVertices else "2 to {config.maxVertices} vertices."
  require length(instance.edges) in 1..400 else "1 to 400 edges."
  for e in instance.edges {
    require 1 <= e.a and e.a < e.b and e.b <= instance.vertices else "No such edge."
    require e.weight in predicate.weights else "{e.weight} is not allowed."
  }
}
feasible solution {
  require length(solution.sides) = instance.vertices else "A side for each vertex."
  for s in solution.sides { require s in 0..1 else "Sides are 0 and 1." }
}
measure = sum(e.weight for e in instance.edges where solution.sides[e.a] != solution.sides[e.b])
goal = max
bound = sum(e.weight for e in instance.edges)
property predicate { Predicate.weights: length range 1 3, distinct, element range 1 20 }
property instance {
  Instance.vertices: range 2 config.maxVertices
  Instance.edges: length range 1 12
  Edge.a: range 1 (instance.vertices - 1)
  Edge.b: range (this.a + 1) instance.vertices
  Edge.weight: in predicate.weights
}
property solution { Solution.sides: length instance.vertices, element range 0 1 }
example "one" { predicate {{ weights 3 }} instance {{ vertices 2 edges (1 2 : 3) }} solution {{ sides 0 1 }} quality = 1 }
`

/** A number close to as many numbers as possible. */
export const target = `challenge target "In the middle"
config { longest = 50 in 1..1000 }
dictionary {{
  Predicate = "up" "to" <most> int.
  Instance = "points" <points> List(int).
  Solution = "at" <at> int.
}}
legal predicate { require predicate.most in 2..config.longest else "2 to {config.longest}." }
legal instance {
  require length(instance.points) in 1..20 else "1 to 20 points."
  for p in instance.points { require p in 0..predicate.most else "Too far." }
}
feasible solution { require solution.at in 0..config.longest else "0 to {config.longest}." }
measure = sum(config.longest - abs(p - solution.at) for p in instance.points)
goal = max
bound = config.longest * length(instance.points)
property predicate { Predicate.most: range 2 config.longest }
property instance { Instance.points: length range 1 20, element range 0 predicate.most }
property solution { Solution.at: range 0 config.longest }
example "there" { predicate {{ up to 9 }} instance {{ points 5 }} solution {{ at 5 }} quality = 1 }
`

/** A task for each person, as cheap as possible. */
export const assignment = `challenge assignment "One task each"
config { maxPeople = 6 in 2..12 }
dictionary {{
  Predicate = "costs" <costs> List(int).
  Instance = "people" <people> int "rows" <rows> List(Row).
  Row = "[" <cells> List(int) "]".
  Solution = "tasks" <tasks> List(int).
}}
set Predicate.costs
legal predicate {
  require length(predicate.costs) in 1..10 else "1 to 10 costs."
  for c in predicate.costs { require c in 1..50 else "Costs are 1 to 50." }
}
legal instance {
  require instance.people in 2..config.maxPeople else "2 to {config.maxPeople} people."
  require length(instance.rows) = instance.people else "A row for each person."
  for row in instance.rows {
    require length(row.cells) = length(instance.rows) else "As many cells as rows."
    for c in row.cells { require c in predicate.costs else "{c} is not allowed." }
  }
}
feasible solution {
  require length(solution.tasks) = length(instance.rows) else "A task for each row."
  for t in solution.tasks { require t in 1..length(instance.rows) else "No task {t}." }
  require distinct(solution.tasks) else "Each task once."
}
measure = sum(row.cells[solution.tasks[i]] for row at i in instance.rows)
goal = min
bound = sum(min(row.cells) for row in instance.rows)
property predicate { Predicate.costs: length range 2 5, distinct, element range 1 50 }
property instance {
  Instance.people: range 2 config.maxPeople
  Instance.rows: length instance.people
  Row.cells: length instance.people, element in predicate.costs
}
property solution { Solution.tasks: length length(instance.rows), distinct, element range 1 length(instance.rows) }
example "two" { predicate {{ costs 1 2 }} instance {{ people 2 rows [1 2] [2 1] }} solution {{ tasks 1 2 }} quality = 1 }
`
