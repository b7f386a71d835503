import type { PlayTest } from '../../../grammars/play-test/report.ts'
import { count, number } from '../../words.ts'

/** A bar with its number. `share`: its length, 0 to 1; `mark`: a place on it that is to be reached; null: none. */
export interface Bar {
  readonly label: string
  readonly share: number
  readonly mark: number | null
  readonly text: string
}

/** Some bars of one scale. `note`: a sentence about all of them. */
export interface BarChart {
  readonly title: string
  readonly note: string
  readonly bars: readonly Bar[]
}

/** The predicates that are shown: the best for a seller. */
const MARGINS = 5
/** The steps at which judging is too slow to play; the scale of costs is logarithmic. */
const SLOW = 1_000_000

const percent = (share: number): string => `${Math.round(100 * share)}%`

/** The report on a game as small charts; those without anything to show are left out. */
export function chartsOf({ draws, spread, bound, references, difficulty }: PlayTest): readonly BarChart[] {
  const { usual } = draws
  const drawn = (['predicates', 'instances', 'solutions'] as const).map((what): Bar => {
    const { tried, found } = usual[what]
    const share = tried === 0 ? 0 : found / tried
    return { label: what, share, mark: null, text: tried === 0 ? '–' : percent(share) }
  })
  const costs = usual.judgements.map(({ what, steps }): Bar => {
    const share = steps === null ? 1 : Math.min(1, Math.log10(Math.max(1, steps)) / Math.log10(SLOW))
    return { label: what, share, mark: null, text: steps === null ? 'over the limit' : number(steps) }
  })
  const tried = references.filter(({ quality }) => quality !== null)
  return [
    ...(spread === null ? [] : spreadCharts(spread, bound)),
    { title: 'Random objects that are allowed', note: '', bars: drawn },
    { title: 'Steps of one judgement', note: `on a logarithmic scale up to ${number(SLOW)}`, bars: costs },
    {
      title: 'References',
      note: 'average quality; the line is what it must reach, and a wrong one must not',
      bars: tried.map(({ title, quality, best, share, refused }) => ({
        label: title,
        share: quality ?? 0,
        mark: share * (best ?? 0),
        text: refused === 0 ? percent(quality ?? 0) : `${percent(quality ?? 0)}, ${number(refused)} refused`,
      })),
    },
    ...difficultyCharts(difficulty),
  ].filter(({ bars }) => bars.length > 0)
}

/** How hard a generator's raw material is, a chart for each parameter. Planted solutions are not in it. */
export function difficultyCharts(difficulty: PlayTest['difficulty']): readonly BarChart[] {
  return (difficulty?.curves ?? []).flatMap(({ parameter, points }) => {
    const bars = points.map(({ value, chance, best }): Bar => {
      return { label: `${number(value)} (chance ${percent(chance)})`, share: best, mark: chance, text: percent(best) }
    })
    const note = `average quality of a short search, by ${parameter}; the line is chance`
    return bars.length === 0 ? [] : [{ title: `Difficulty by ${parameter}`, note, bars }]
  })
}

function spreadCharts(
  { instances, chance, baby, best, margins }: NonNullable<PlayTest['spread']>,
  { reached }: PlayTest['bound'],
): readonly BarChart[] {
  const bar = (label: string, share: number): Bar => ({ label, share, mark: null, text: percent(share) })
  return [
    {
      title: 'Average quality',
      note: `on ${count(instances, 'random instance')}`,
      bars: [
        bar('by chance', chance),
        bar('better of two', baby),
        bar('short search', best),
        ...(reached === null ? [] : [bar('best of small ones', reached)]),
      ],
    },
    {
      title: "A seller's margin",
      note: 'of predicates: price less what chance pays back',
      bars: margins.slice(0, MARGINS).map(({ predicate, margin }) => ({
        label: predicate,
        share: Math.max(0, margin),
        mark: null,
        text: margin.toFixed(2),
      })),
    },
  ]
}
