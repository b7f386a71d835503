import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import type { Challenge } from '../../../grammars/challenges/index.ts'
import type { Json } from '../../../grammars/json.ts'
import type { PlayTest } from '../../../grammars/play-test/report.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { ENERGY } from '../../../main/referees/specker/messages.ts'
import { playMatch } from '../../unit/agents-specker/table.ts'
import { SHIPPED, sourceOf } from '../../unit/challenges/shipped.ts'

interface Measured {
  readonly challenge: Challenge
  readonly config: Json
  readonly test: PlayTest
}
interface Handouts {
  measureShipped(): Promise<ReadonlyMap<string, Measured>>
  pagesWithNumbers(shipped: ReadonlyMap<string, Measured>): Promise<ReadonlyMap<string, string>>
}

const root = join(import.meta.dirname, '../../..')
const script = pathToFileURL(join(root, 'scripts/handouts.mjs')).href
let handouts: Handouts
let shipped: ReadonlyMap<string, Measured>

beforeAll(async () => {
  handouts = (await import(script)) as Handouts
  shipped = await handouts.measureShipped()
}, 120_000)

test('each of the twelve has a picture, references that do as they should, a planted solution and examples, can be played, and babies trade it', () => {
  const facts = Object.fromEntries(SHIPPED.map((name) => [name, factsOf(name)]))
  const all = { plants: true, playable: true, trivial: false, thoughtPays: true, examples: true, traded: true }
  const solved = 'good greedy wrong'
  expect(facts).toEqual({
    'cubic-equations': { picture: 'table', references: solved, ...all },
    'graph-colouring': { picture: 'graph', references: solved, ...all },
    'job-scheduling': { picture: 'gantt', references: solved, ...all },
    knapsack: { picture: 'bars', references: solved, ...all },
    'longest-common-subsequence': { picture: 'alignment', references: solved, ...all },
    'max-csp': { picture: 'grid', references: solved, ...all },
    'max-sat': { picture: 'grid', references: solved, ...all },
    'number-partition': { picture: 'bars', references: solved, ...all },
    'pseudo-boolean': { picture: 'grid', references: solved, ...all },
    'set-cover': { picture: 'grid', references: solved, ...all },
    'travelling-salesman': { picture: 'graph', references: solved, ...all },
    'vertex-cover': { picture: 'graph', references: solved, ...all },
  })
})

test('the pages for students and docs/good-challenges.md have the numbers of today: `npm run handouts` writes them', async () => {
  const pages = await handouts.pagesWithNumbers(shipped)
  expect([...pages.keys()].toSorted()).toEqual(
    [...SHIPPED.map((name) => `handouts/${name}.md`), 'good-challenges.md'].toSorted(),
  )
  for (const [path, text] of pages) expect([path, readFileSync(join(root, 'docs', path), 'utf8')]).toEqual([path, text])
})

test.each(SHIPPED)('the page for students on %s has all parts, and three hints', (name) => {
  const page = readFileSync(join(root, 'docs/handouts', `${name}.md`), 'utf8')
  const parts = [...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title)
  expect(parts).toEqual(['A small example', 'The game', 'The score', 'Hints', 'Questions', 'Numbers'])
  const hints = page.slice(page.indexOf('## Hints'), page.indexOf('## Questions'))
  expect(hints.match(/^\d\. \*\*(Simple|Better|Good)\*\*/gm)).toHaveLength(3)
})

test('the sums that the pages for students write out are right', () => {
  const sums = SHIPPED.flatMap((name) => {
    const page = readFileSync(join(root, 'docs/handouts', `${name}.md`), 'utf8').replace(/^```[^]*?^```$/gm, '')
    const found = page.matchAll(/(\d+(?:\.\d+)?(?:\s[+·/]\s\d+(?:\.\d+)?)+) = (\d+(?:\.\d+)?)/g)
    return Array.from(found, ([, sum, result]) => ({ name, sum: sum!, result: Number(result) }))
  })
  for (const one of sums) expect({ ...one, result: valueOf(one.sum) }).toEqual(one)
  expect(sums.length).toBeGreaterThan(9)
})

/** The value of a sum of products and quotients. */
function valueOf(sum: string): number {
  const product = (part: string): number => {
    const [first, ...rest] = part.split(/\s([·/])\s/)
    let value = Number(first)
    for (let i = 0; i < rest.length; i += 2)
      value = rest[i] === '/' ? value / Number(rest[i + 1]) : value * Number(rest[i + 1])
    return value
  }
  return sum.split(/\s\+\s/).reduce((value, part) => value + product(part), 0)
}

function factsOf(name: string): { readonly [fact: string]: string | boolean | undefined } {
  const source = sourceOf(name)
  const { challenge, config, test } = shipped.get(name)!
  const { zero, one, chance } = test.spread!
  const references = test.references.map(({ kind, ok }) => (ok === true ? kind : `${kind} fails`))
  return {
    picture: /^picture (\w+)/m.exec(source)?.[1],
    references: references.toSorted().join(' '),
    plants: plants(challenge, config),
    playable: test.playable,
    // The best known, which is that of a reference, against one random solution.
    thoughtPays: test.references[0]!.best! - chance > 0.1,
    trivial: zero + one > 0.75,
    examples: [/^example "[^"]*" \{$/gm, /^example .* refused \{$/gm].every((each) => source.match(each)!.length >= 3),
    traded: isTraded(name),
  }
}

/** True if the generator always makes raw material with a planted solution. */
function plants({ generator, sampler }: Challenge, config: Json): boolean {
  const random = randomStream('2'.repeat(64))
  return Array.from({ length: 12 }, () => {
    const predicate = sampler.predicate(config, random)
    const settings = generator?.settings({})
    if (generator === null || !predicate.ok || settings?.ok !== true) return false
    const made = generator.make(config, predicate.value, settings.value, random)
    return made.ok && made.planted !== null
  }).every(Boolean)
}

function isTraded(name: string): boolean {
  const config = { challenge: sourceOf(name), maxTurns: 2, init: 100 * ENERGY }
  const { removals, transcript } = playMatch(['baby', 'baby'], config, 1)
  return removals.length === 0 && ['offer', 'deliver', 'solve'].every((type) => transcript.includes(`"type":"${type}"`))
}
