import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import agent from './agent.cjs'

/** Saved by `tartaglia match replay --save`: the messages to the herders, and the last herder's answer. */
const cases = new URL('cases/', import.meta.url)

/** A team at the beginning of a match. */
const newTeam = () => new agent.constructor()

for (const name of readdirSync(cases)) {
  test(name, () => {
    const { messages, answer } = JSON.parse(readFileSync(new URL(name, cases), 'utf8'))
    const team = newTeam()
    const perceptions = messages.filter(({ type }) => type === 'perception')
    const actions = perceptions.map(({ body, ...perception }) => team.act(body, perception, messages[0]))
    assert.deepEqual({ action: actions.at(-1) }, answer)
  })
}

test('a herder with obstacles and a cow all around stays where it is', () => {
  const around = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => ({ x, y })))
  const cells = around.map((cell, at) => (at === 3 ? { ...cell, cow: '7' } : { ...cell, obstacle: true }))
  const start = { opponent: 'x', steps: 60, width: 30, height: 30, corral: { x0: 0, y0: 0, x1: 5, y1: 5 } }
  assert.equal(newTeam().act(0, { step: 0, x: 12, y: 14, score: 0, cells }, start), 'skip')
})
