import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import Agent from './agent.cjs'

/** Saved by `tartaglia match replay --save`: the messages to the agent, and its answer to the last one. */
const cases = new URL('cases/', import.meta.url)

for (const name of readdirSync(cases)) {
  test(name, () => {
    const { messages, answer } = JSON.parse(readFileSync(new URL(name, cases), 'utf8'))
    const [{ me, counts, values, maxRounds }, ...turns] = messages
    const agent = new Agent(me, counts, values, maxRounds, () => undefined)
    const answers = turns.map(({ offer }) => agent.offer(offer ?? undefined))
    assert.deepEqual(answers.at(-1) ?? null, answer.value)
  })
}

test('a demand has only objects that exist, and all objects are enough', () => {
  const agent = new Agent(0, [2, 1, 3], [1, 8, 0], 5, () => undefined)
  for (const [type, count] of agent.demand().entries()) assert.ok(count >= 0 && count <= agent.counts[type])
  assert.equal(agent.isEnough(agent.counts), true)
})
