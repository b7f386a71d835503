import type { TermRow, Trend } from '../../../main/contract/grades/term-table.ts'

/** The place of a rating between the lowest (0) and the highest (1) that is shown. */
export type Scale = (rating: number) => number

/** The scale of ratings and intervals of these rows. */
export function scaleOf(rows: readonly Pick<TermRow, 'rating' | 'interval' | 'results'>[]): Scale {
  const all = rows.flatMap(({ rating, interval, results }) => [
    ...[rating, ...(interval ?? [])],
    ...results.flatMap(({ after }) => after?.rating ?? []),
  ])
  const [low, high] = [Math.min(...all), Math.max(...all)]
  return (rating) => (high > low ? (rating - low) / (high - low) : 0.5)
}

/** The ratings after each contest as the points of a line in a box of 64 by 24. */
export function courseOf({ results }: Pick<TermRow, 'results'>, scale: Scale): string {
  const ratings = results.flatMap(({ after }) => after?.rating ?? [])
  const step = 60 / Math.max(1, ratings.length - 1)
  return ratings.map((rating, at) => `${2 + at * step},${(22 - 20 * scale(rating)).toFixed(1)}`).join(' ')
}

/** '': it cannot be told. */
export function trendWords(trend: Trend | null): string {
  return trend === null ? '' : { rising: '↑ rising', falling: '↓ falling', steady: '→ steady' }[trend]
}
