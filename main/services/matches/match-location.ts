import { join } from 'node:path'
import type { MatchPlace } from '../../histories/segments/match-place.ts'
import type { FinishedRow } from '../../histories/segments/finished-pages.ts'
import { segmentName } from '../../histories/segments/seal-texts.ts'

/** The location of a run in the segments of its contest's folder. */
export function matchLocation(folder: string, { run, from, to }: Pick<FinishedRow, 'run' | 'from' | 'to'>): MatchPlace {
  const stretches = []
  for (let segment = from.segment; segment <= to.segment; segment++) {
    stretches.push({
      path: join(folder, segmentName(segment)),
      from: segment === from.segment ? from.byte : 0,
      to: segment === to.segment ? to.byte : Infinity,
    })
  }
  return { run, stretches }
}
