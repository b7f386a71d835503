import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Action, Perception, Start, Team } from './cows.d.ts'

/** Saved by `tartaglia match replay --save`: the messages to the herders, and the last herder's answer. */
interface Case {
  readonly messages: readonly [
    Start,
    ...({ readonly type: 'start' } | (Perception & { readonly type: 'perception'; readonly body: number }))[],
  ]
  readonly answer: { readonly action: Action }
}
const cases = new URL('cases/', import.meta.url)

let teams = 0

/** A team at the beginning of a match. */
async function newTeam(): Promise<Team> {
  const module = (await import(`./agent.ts?${++teams}`)) as { readonly default: Team }
  return module.default
}

for (const name of readdirSync(cases)) {
  void test(name, async () => {
    const { messages, answer } = JSON.parse(readFileSync(new URL(name, cases), 'utf8')) as Case
    const [start, ...others] = messages
    const team = await newTeam()
    const actions = others.flatMap((told) => (told.type === 'start' ? [] : [team.act(told.body, told, start)]))
    assert.deepEqual({ action: actions.at(-1) }, answer)
  })
}

void test('a herder with obstacles and a cow all around stays where it is', async () => {
  const around = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => ({ x, y })))
  const cells = around.map((cell, at) => (at === 3 ? { ...cell, cow: '7' } : { ...cell, obstacle: true as const }))
  const start = { opponent: 'x', steps: 60, width: 30, height: 30, corral: { x0: 0, y0: 0, x1: 5, y1: 5 } }
  const team = await newTeam()
  assert.equal(team.act(0, { step: 0, x: 12, y: 14, score: 0, cells }, start), 'skip')
})
