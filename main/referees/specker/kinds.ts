import type { Choices } from './choices.ts'
import type { Kind } from './messages.ts'

const kinds: Readonly<Record<Choices['variant'], readonly [Kind, ...Kind[]]>> = {
  classic: ['classic'],
  belief: ['belief'],
  secret: ['secret'],
  'base-ball': ['classic', 'secret'],
}

/** The kinds that a market sells; the first is the default of offers. */
export function kindsOf({ variant }: Pick<Choices, 'variant'>): readonly [Kind, ...Kind[]] {
  return kinds[variant]
}

/**
 * The key that rule 3 compares: the same predicate sold as another kind is a different challenge, whose price has
 * another meaning.
 */
export function keyOf(kind: Kind, predicateKey: string): string {
  return kind === 'classic' ? predicateKey : `${kind} ${predicateKey}`
}
