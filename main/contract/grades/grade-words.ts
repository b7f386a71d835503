import type { GradeCount, GradeTerm, RulingEffect } from './grade-terms.ts'

// Sentences about grades, made from their terms. Educators and students read the same ones.

/** A figure in words, with those from which it follows. */
export interface Explanation {
  readonly text: string
  readonly value: number
  /** Figures that were dropped do not count. */
  readonly isDropped: boolean
  readonly parts: readonly Explanation[]
}

/** A figure with at most two decimals. */
const figure = (value: number): string => String(Number(value.toFixed(2)))

/** The maximum number of figures in an explanation: parts of parts of parts can have any number. */
const FIGURES_MAX = 2_000

/** The maximum number of figures below one another: kept files are read again with a limit on nesting. */
const DEPTH_MAX = 60

/** A figure with those from which it follows; those after the first `FIGURES_MAX`, and deeper than `DEPTH_MAX`, are left out. */
export function explained(term: GradeTerm): Explanation {
  return explainedWithin({ left: FIGURES_MAX }, term, { isDropped: false, depth: 1 })
}

function explainedWithin(
  budget: { left: number },
  term: GradeTerm,
  { isDropped, depth }: { readonly isDropped: boolean; readonly depth: number },
): Explanation {
  const shown = (terms: readonly GradeTerm[], areDropped: boolean): readonly Explanation[] =>
    terms.flatMap((each) =>
      budget.left > 0 && depth < DEPTH_MAX
        ? [explainedWithin(budget, each, { isDropped: areDropped, depth: depth + 1 })]
        : [],
    )
  const below = (terms: readonly GradeTerm[], dropped: readonly GradeTerm[] = []): readonly Explanation[] => [
    ...shown(terms, false),
    ...shown(dropped, true),
  ]
  budget.left -= 1
  const { value } = term
  switch (term.kind) {
    case 'number':
      return { text: figure(value), value, isDropped, parts: [] }
    case 'measure':
      return { text: measureText(term), value, isDropped, parts: [] }
    case 'count':
      return { text: countText(term.count, value), value, isDropped, parts: [] }
    case 'named':
      return { text: `${term.name}: ${figure(value)}`, value, isDropped, parts: below([term.of]) }
    case 'operator': {
      const [one, other] = term.parts
      const text = `${figure(one.value)} ${term.operator} ${figure(other.value)} = ${figure(value)}`
      return { text, value, isDropped, parts: below(term.parts) }
    }
    case 'function':
      return { text: functionText(term), value, isDropped, parts: below(term.parts, term.left) }
  }
}

/** The facts behind a figure in one line: "place 4 of 27 in “Week 3”: 88.46; 2 late days for “Week 3”". */
export function factsLine(of: Explanation): string {
  const facts: string[] = []
  const gather = ({ text, value, parts, ...each }: Explanation, isDropped: boolean): void => {
    const isOut = isDropped || each.isDropped
    // A number that is written in the scheme is not a fact.
    if (parts.length === 0 && text !== figure(value)) facts.push(`${text}${isOut ? ' (dropped)' : ''}`)
    for (const part of parts) gather(part, isOut)
  }
  gather(of, false)
  return facts.join('; ')
}

type Measure = Extract<GradeTerm, { kind: 'measure' }>

function measureText({ measure, title, other, facts, met, value, isToCome = false }: Measure): string {
  const contest = `“${title}”`
  if (isToCome) return `${contest} has not ended: it counts nothing yet`
  if (measure === 'handed') return `${plural(value, 'hand-in')} for ${contest}`
  if (facts === null) return measure === 'late' ? `no late days for ${contest}` : `did not play in ${contest}: 0`
  const rulings = facts.rulings.map((each) => `; ${rulingText(each)}`).join('')
  const before =
    facts.asPlayed === undefined || facts.rulings.length === 0 ? '' : `, as played place ${facts.asPlayed.rank}`
  const place = `place ${facts.rank} of ${facts.of} in ${contest}`
  switch (measure) {
    case 'place':
      return `${place}: ${figure(value)} of 100${rulings}${before}`
    case 'tied': {
      const tie = facts.tiedWith > 1 ? `, whose rating cannot be told from those of ${facts.tiedWith - 1} others` : ''
      return `${place}${tie}: ${figure(value)} of 100${rulings}${before}`
    }
    case 'share':
      return `${figure(facts.points)} points in ${contest}, ${figure(value)} % of the best${rulings}`
    case 'points':
      return `${figure(facts.points)} points in ${contest}${rulings}`
    case 'against':
      return met === null || met.met === 0
        ? `did not meet ${other} in ${contest}: 0`
        : `before ${other} in ${figure(met.better)} of ${plural(met.met, 'match', 'matches')} of ${contest}: ${figure(value)} of 100`
    case 'late':
      return value === 0 ? `no late days for ${contest}` : `${plural(value, 'late day')} for ${contest}`
    case 'played':
      return `played in ${contest}`
  }
}

function rulingText({ ruling, remedy, points }: RulingEffect): string {
  const sign = points !== null && points > 0 ? '+' : ''
  const effect =
    remedy === 'points' || remedy === 'energy'
      ? `${sign}${figure(points ?? 0)}${remedy === 'energy' ? ' energy' : ''}`
      : remedy === 'forfeit'
        ? 'matches forfeited'
        : 'removed'
  return `ruling ${ruling}: ${effect}`
}

function countText(count: GradeCount, value: number): string {
  const texts: Readonly<Record<GradeCount, string>> = {
    filed: `${plural(value, 'case')} filed`,
    upheld: `${plural(value, 'case')} won`,
    panels: `${plural(value, 'case')} judged on a panel`,
    published: `${plural(value, 'component')} published`,
  }
  return texts[count]
}

function functionText({ name, parts, left, settings, value }: Extract<GradeTerm, { kind: 'function' }>): string {
  const values = parts.map((each) => figure(each.value)).join(', ')
  const out = left.filter((each) => each.kind !== 'measure' || each.isToCome !== true)
  const dropped = out.length === 0 ? '' : ` (dropped: ${out.map((each) => figure(each.value)).join(', ')})`
  const is = figure(value)
  switch (name) {
    case 'mean':
      return `mean of ${values}${dropped}: ${is}`
    case 'sum':
      return `sum of ${values}${dropped}: ${is}`
    case 'min':
      return `smallest of ${values}${dropped}: ${is}`
    case 'max':
      return `largest of ${values}${dropped}: ${is}`
    case 'weighted': {
      const each = parts.map((part, at) => `${figure(settings[at] ?? 0)} % of ${figure(part.value)}`)
      return `${each.join(' + ')}: ${is}`
    }
    case 'cap':
      return `${values}, at most ${figure(settings[0] ?? 0)}: ${is}`
    case 'step':
      return `${values} reaches ${is}`
    case 'curve':
      return `${values} on a curve with mean ${figure(settings[0] ?? 0)} and deviation ${figure(settings[1] ?? 0)}: ${is}`
    case 'round':
      return `${values} rounded: ${is}`
    case 'if':
      return `by a condition: ${is}`
    case '-x':
      return `minus ${values}`
  }
}

const plural = (value: number, one: string, many = `${one}s`): string => `${figure(value)} ${value === 1 ? one : many}`
