import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readClass } from '../../../main/administrator/classroom/classroom.ts'
import { tartaglia } from '../cli/process.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tartaglia-targeting-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Offers at a price (0: never), buys what `buys` says and undercuts everything else. Amounts in 10^-9. */
const trader = (price: number, buys: string): string => `
  module.exports = class {
    constructor(start) {
      this.me = start.me
      this.mindec = start.config.mindec
    }
    turn(view) {
      const instance = { variables: 3, constraints: [{ weight: 1, relation: 22, variables: [1, 2, 3] }] }
      const actions = []
      for (const { challenge } of view.toDeliver) actions.push({ type: 'deliver', challenge, instance })
      for (const { challenge } of view.toSolve) actions.push({ type: 'solve', challenge, solution: { values: [0, 1, 0] } })
      if (!view.trading) return { actions }
      for (const { challenge, seller, price } of view.store) {
        if (seller === this.me) continue
        if (${buys}) actions.push({ type: 'accept', challenge })
        else actions.push({ type: 'reoffer', challenge, price: Math.max(0, price - this.mindec) })
      }
      if (${price} > 0 && view.store.length === 0) {
        actions.push({ type: 'offer', predicate: { relations: [22] }, price: ${price} })
      }
      return { actions }
    }
  }`

interface Report {
  readonly targeting: {
    readonly matches: number
    readonly agents: readonly { readonly agent: string; readonly p: number; readonly flagged: boolean }[]
  } | null
}

/** Three sellers who differ a little in price, and dora, who buys as `buys` says. */
async function run(buys: string, intelligenceAttack: boolean, name = 'data') {
  const entrants = Object.entries({
    anna: trader(400_000_000, 'false'),
    berta: trader(420_000_000, 'false'),
    clara: trader(440_000_000, 'false'),
    dora: trader(0, buys),
  }).map(([name, source]) => {
    writeFileSync(join(folder, `${name}.js`), source)
    return { name, agent: `${name}.js` }
  })
  const contest = {
    title: 'Targeting',
    game: 'specker',
    config: { challenge: 'max-csp', maxTurns: 2, offersMin: 0 },
    format: { type: 'round-robin', seats: 2, repeats: 10 },
    seed: 'targeting',
    isolation: 'none',
    policy: { administratorAttack: false, intelligenceAttack, mechanismAttack: false },
    entrants,
  }
  const file = join(folder, 'contest.json')
  writeFileSync(file, JSON.stringify(contest))
  const data = join(folder, name)
  const { stdout, stderr } = await tartaglia('contest', 'run', file, '--json', '--data', data).ended
  expect(stderr).not.toContain('rror')
  return { report: JSON.parse(stdout) as Report, data, file }
}

describe('where intelligence must not be attacked, a contest ends with a report on targeting', () => {
  test('who buys of one only is found, with him and the matches; the same histories give the same report', async () => {
    const { report, data, file } = await run('price === 420000000', false)
    expect(report.targeting).toMatchObject({ matches: 60 })
    const [first, ...others] = report.targeting!.agents
    expect(first).toMatchObject({
      agent: 'dora',
      flagged: true,
      finding: {
        about: 'purchases',
        other: 'berta',
        events: expect.arrayContaining([
          expect.objectContaining({ what: expect.stringMatching(/^bought challenge \d+ at 0\.42/) as unknown }),
        ]) as unknown,
      },
    })
    expect(first!.p).toBeLessThan(0.01)
    for (const { flagged } of others) expect(flagged).toBe(false)
    const kept = (await readClass(data)).contests.map(({ targeting }) => targeting)
    expect(kept).toEqual([report.targeting])
    expect((await run('price === 420000000', false, 'other')).report.targeting).toEqual(report.targeting)

    const told = await tartaglia('contest', 'run', file, '--again', '--data', data).ended
    expect(told.stdout).toMatch(/what dora does DEPENDS on whom it meets, p = 0\.00\d+: purchases, most with berta/)
    expect(told.stdout).toMatch(/ {4}match \d+, input \d+: bought challenge \d+ at 0\.42/)
  }, 180_000)

  test('who treats all alike is not', async () => {
    const { report } = await run('price > 300000000', false)
    for (const { flagged } of report.targeting!.agents) expect(flagged).toBe(false)
  }, 120_000)

  test('where it may be attacked, nobody looks', async () => {
    const { report } = await run('price === 420000000', true)
    expect(report.targeting).toBeNull()
  }, 120_000)
})
