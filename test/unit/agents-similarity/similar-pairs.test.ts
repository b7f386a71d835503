import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { storeAgent } from '../../../main/administrator/classroom/agents.ts'
import {
  afterLessons,
  kitCode,
  shippedPrintsJob,
  type ShippedPrints,
} from '../../../main/services/agents/similarity/shipped-prints.ts'
import {
  commonShare,
  ownCode,
  ownCodeJob,
  similarPairs,
} from '../../../main/services/agents/similarity/similar-pairs.ts'
import { codeFile, codeOf } from '../../../main/services/agents/similarity/source-code.ts'
import { writeTar } from '../../../main/services/packages/tar.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const none = (): void => undefined
const kits = join(resources.kits, 'agents', 'kits', 'haggle')
const read = (path: string): string => readFileSync(join(kits, path), 'utf8')
let shipped: ShippedPrints
beforeAll(async () => {
  const baby = readFileSync(join(resources.agents, 'haggle', 'baby.js'))
  shipped = await shippedPrintsJob.read(
    { shipped: [{ name: 'baby', bytes: baby }], kits: await kitCode('haggle') },
    none,
  )
})

/** An agent of a class from its script; its name is its team. */
async function agent(name: string, text: string, path = 'agent.js', team = name) {
  const code = await ownCode([codeFile(path, text)], shipped.common)
  return { name, team, agent: hash('sha256', text), code }
}

/** A small agent of one's own, on the kit's. */
const trader = `
class Trader {
  constructor(me, counts, values, maxRounds) { this.left = maxRounds * 2 - me; this.counts = counts; this.values = values }
  worth(share) { return share.reduce((sum, each, type) => sum + each * this.values[type], 0) }
  offer(given) {
    this.left -= 2
    const all = this.worth(this.counts)
    if (given !== undefined && this.worth(given) > all * (0.4 + 0.1 * Math.min(4, this.left))) return undefined
    const sorted = this.values.map((value, type) => ({ value, type })).sort((a, b) => a.value - b.value)
    const share = this.counts.slice()
    for (const { type } of sorted) if (this.left < 4 && this.worth(share) > all / 2) share[type] = Math.max(0, share[type] - 1)
    return share
  }
}
module.exports = Trader
`

test('three hand-ins of the same work are three pairs, although two were renamed, reformatted and commented', async () => {
  const renamed = trader
    .replaceAll(/\b(Trader|left|worth|share|sorted|given|all)\b/g, '$1Mine')
    .replaceAll('\n    ', '\n\n\t// my own idea\n')
  const other = `class Other { offer(o) { let a = 3; while (a--) { if (o && o[a] % 2 === 1) { return o.map((x) => x ^ a) } }
    const b = new Map(); b.set('x', [1, 2, 3]); for (const [k, v] of b) { console.log(k, v.join('-')) } return [a, 0, 1] } }
    module.exports = Other`
  const agents = await Promise.all([
    agent('anna', trader),
    agent('bert', trader),
    agent('cleo', renamed),
    agent('dora', other),
  ])
  const pairs = similarPairs(agents)
  expect(pairs.map(({ names }) => names.join(' and '))).toEqual(['anna and bert', 'anna and cleo', 'bert and cleo'])
  expect(pairs.map(({ same }) => same)).toEqual([true, false, false])
  for (const { share } of pairs) expect(share).toBeGreaterThan(0.95)
  // A team may hand in its work twice.
  expect(similarPairs([agents[0]!, await agent('a2', trader, 'agent.js', 'anna')])).toEqual([])
})

test.each([
  ['JavaScript', 'javascript/agent.cjs'],
  ['Python', 'python/agent.py'],
])('the code of the kit in %s and of its lessons does not count, work of one’s own on it does', async (_name, path) => {
  const steps = afterLessons(read(path), read('BEAT-THE-BABY.md'))
  expect(steps.length).toBeGreaterThan(3)
  const agents = await Promise.all(steps.map((text, at) => agent(`student ${at}`, `${text}\n`, path)))
  expect(similarPairs([...agents, { ...agents.at(-1)!, name: 'twin', team: 'twin' }])).toEqual([])
  const own = path.endsWith('.py')
    ? '\ndef mine(a, b):\n    # secret\n    c = [x * b[0] + a for x in b if x % 3 == 1]\n    while a > 2:\n        a -= len(c) / 2 + b[1]\n        c = sorted(c + [a % 7, b[a] ** 2], key=lambda x: x / 2)[0 : a + 1]\n        b = {a: c[1] * 4 - a, "x": [y & 3 for y in c]}\n    return [c, a, b[a] * 2 + c[0] - 1]\n'
    : trader
  const [one, other] = await Promise.all([
    agent('one', steps.at(-1)! + own, path),
    agent('other', steps[1]! + own.replaceAll('secret', 'other').replaceAll(/\bc\b/g, 'list'), path),
  ])
  expect(similarPairs([one, other])).toMatchObject([{ names: ['one', 'other'], same: false }])
})

test('the code of a program is that of its source files', async () => {
  const bytes = writeTar([
    { path: 'agent.json', bytes: Buffer.from('{}') },
    { path: 'data.bin', bytes: Buffer.from([0, 1]) },
    { path: 'agent.py', bytes: Buffer.from('x = 1') },
  ])
  expect(await codeOf({ kind: 'program', bytes })).toEqual([{ path: 'agent.py', text: 'x = 1', comments: 'python' }])
})

test('long code is compared by its first files, as the reading process finds them in the data folder', async () => {
  const data = temporaryFolder('own-code')
  const long = (name: string) => ({ path: `${name}.js`, bytes: Buffer.from(`const ${name} = 1\n`.padEnd(1_000_000)) })
  const program = writeTar([long('a'), long('b'), long('c'), { path: 'd.js', bytes: Buffer.from(trader) }])
  expect(await codeOf({ kind: 'program', bytes: program })).toHaveLength(2)
  const { agent: stored } = await storeAgent(data, { kind: 'script', bytes: Buffer.from(trader) })
  const { code } = await agent('anna', trader)
  expect(code.prints.length).toBeGreaterThan(20)
  expect(await ownCodeJob.read({ common: shipped.common, data, agent: stored }, none)).toEqual(code)
})

test('of long code the least fingerprints are compared, up to where both are known', () => {
  const code = (from: number, to: number, whole: boolean) => ({
    prints: Uint32Array.from({ length: to - from }, (_, at) => from + at),
    whole,
  })
  expect(commonShare(code(0, 100, true), code(50, 150, true))).toBe(0.5)
  // All that is known of the first one is in the second.
  expect(commonShare(code(0, 100, false), code(0, 4_000, true))).toBe(1)
  expect(commonShare(code(0, 10, true), code(0, 1_000, true))).toBe(0)
  expect(commonShare(code(0, 0, true), code(0, 0, true))).toBe(0)
})

test('two hundred agents with as much code as is compared take little time', () => {
  let state = 1
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0)
  const agents = Array.from({ length: 200 }, (_, at) => ({
    name: `agent ${at}`,
    team: `team ${at}`,
    agent: `${at}`,
    code: { prints: Uint32Array.from({ length: 2_048 }, random).sort(), whole: false },
  }))
  const begin = process.cpuUsage()
  expect(similarPairs(agents)).toEqual([])
  expect(process.cpuUsage(begin).user).toBeLessThan(10_000_000)
})
