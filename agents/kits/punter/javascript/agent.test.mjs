import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import Agent from './agent.cjs'

/** Saved by `tartaglia match replay --save`: the messages to the agent, and its answer to the last one. */
const cases = new URL('cases/', import.meta.url)

for (const name of readdirSync(cases)) {
  test(name, () => {
    const { messages, answer } = JSON.parse(readFileSync(new URL(name, cases), 'utf8'))
    const [{ map, settings, punter, punters }, ...turns] = messages
    const agent = new Agent()
    agent.setup(map, { ...settings, punter, punters })
    const answers = turns.map(({ moves }) => agent.move(moves))
    assert.deepEqual(answers.at(-1), answer)
  })
}

test('it passes when all rivers are claimed', () => {
  const agent = new Agent()
  agent.setup(
    { sites: [{ id: 1 }, { id: 2 }], rivers: [{ source: 1, target: 2 }], mines: [1] },
    { punter: 0, punters: 2 },
  )
  assert.deepEqual(agent.move([{ pass: { punter: 0 } }, { claim: { punter: 1, source: 2, target: 1 } }]), {
    pass: { punter: 0 },
  })
})
