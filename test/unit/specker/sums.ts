import type { Challenge, ReadChallenge } from '../../../grammars/challenges/index.ts'
import { readDictionary } from '../../../grammars/class-dictionary/index.ts'
import { compileValues } from '../../../grammars/values/index.ts'
import { compare, fraction } from '../../../grammars/formulas/numbers/fraction.ts'
import type { Json } from '../../../main/contract/json.ts'

/**
 * A challenge small enough to see through, in place of the language: the rules are tested here, not the reader. A
 * predicate is a list of sizes in any order, raw material is one of those sizes, a solution is a number from 0 to the
 * size, and its quality is solution / size. Size 11 shows a belief that fails, size 12 one that is not about the quality. Size 13 shows a challenge file
 * that fails, size 14 one that goes beyond 1. A solution of 0 cannot be judged at size 15, the bound of size 16 has no value,
 * and no solution of size 17 can be judged. The file fails at a solution of 0 for size 18. At size 20 its demands fail for a
 * solution of 3, if it is asked for that; other sizes than 16 have a bound.
 */
const sums: Challenge = {
  name: 'sums',
  title: 'Sums',
  text: '',
  config(value) {
    const max = fieldOf(value, 'max') ?? 20
    return whole(max) && max > 0 ? { ok: true, value: { max } } : { ok: false, error: 'max: not a size' }
  },
  predicate(config, value) {
    const max = Number(fieldOf(config, 'max'))
    if (!Array.isArray(value) || value.length === 0) return { ok: false, error: 'sizes are missing.' }
    const sizes = [...new Set(value as readonly Json[])].filter(whole).sort((a, b) => a - b)
    if (value.some((size) => !whole(size) || size < 1 || size > max)) return { ok: false, error: 'not a size.' }
    return { ok: true, value: sizes, key: JSON.stringify(sizes) }
  },
  legal: (_config, predicate, instance) =>
    (predicate as readonly Json[]).includes(instance) ? null : 'the size is none of the predicate.',
  legalAtAll: () => null,
  feasible: (_config, instance, solution) =>
    !(instance === 20 && solution === 3) && whole(solution) && solution >= 0 && solution <= Number(instance)
      ? null
      : 'not between 0 and the size.',
  quality(_config, instance, solution) {
    if (instance === 13) return 'The measure divides by 0.'
    if (instance === 17) return 'The measure takes too many steps.'
    if ((instance === 15 || instance === 18) && solution === 0) return 'The measure of nothing is nothing.'
    return instance === 14 ? fraction(3, 2) : fraction(Number(solution), Number(instance))
  },
  rating: () => 'Nobody asks here.',
  picture: null,
  model: () => ({ ok: false, error: 'Nobody asks here.' }),
  judgement: () => ({ kind: 'failed', error: 'Nobody asks here.' }),
  spent: () => [],
  placeOf: () => null,
  supports(config, instance, solution, f) {
    if (instance === 11) return 'The belief divides by 0.'
    if (instance === 12) return Number(solution) % 2 === 1
    const quality = this.quality(config, instance, solution)
    return typeof quality === 'string' ? quality : compare(quality, f) < 0
  },
  efforts: () => [],
  largestConfig: {},
  unratable: (_config, instance) => (instance === 16 ? 'The bound takes too many steps.' : null),
  boundCulprit: (_config, predicate) =>
    (predicate as readonly Json[]).every((size) => size === 16) ? 'challenge' : 'instance',
  culprit(_config, instance, solution, f, _random, { predicate }) {
    if (instance === 20 && solution === 3 && predicate !== null) return 'challenge'
    if (instance === 13 || instance === 14 || (instance === 11 && f !== null)) return 'challenge'
    if (instance === 18 && solution === 0) return 'challenge'
    return instance === 17 ? 'instance' : 'solution'
  },
  references: [],
  format: null,
  leagues: [
    {
      name: 'few',
      title: 'Few sizes',
      parameter: { name: 'n', standard: 2, low: 1, high: 9 },
      secret: false,
      admits(_config, predicate, most = 2) {
        const { length } = predicate as readonly Json[]
        return length <= most ? null : `at most ${most} sizes, not ${length}.`
      },
    },
    { name: 'secrets', title: 'With secrets', secret: true, admits: () => null },
  ],
  sampler: {
    predicate: () => ({ ok: true, value: [1] }),
    instance: () => ({ ok: true, value: 1 }),
    solution: () => ({ ok: true, value: 0 }),
    once: () => ({ ...unasked(), limit: false }),
    everySolution: () => null,
  },
  generator: null,
  explain: () => null,
  values: {
    ...compileValues(readDictionary('Nothing = .').dictionary!),
    print: (value) => JSON.stringify(value),
    shape: (type) =>
      type === 'Predicate'
        ? { ok: true, shape: { kind: 'list', of: { kind: 'int' } } }
        : {
            ok: false,
            problem: { at: { line: 1, column: 1, offset: 0 }, code: 'class-unknown', message: `no class ${type}` },
          },
  },
}

export const SUMS = 'challenge sums'

/** Takes the place of the reader of challenge files. */
export function readChallenge(source: string): ReadChallenge {
  return source === SUMS
    ? { challenge: sums, problems: [] }
    : {
        challenge: null,
        problems: [{ at: { line: 2, column: 7, offset: 20 }, code: 'syntax', message: 'expected a class.' }],
      }
}

function unasked(): { readonly ok: false; readonly error: string } {
  return { ok: false, error: 'Nobody asks here.' }
}

function whole(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function fieldOf(value: Json, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: Json })[name]
    : undefined
}
