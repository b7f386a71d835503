import type { ChallengeMatch, TriedChallenge } from '../services/contests/command/challenge-match.ts'
import { count, left, right, safeLine, tableOf } from './text.ts'

type Draws = NonNullable<TriedChallenge['draws']>
type DrawnAt = Draws['usual']
type Spread = NonNullable<TriedChallenge['spread']>
type Curve = NonNullable<TriedChallenge['difficulty']>['curves'][number]

/** Predicates in the table of margins: the best for a seller. */
const MARGINS = 5
/** Characters of a predicate there. */
const WIDEST = 48

/** The report of a tested game for people; no lines if it was not tested. */
export function gameTestLines({
  draws,
  bound,
  spread,
  references,
  difficulty,
  complete,
  match,
}: TriedChallenge): readonly string[] {
  if (draws === undefined || bound === undefined) return []
  const lines = [
    ...drawLines(draws.usual),
    '',
    ...costLines(draws),
    '',
    boundLine(bound),
    ...(spread === undefined || spread === null ? [] : ['', ...spreadLines(spread)]),
    ...(references === undefined || references.length === 0 ? [] : ['', ...referenceLines(references)]),
    ...(difficulty?.curves ?? []).flatMap((curve) => ['', ...curveLines(curve)]),
    ...(match === undefined ? [] : ['', ...matchLines(match)]),
    ...(complete === true
      ? []
      : ['', 'The time was up before everything was tried, so the report may differ the next time.']),
  ]
  return lines.map((line) => (line === '' ? '' : `    ${line}`))
}

function drawLines({ predicates, instances, solutions, sizes }: DrawnAt): readonly string[] {
  const row = (what: string, { tried, found }: DrawnAt['predicates']) => ({ what, tried, found })
  const rows = [row('predicates', predicates), row('instances', instances), row('solutions', solutions)]
  const size =
    sizes === null
      ? []
      : [`Instances have ${sizes.least} to ${sizes.most} characters, half of them at most ${sizes.median}.`]
  return [
    ...tableOf(rows, [
      left('drawn at random', ({ what }) => what),
      right('tried', ({ tried }) => tried),
      right('allowed', ({ tried, found }) => (tried === 0 ? '-' : percent(found / tried))),
    ]),
    ...size,
  ]
}

function costLines({ usual, largest }: Draws): readonly string[] {
  const atLargest = new Map(largest?.judgements.map((one) => [one.what, one]))
  const steps = (number: number | null | undefined): string => {
    return number === undefined ? '-' : number === null ? 'over the limit' : number.toLocaleString('en')
  }
  const rows = usual.judgements.map((one) => ({ ...one, large: atLargest.get(one.what) }))
  return tableOf(rows, [
    left('judging', ({ what }) => what),
    right('steps', (one) => steps(one.steps)),
    right('ms', ({ ms }) => ms),
    ...(largest === null
      ? []
      : [
          right<(typeof rows)[number]>('largest settings: steps', ({ large }) => steps(large?.steps)),
          right<(typeof rows)[number]>('ms', ({ large }) => large?.ms ?? '-'),
        ]),
  ])
}

function boundLine({ instances, solutions, reached, counterexample }: NonNullable<TriedChallenge['bound']>): string {
  if (counterexample !== null) return 'The bound is wrong: see above.'
  if (instances === 0)
    return `The bound held for ${count(solutions, 'solution', 'solutions')} of small instances, but not all could be tried.`
  const best = reached === null ? '' : ` The best solution reaches ${percent(reached)} of the bound on average.`
  return `The bound held on ${count(instances, 'small instance', 'small instances')}, of which all solutions were tried (${solutions} in all).${best}`
}

function spreadLines(spread: Spread): readonly string[] {
  const shown = spread.margins.slice(0, MARGINS)
  return [
    `Quality on ${count(spread.instances, 'random instance', 'random instances')}: ${percent(spread.chance)} by chance, ` +
      `${percent(spread.baby)} by the baby agent, ${percent(spread.best)} by a short search.`,
    `The first random solution is worth nothing in ${percent(spread.zero)} of them and perfect in ${percent(spread.one)}; ` +
      `in ${percent(spread.flat)} all solutions are equal.`,
    '',
    ...tableOf(shown, [
      left("a seller's margin with", ({ predicate }) => shortened(safeLine(predicate.replaceAll(/\s+/g, ' ')))),
      right('best price', ({ price }) => price.toFixed(2)),
      right('chance pays back', ({ chance }) => chance.toFixed(2)),
      right('margin', ({ margin }) => margin.toFixed(2)),
    ]),
  ]
}

function referenceLines(references: NonNullable<TriedChallenge['references']>): readonly string[] {
  const share = (number: number | null): string => (number === null ? '-' : percent(number))
  return tableOf(references, [
    left('reference', ({ title }) => shortened(safeLine(title))),
    left('kind', ({ kind }) => kind),
    right('instances', ({ instances }) => instances),
    right('refused', ({ refused }) => refused),
    right('quality', ({ quality }) => share(quality)),
    right('best found', ({ best }) => share(best)),
    left('wanted', ({ kind, share }) => `${kind === 'wrong' ? 'below' : 'at least'} ${percent(share)} of it`),
    left('', ({ ok }) => (ok === null ? 'not run' : ok ? 'as wanted' : 'NOT as wanted')),
  ])
}

/** The letters of a curve, the later over the earlier. */
const MARKS = [
  ['c', 'chance'],
  ['b', 'baby'],
  ['S', 'best'],
  ['P', 'planted'],
] as const
/** Characters from quality 0 to quality 1. */
const WIDTH = 25

/** One line a value: the qualities as numbers, and as letters on a line from 0 to 1. */
function curveLines({ parameter, points }: Curve): readonly string[] {
  if (points.length === 0) return [`No generated instance could be measured for any ${safeLine(parameter)}.`]
  const line = (point: Curve['points'][number]): string => {
    const places = Array.from({ length: WIDTH }, () => '·')
    for (const [mark, name] of MARKS) {
      const quality = point[name]
      if (quality !== null) places[Math.round(quality * (WIDTH - 1))] = mark
    }
    return places.join('')
  }
  const shown = (quality: number | null): string => (quality === null ? '-' : quality.toFixed(2))
  return tableOf(points, [
    right(`generated with ${safeLine(parameter)}`, ({ value }) => value),
    right('chance', ({ chance }) => shown(chance)),
    right('baby', ({ baby }) => shown(baby)),
    right('search', ({ best }) => shown(best)),
    right('planted', ({ planted }) => shown(planted)),
    left('quality from 0 to 1', line),
  ])
}

function matchLines({ seats }: ChallengeMatch): readonly string[] {
  const scores = seats.map(({ agent, score }) => `${safeLine(agent)} ${score}`)
  return [
    `A match of agents that know only the file: ${scores.join(', ')}.`,
    ...seats.flatMap(({ agent, removed, faults }) => [
      ...(removed === null ? [] : [`${safeLine(agent)} was removed: ${safeLine(removed)}`]),
      ...faults.map((fault) => `${safeLine(agent)} had a fault: ${safeLine(fault)}`),
    ]),
  ]
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`
}

function shortened(text: string): string {
  return text.length <= WIDEST ? text : `${text.slice(0, WIDEST - 1)}…`
}
