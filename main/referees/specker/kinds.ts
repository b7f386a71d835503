import type { Choices } from './choices.ts'
import type { Kind } from './messages.ts'

const kinds: Readonly<Record<Choices['variant'], readonly [Kind, ...Kind[]]>> = {
  classic: ['classic'],
  belief: ['belief'],
  secret: ['secret'],
  'base-ball': ['classic', 'secret'],
}

/** What may be sold in a market; the first is meant where an offer names none. */
export function kindsOf({ variant }: Pick<Choices, 'variant'>): readonly [Kind, ...Kind[]] {
  return kinds[variant]
}

/** What rule 3 compares: the same predicate sold as another kind is another challenge, whose price means something else. */
export function keyOf(kind: Kind, predicateKey: string): string {
  return kind === 'classic' ? predicateKey : `${kind} ${predicateKey}`
}
