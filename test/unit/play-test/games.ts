import type { FindingCode } from '../../../grammars/play-test/report.ts'
import { SHIPPED, sourceOf } from '../challenges/shipped.ts'
import { assignment, cut, machines, partition, target } from './own-games.ts'

/** The text with each first occurrence replaced; throws if there is none, so that no variation is the original. */
export function varied(source: string, ...changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`no "${from}" in the challenge`)
    return text.replace(from, () => to)
  }, source)
}

/** A shipped challenge with one example of its own, which a wrong formula does not contradict. */
function bare(name: string, example: string): string {
  return `${sourceOf(name).replaceAll(/^example [\s\S]*?^\}\n/gm, '')}\nexample "one" { ${example} }\n`
}

const knapsack = bare(
  'knapsack',
  'predicate {{ weights 1 }} instance {{ sack 1  1 for 4 }} solution {{ pack }} quality = 0',
)
const cover = bare(
  'vertex-cover',
  'predicate {{ joins (1 2) }} instance {{ colours 1 2 edges (1 2) }} solution {{ cover 2 }} quality = 1',
)
const sat = bare(
  'max-sat',
  'predicate {{ types (1, 1) }} instance {{ variables 1  1 : (1) }} solution {{ 0 }} quality = 0',
)
const csp = bare(
  'max-csp',
  'predicate {{ relations 128 }} instance {{ variables 3  1 : 128 (1 2 3) }} solution {{ 1 1 1 }} quality = 1',
)
const salesman = bare(
  'travelling-salesman',
  'predicate {{ distances 1 }} instance {{ cities 3 distances 1 1 1 }} solution {{ tour 1 2 3 }} quality = 1',
)
const pseudo = bare(
  'pseudo-boolean',
  'predicate {{ shapes [1 >= 1] }} instance {{ 1 : [1 >= 1] (x) variables x }} solution {{ 1 }} quality = 1',
)
const cubic = bare(
  'cubic-equations',
  'predicate {{ kinds x^3+ax=b }} instance {{ questions x^3+ax=b with a = 6, b = 20 }} solution {{ 2 }} quality = 1',
)

const machineBound = 'max(max(instance.jobs), sum(instance.jobs) / config.machines)'
const machineMeasure = 'max(load(m, solution.machine, instance.jobs) for m in 1..config.machines)'
const sackMeasure = 'measure = sum(instance.items[i].worth for i in solution.packed)'
/** Loops that take this many steps and come to 0. */
const loops = (many: string): string => `(count(i for i in 1..${many}) * 0)`

/** Games that cannot be played, or in which there is nothing to play for, and what check has to find. */
export const BAD: Readonly<Record<string, readonly [FindingCode, string]>> = {
  // A wrong bound.
  'two of three machines': [
    'bound-wrong',
    varied(machines, [machineBound, 'max(max(instance.jobs), sum(instance.jobs) / 2)']),
  ],
  'all jobs on one machine': ['bound-wrong', varied(machines, [machineBound, 'sum(instance.jobs)'])],
  'the best item as bound': [
    'bound-wrong',
    varied(knapsack, ['sum(item.worth for item in instance.items),', 'max(item.worth for item in instance.items),']),
  ],
  'half of all worths': [
    'bound-wrong',
    varied(knapsack, [
      'sum(item.worth for item in instance.items),',
      'sum(item.worth for item in instance.items) / 2,',
    ]),
  ],
  'as many edges as vertices in the cover': [
    'bound-wrong',
    varied(cover, [
      'bound = -floor(-length(instance.edges) / busiest(length(instance.colours), instance.edges))',
      'bound = length(instance.edges)',
    ]),
  ],
  'the heaviest clause': [
    'bound-wrong',
    varied(sat, ['bound = sum(c.weight for c in instance.clauses)', 'bound = max(c.weight for c in instance.clauses)']),
  ],
  'twice the longest road': [
    'bound-wrong',
    varied(salesman, [
      'bound = sum(twoShortest(city, instance.cities, instance.distances) for city in 1..instance.cities) / 2',
      'bound = max(instance.distances) * instance.cities',
    ]),
  ],
  'weights forgotten': [
    'bound-wrong',
    varied(pseudo, ['bound = sum(c.weight for c in instance.constraints)', 'bound = length(instance.constraints)']),
  ],
  'worth that can be negative': [
    'bound-wrong',
    varied(knapsack, [sackMeasure, 'measure = sum(instance.items[i].worth - 20 for i in solution.packed)']),
  ],
  // Nothing to draw.
  'lengths that nobody guesses': [
    'no-predicate',
    varied(
      machines,
      ['length(predicate.lengths) in 1..10', 'length(predicate.lengths) in 1..4'],
      ['length range 1 4', 'length range 5 8'],
    ),
  ],
  'as many jobs as are never drawn': [
    'no-instance',
    varied(machines, ['require length(instance.jobs) in 1..config.maxJobs', 'require length(instance.jobs) = 1']),
  ],
  'no properties': [
    'no-predicate',
    varied(
      machines.replaceAll(/^property .*\n/gm, ''),
      ['require l in 1..100', 'require l in 300..400'],
      ['lengths 3 }} instance {{ jobs 3', 'lengths 300 }} instance {{ jobs 300'],
    ),
  ],
  'machines that add up': [
    'no-solution',
    varied(
      machines,
      [
        'for m in solution.machine {',
        'require sum(solution.machine) = length(instance.jobs) else "Not on the first."\n  for m in solution.machine {',
      ],
      ['element range 1 config.machines', 'element range 2 config.machines'],
    ),
  ],
  'a cover of nothing': [
    'no-solution',
    varied(cover, ['Solution.cover: length range 1 length(instance.colours)', 'Solution.cover: length 0']),
  ],
  'distances of another kind': [
    'no-instance',
    varied(salesman, ['element in predicate.distances', 'element range 101 200']),
  ],
  // Nothing to decide.
  'everybody gets one': ['trivial', varied(machines, [machineMeasure, '1'], [machineBound, '1'])],
  'one machine': ['trivial', varied(machines, ['machines = 3 in 1..5', 'machines = 1 in 1..5'])],
  'a measure of nothing': ['trivial', varied(knapsack, [sackMeasure, 'measure = 0'])],
  'relations that always hold': [
    'trivial',
    varied(csp, ['element range 0 255', 'element range 255 255'], ['length range 1 5', 'length 1']),
  ],
  'pick the largest number': [
    'one-answer',
    varied(
      target,
      ['sum(config.longest - abs(p - solution.at) for p in instance.points)', 'solution.at'],
      ['config.longest * length(instance.points)', 'config.longest'],
      ['solution {{ at 5 }} quality = 1', 'solution {{ at 50 }} quality = 1'],
    ),
  ],
  'one item': ['one-answer', varied(knapsack, ['maxItems = 20', 'maxItems = 1'])],
  'all ones': [
    'one-answer',
    varied(
      csp,
      ['length range 1 5, distinct, element range 0 255', 'length 1, distinct, element range 128 128'],
      ['maxVars = 20', 'maxVars = 3'],
    ),
  ],
  'chance is as good as thought': [
    'chance-is-best',
    varied(
      machines,
      [machineMeasure, `1000 + ${machineMeasure} mod 2`],
      [machineBound, '1000'],
      ['quality = 1', 'quality = 1000/1001'],
    ),
  ],
  // Too slow to judge.
  'loops in loops': [
    'over-limit',
    varied(machines, ['goal = min', `+ ${loops('(if length(instance.jobs) > 3 then 20000000 else 1)')}\ngoal = min`]),
  ],
  'a slow bound': [
    'slow',
    varied(machines, ['bound = ', `bound = ${loops('(if length(instance.jobs) > 1 then 1500000 else 1)')} + `]),
  ],
  'a slow check': [
    'slow',
    varied(machines, [
      'require length(solution.machine) = length(instance.jobs)',
      `require ${loops('(if length(instance.jobs) > 1 then 1200000 else 1)')} = 0 and length(solution.machine) = length(instance.jobs)`,
    ]),
  ],
  // Costs that players drive.
  'a sack of any size': [
    'cost-driven',
    varied(knapsack, [sackMeasure, `${sackMeasure} + ${loops('instance.capacity')}`]),
  ],
  'a bound over the sack': [
    'cost-driven',
    varied(knapsack, ['bound = min(', `bound = ${loops('instance.capacity')} + min(`]),
  ],
  'any number of jobs': [
    'cost-driven',
    varied(
      machines,
      ['length(instance.jobs) in 1..config.maxJobs', 'length(instance.jobs) >= 1'],
      [machineMeasure, `${machineMeasure} + ${loops('(length(instance.jobs) * length(instance.jobs))')}`],
    ),
  ],
  'a number of any size': [
    'cost-driven',
    varied(
      target,
      ['require solution.at in 0..config.longest', 'require solution.at >= 0'],
      ['sum(config.longest', `${loops('solution.at')} + sum(max(0, config.longest`],
      ['abs(p - solution.at) for', 'abs(p - solution.at)) for'],
    ),
  ],
}

/** Games that can be played. */
export const GOOD: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SHIPPED.map((name) => [name, sourceOf(name)])),
  machines,
  'two machines': varied(machines, ['machines = 3', 'machines = 2']),
  'five machines': varied(machines, ['machines = 3', 'machines = 5'], ['maxJobs = 8', 'maxJobs = 14']),
  'the mean load as bound': varied(
    machines,
    [machineBound, 'sum(instance.jobs) / config.machines'],
    ['quality = 1', 'quality = 1/3'],
  ),
  partition,
  'a few weights': varied(partition, ['maxNumbers = 10', 'maxNumbers = 6']),
  'a lot of weights': varied(partition, ['maxNumbers = 10', 'maxNumbers = 30']),
  cut,
  'a small cut': varied(cut, ['maxVertices = 8', 'maxVertices = 5']),
  'a large cut': varied(cut, ['maxVertices = 8', 'maxVertices = 24']),
  target,
  'a short target': varied(target, ['longest = 50', 'longest = 20']),
  assignment,
  'four people': varied(assignment, ['maxPeople = 6', 'maxPeople = 4']),
  'ten people': varied(assignment, ['maxPeople = 6', 'maxPeople = 10']),
  'a small sack': varied(knapsack, ['maxItems = 20', 'maxItems = 8']),
  'light items': varied(knapsack, ['maxWeight = 50', 'maxWeight = 10']),
  'a bound of all worths': varied(knapsack, [
    'instance.capacity * max(',
    'sum(item.worth for item in instance.items) + max(',
  ]),
  'small graphs': varied(cover, ['maxVertices = 12', 'maxVertices = 7']),
  'two colours': varied(cover, ['colours = 3', 'colours = 2']),
  'few clauses': varied(sat, ['maxClauses = 200', 'maxClauses = 20'], ['maxVars = 20', 'maxVars = 8']),
  'five cities': varied(salesman, ['maxCities = 8', 'maxCities = 5']),
  'few constraints': varied(csp, ['maxConstraints = 200', 'maxConstraints = 15'], ['maxVars = 20', 'maxVars = 6']),
  'few shapes': varied(pseudo, ['maxConstraints = 100', 'maxConstraints = 12']),
  'five equations': varied(cubic, ['maxQuestions = 30', 'maxQuestions = 5']),
}
