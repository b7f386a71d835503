import { describe, expect, test } from 'vitest'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import type { Challenge } from '../../../grammars/challenges/index.ts'
import { challengeThings } from '../../../grammars/language-services/challenge-things.ts'
import { edited } from '../../../grammars/language-services/edits.ts'
import type { Thing } from '../../../grammars/language-services/occurrences.ts'
import { renamable, rename } from '../../../grammars/language-services/rename.ts'
import { repeats } from '../../long.ts'
import { ERRAND } from '../../unit/challenges/mistakes.ts'
import { SHIPPED, sourceOf } from '../../unit/challenges/shipped.ts'
import { SMALL } from '../challenges/mutants.ts'
import { randomOf } from '../class-dictionary/fuzz.ts'

const files = [
  ...SHIPPED.map((name) => ({ name, text: sourceOf(name) })),
  { name: 'small', text: SMALL.replace('set Instance.xs\n', '') },
  { name: 'errand', text: ERRAND },
]

function renamed(text: string, offset: number, to: string): string {
  const made = rename(
    () => text,
    (read) => challengeThings(read(null) ?? ''),
    offset,
    to,
  )
  if (!made.ok) throw new Error(`${made.code}: ${made.error}`)
  return edited(text, made.edits)
}

/** Texts of drawn values with their qualities, so that they can be judged under other names. */
function judged(challenge: Challenge): string {
  const random = randomOf(11)
  const config = challenge.config({})
  if (!config.ok) throw new Error(config.error)
  const lines: string[] = []
  for (let i = 0; i < 3; i++) {
    const predicate = challenge.sampler.predicate(config.value, random)
    const instance = predicate.ok ? challenge.sampler.instance(config.value, predicate.value, random) : predicate
    const solution = instance.ok ? challenge.sampler.solution(config.value, instance.value, random) : instance
    if (!instance.ok || !solution.ok) continue
    const quality = challenge.quality(config.value, instance.value, solution.value)
    lines.push(challenge.values.print(instance.value, 'Instance'), challenge.values.print(solution.value, 'Solution'))
    lines.push(typeof quality === 'string' ? quality : `${quality.n}/${quality.d}`)
  }
  return lines.join('\n')
}

/** A name that nothing in the files has. */
function freshName({ kind }: Thing): string {
  return kind === 'class' ? 'Zebra' : kind === 'league' ? 'zebra-2-x' : 'zebra7'
}

describe('a renamed thing', () => {
  test.each(files)('gets its name back, and judges as before: $name', ({ text }) => {
    const before = readChallenge(text).challenge!
    const things = challengeThings(text)
    expect(things.isFine).toBe(true)
    const free = things.things.filter(({ occurrences: [first] }) => renamable(things, first!.from).ok)
    // Values that the language gives and the three classes that it needs are all that stays.
    const fixed = things.things.filter((thing) => !free.includes(thing) && thing.kind !== 'function')
    for (const { name } of fixed)
      expect(['Predicate', 'Instance', 'Solution', 'predicate', 'instance', 'solution', 'this', 'config']).toSatisfy(
        (known: readonly string[]) =>
          known.includes(name) || /^(List|Option|int|number|ident|string|boolean|text)$/.test(name),
      )
    const random = randomOf(text.length)
    const some = free.filter(() => random() % Math.ceil(free.length / repeats({ short: 5, long: free.length })) === 0)
    expect(free.length).toBeGreaterThan(5)
    const answers = judged(before)
    for (const thing of some) {
      const use = thing.occurrences[random() % thing.occurrences.length]!
      const to = freshName(thing)
      const other = renamed(text, use.from, to)
      expect(other).not.toBe(text)
      const { challenge, problems } = readChallenge(other)
      expect(problems).toEqual([])
      expect(judged(challenge!)).toBe(answers)
      const back = challengeThings(other).things.find(({ name }) => name === to)!
      expect(back.occurrences).toHaveLength(thing.occurrences.length)
      expect(renamed(other, back.occurrences.at(-1)!.from, thing.name)).toBe(text)
    }
  })
})
