import type { Digest, OpenMatch, PlacedSwing } from './game.ts'

/** Swings of a match that are shown. */
const SHOWN = 8

/** The largest of these, the largest first, numbered from 1; of equal ones the earlier first. */
export function largestSwings(swings: readonly Omit<PlacedSwing, 'number'>[]): readonly PlacedSwing[] {
  return swings
    .toSorted((a, b) => Math.abs(b.amount) - Math.abs(a.amount) || a.row - b.row || a.seat - b.seat)
    .slice(0, SHOWN)
    .map((swing, at) => ({ ...swing, number: at + 1 }))
}

/** True if a viewer knows what follows a position: the public does, a seat does not. */
export const foresees = ({ viewer }: Pick<OpenMatch, 'viewer'>): boolean => viewer === 'public'

/** Those that the viewer knows of at a position, the largest first: the public knows all, a seat those that have happened. */
export function knownSwings(match: Pick<OpenMatch, 'swings' | 'viewer'>, position: number): readonly PlacedSwing[] {
  if (foresees(match)) return match.swings
  // Their numbers do not tell that larger ones follow.
  return match.swings.filter((swing) => swing.position <= position).map((swing, at) => ({ ...swing, number: at + 1 }))
}

/** A swing in one sentence with its round; null: the viewer did not know what it is about; undefined until it is fetched. */
export function swingSentence(match: Described, swing: PlacedSwing): string | null | undefined {
  const digest = match.digest(swing.position - 1)
  return digest === undefined ? undefined : sentenceOf(match, swing, digest)
}

/** As `swingSentence`, and waits. */
export async function swingSentenceOf(match: Described, swing: PlacedSwing): Promise<string | null> {
  return sentenceOf(match, swing, await match.digestOf(swing.position - 1))
}

type Described = Pick<OpenMatch, 'story' | 'outline' | 'digest' | 'digestOf'>

function sentenceOf({ story, outline }: Described, swing: PlacedSwing, digest: Digest | null): string | null {
  const sentence = digest === null ? null : (story.swing?.(digest, swing) ?? null)
  return sentence === null ? null : `Round ${outline.round(swing.position - 1)}: ${sentence}`
}
