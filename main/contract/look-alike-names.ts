import unhomoglyph from 'unhomoglyph'
import { nameKey } from './names.ts'

/**
 * The skeletons of a name (Unicode UTS 39, section 4), as it is written and in capitals: people confuse two names that
 * share one.
 */
function skeletons(name: string): readonly string[] {
  return [name.normalize('NFKC'), nameKey(name)].map((text) =>
    unhomoglyph(text.normalize('NFD').replaceAll(/\p{DI}/gu, '')).normalize('NFD'),
  )
}

/** Names, and the question which of them people would confuse with another. */
export interface NamesInUse {
  /** A name in use that equals this one or looks like it; undefined: there is none. */
  like(name: string): string | undefined
  add(name: string): void
}

export function namesInUse(names: Iterable<string> = []): NamesInUse {
  /** As names are written, and in capitals: "Ai" does not look like "Al", though "AI" does. */
  const known = [new Map<string, string>(), new Map<string, string>()] as const
  const inUse: NamesInUse = {
    like(name) {
      return skeletons(name)
        .map((skeleton, at) => known[at]?.get(skeleton))
        .find((found) => found !== undefined)
    },
    add(name) {
      for (const [at, skeleton] of skeletons(name).entries())
        if (known[at]?.has(skeleton) === false) known[at].set(skeleton, name)
    },
  }
  for (const name of names) inUse.add(name)
  return inUse
}

/** Says how two names are alike: `"anna" occurs twice`, `"anna" and "Anna" differ only in case`, or that they look alike. */
function likeness(one: string, other: string): string {
  if (one === other) return `"${one}" occurs twice`
  return `"${one}" and "${other}" ${nameKey(one) === nameKey(other) ? 'differ only in case' : 'look alike'}`
}

/** How the first two names that people would confuse are alike; null: there are none. */
export function findLikeness(names: readonly string[]): string | null {
  const inUse = namesInUse()
  for (const name of names) {
    const other = inUse.like(name)
    if (other !== undefined) return likeness(other, name)
    inUse.add(name)
  }
  return null
}
