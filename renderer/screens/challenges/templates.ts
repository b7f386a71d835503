import { template } from './template.ts'

/** A text with which a new challenge begins. Each but the empty one is complete, and its game can be played. */
export interface ChallengeTemplate {
  readonly kind: string
  /** Examples of such problems. */
  readonly examples: string
  readonly source: string
}

const order = `challenge my-order "My order"

text {{
  Put jobs in an order. Each takes some minutes and waits for all before it; the shorter all of them wait together, the
  better. An important job counts as often as its weight says.
}}

config {
  most = 10 in 2..100
}

dictionary {{
  Predicate = "minutes up to" <longest> int.
  Instance = "jobs" <jobs> List(Job).
  Job = "(" <minutes> int "weight" <weight> int ")".
  Solution = "order" <jobs> List(int).
}}

legal predicate {
  require predicate.longest in 2..1000 else "The longest job takes 2 to 1000 minutes, not {predicate.longest}."
}

legal instance {
  require length(instance.jobs) in 2..config.most else "There are 2 to {config.most} jobs."
  for job at j in instance.jobs {
    require job.minutes in 1..predicate.longest else "Job {j} takes 1 to {predicate.longest} minutes, not {job.minutes}."
    require job.weight in 1..10 else "The weight of job {j} is 1 to 10, not {job.weight}."
  }
}

// Each job once, by its number.
feasible solution {
  require isPermutation(solution.jobs, 1..length(instance.jobs)) else "Each of the jobs 1 to {length(instance.jobs)} stands in the order once."
}

// Jobs end after all minutes up to their own.
measure = fold(
  [state[1] + instance.jobs[j].minutes, state[2] + instance.jobs[j].weight * (state[1] + instance.jobs[j].minutes)]
  from state = [0, 0]
  for j in solution.jobs
)[2]
goal = min

// The least that any order can have: the shortest jobs first, and the largest weights on them.
bound =
  let minutes = sort(job.minutes for job in instance.jobs);
  let weights = reverse(sort(job.weight for job in instance.jobs));
  sum(weight * sum(minutes[i] for i in 1..k) for weight at k in weights)

picture gantt {
  for j at place in solution.jobs {
    bar place,
      sum(instance.jobs[other].minutes for other at i in solution.jobs where i < place),
      sum(instance.jobs[other].minutes for other at i in solution.jobs where i <= place)
      label j
      colour j
  }
}

property predicate {
  Predicate.longest: range 5 60
}

property instance {
  Instance.jobs: length range 2 config.most
  Job.minutes: range 1 predicate.longest
  Job.weight: range 1 10
}

property solution {
  Solution.jobs: length length(instance.jobs), distinct, element range 1 length(instance.jobs)
}

reference "the most weight for a minute first" good {
  jobs =
    let ratios = reverse(sort(unique([job.weight / job.minutes for job in instance.jobs])));
    [j for ratio in ratios for job at j in instance.jobs where job.weight / job.minutes = ratio]
}

reference "one job too few" wrong {
  jobs = [j for j in 2..length(instance.jobs)]
}

example "the long one first" {
  predicate {{ minutes up to 5 }}
  instance {{ jobs (2 weight 1) (1 weight 3) }}
  solution {{ order 1 2 }}
  quality = 6/11
}
`

const assign = `challenge my-assignment "My assignment"

text {{
  Give each person one of the tasks, so that everybody is as happy as possible. A row for each person says how much they
  like task 1, 2, 3 and so on.
}}

config {
  most = 7 in 2..30
}

dictionary {{
  Predicate = "likes up to" <largest> int.
  Instance = "people" <people> int "like" <rows> List(Row).
  Row = "[" <likes> List(int) "]".
  Solution = "tasks" <tasks> List(int).
}}

legal predicate {
  require predicate.largest in 1..100 else "The largest number is 1 to 100, not {predicate.largest}."
}

legal instance {
  require instance.people in 2..config.most else "There are 2 to {config.most} people."
  require length(instance.rows) = instance.people else "{instance.people} people have as many rows, not {length(instance.rows)}."
  for row at i in instance.rows {
    require length(row.likes) = instance.people else "Person {i} needs a number for each of {instance.people} tasks."
    for like in row.likes {
      require like in 0..predicate.largest else "Person {i} likes a task 0 to {predicate.largest}, not {like}."
    }
    require max(row.likes) >= 1 else "Person {i} must like a task."
  }
}

// The tasks of persons 1, 2, 3 and so on.
feasible solution {
  require isPermutation(solution.tasks, 1..length(instance.rows)) else "Each of the tasks 1 to {length(instance.rows)} is given once."
}

measure = sum(row.likes[solution.tasks[i]] for row at i in instance.rows)
goal = max
bound = sum(max(row.likes) for row in instance.rows)

picture grid {
  for row at i in instance.rows {
    for like at task in row.likes {
      cell i, task label like mark solution.tasks[i] = task
    }
  }
}

property predicate {
  Predicate.largest: range 3 20
}

property instance {
  Instance.people: range (min(3, config.most)) config.most
  Instance.rows: length instance.people
  Row.likes: length instance.people, element range 0 predicate.largest
}

property solution {
  Solution.tasks: length length(instance.rows), distinct, element range 1 length(instance.rows)
}

reference "the first takes the best" greedy {
  tasks = fold(
    let free = [task for task in 1..length(instance.rows) where task not in tasks];
    let most = max(row.likes[task] for task in free);
    tasks + [first(task for task in free where row.likes[task] = most)]
    from tasks: list of int = []
    for row in instance.rows
  )
}

reference "everybody takes the best" wrong {
  tasks = [position(row.likes, max(row.likes)) for row in instance.rows]
}

example "both like the first task" {
  predicate {{ likes up to 5 }}
  instance {{ people 2 like [5 1] [4 3] }}
  solution {{ tasks 1 2 }}
  quality = 8/9
}
`

const colour = `challenge my-colours "My colours"

text {{
  Give each place of a map a colour, so that neighbours differ, with as few colours as possible.
}}

config {
  most = 9 in 3..60
}

dictionary {{
  Predicate = "neighbours at most" <farthest> int "apart".
  Instance = "places" <places> int "neighbours" <neighbours> List(Pair).
  Pair = "(" <a> int <b> int ")".
  Solution = "colours" <colours> List(int).
}}

// Places whose numbers are close together may be neighbours.
legal predicate {
  require predicate.farthest in 2..config.most else "Neighbours are at most 2 to {config.most} apart, not {predicate.farthest}."
}

legal instance {
  require instance.places in 3..config.most else "There are 3 to {config.most} places."
  require length(instance.neighbours) in 1..5 * config.most else "There are 1 to {5 * config.most} pairs of neighbours."
  for pair in instance.neighbours {
    require 1 <= pair.a and pair.a < pair.b and pair.b <= instance.places
      else "Neighbours are two of the places 1 to {instance.places}, the smaller one first; ({pair.a} {pair.b}) are not."
    require pair.b - pair.a <= predicate.farthest else "({pair.a} {pair.b}) are too far apart."
  }
  require distinct(instance.neighbours) else "No pair of neighbours may be there twice."
}

// The colours of places 1, 2, 3 and so on.
feasible solution {
  require length(solution.colours) = instance.places else "{instance.places} places have as many colours, not {length(solution.colours)}."
  for colour in solution.colours {
    require colour in 1..instance.places else "A colour is 1 to {instance.places}, not {colour}."
  }
  for pair in instance.neighbours {
    require solution.colours[pair.a] != solution.colours[pair.b] else "The neighbours {pair.a} and {pair.b} have one colour."
  }
}

define neighbours(a: int, b: int, pairs: list of Pair) = exists(pair.a = a and pair.b = b for pair in pairs)

measure = length(unique(solution.colours))
goal = min

// Three that are all neighbours need three colours.
bound = if exists(
  neighbours(x.a, y.b, instance.neighbours)
  for x in instance.neighbours
  for y in instance.neighbours where y.a = x.b
) then 3 else 2

picture graph {
  for place in 1..instance.places {
    node place colour solution.colours[place]
  }
  for pair in instance.neighbours {
    edge pair.a, pair.b
  }
}

property predicate {
  Predicate.farthest: range 2 (min(5, config.most))
}

property instance {
  Instance.places: range (min(5, config.most)) config.most
  Instance.neighbours: length range 2 (2 * instance.places - 3), distinct
  Pair.a: range 1 (instance.places - 1)
  Pair.b: range (this.a + 1) (min(instance.places, this.a + predicate.farthest))
}

property solution {
  Solution.colours: length instance.places, distinct, element range 1 instance.places
}

reference "the first free colour" greedy {
  colours = fold(
    colours + [
      first(c for c in 1..instance.places where all(pair.b != place or colours[pair.a] != c for pair in instance.neighbours))
    ]
    from colours: list of int = []
    for place in 1..instance.places
  )
}

reference "two colours in turn" wrong {
  colours = [1 + place mod 2 for place in 1..instance.places]
}

example "three neighbours" {
  predicate {{ neighbours at most 2 apart }}
  instance {{ places 4 neighbours (1 2) (1 3) (2 3) (3 4) }}
  solution {{ colours 1 2 3 4 }}
  quality = 3/4
}
`

const cut = `challenge my-cut "My cut"

text {{
  Divide a group into two, so that as many quarrels as possible are between the two and not within one of them. A quarrel
  counts as often as its weight says.
}}

config {
  most = 8 in 2..40
}

dictionary {{
  Predicate = "weights up to" <heaviest> int.
  Instance = "people" <people> int "quarrels" <quarrels> List(Quarrel).
  Quarrel = "(" <a> int <b> int "weight" <weight> int ")".
  Solution = "sides" <sides> List(int).
}}

legal predicate {
  require predicate.heaviest in 1..100 else "The heaviest quarrel weighs 1 to 100, not {predicate.heaviest}."
}

legal instance {
  require instance.people in 2..config.most else "There are 2 to {config.most} people."
  require length(instance.quarrels) in 1..4 * config.most else "There are 1 to {4 * config.most} quarrels."
  for q at i in instance.quarrels {
    require 1 <= q.a and q.a < q.b and q.b <= instance.people
      else "Quarrel {i} is between two of the people 1 to {instance.people}, the smaller number first."
    require q.weight in 1..predicate.heaviest else "Quarrel {i} weighs 1 to {predicate.heaviest}, not {q.weight}."
  }
}

// The sides, 1 or 2, of persons 1, 2, 3 and so on.
feasible solution {
  require length(solution.sides) = instance.people else "{instance.people} people have as many sides, not {length(solution.sides)}."
  for side in solution.sides {
    require side in 1..2 else "A side is 1 or 2, not {side}."
  }
}

measure = sum(q.weight for q in instance.quarrels where solution.sides[q.a] != solution.sides[q.b])
goal = max
bound = sum(q.weight for q in instance.quarrels)

picture graph {
  for person in 1..instance.people {
    node person colour solution.sides[person]
  }
  for q in instance.quarrels {
    edge q.a, q.b label q.weight mark solution.sides[q.a] != solution.sides[q.b]
  }
}

property predicate {
  Predicate.heaviest: range 1 20
}

property instance {
  Instance.people: range (min(4, config.most)) config.most
  Instance.quarrels: length range 2 (2 * instance.people)
  Quarrel.a: range 1 (instance.people - 1)
  Quarrel.b: range (this.a + 1) instance.people
  Quarrel.weight: range 1 predicate.heaviest
}

property solution {
  Solution.sides: length instance.people, element range 1 2
}

reference "where fewer quarrels are" greedy {
  sides = fold(
    let first = sum(q.weight for q in instance.quarrels where q.b = person and sides[q.a] = 1);
    let second = sum(q.weight for q in instance.quarrels where q.b = person and sides[q.a] = 2);
    sides + [if first <= second then 1 else 2]
    from sides: list of int = []
    for person in 1..instance.people
  )
}

reference "sides numbered from 0" wrong {
  sides = [person mod 2 for person in 1..instance.people]
}

example "a triangle" {
  predicate {{ weights up to 9 }}
  instance {{ people 3 quarrels (1 2 weight 4) (1 3 weight 2) (2 3 weight 3) }}
  solution {{ sides 1 2 1 }}
  quality = 7/9
}
`

/** The first is that of a new challenge. */
export const templates: readonly ChallengeTemplate[] = [
  { kind: 'Choose', examples: 'a subset: what goes into the sack', source: template },
  { kind: 'Order', examples: 'jobs in a queue, cities on a tour', source: order },
  { kind: 'Assign', examples: 'tasks to people, lessons to rooms', source: assign },
  { kind: 'Colour', examples: 'neighbours differ, with few colours', source: colour },
  { kind: 'Cut', examples: 'a graph or a group in two', source: cut },
  { kind: 'Empty', examples: 'the name alone', source: 'challenge my-challenge "My challenge"\n' },
]
