import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import Agent from './agent.ts'
import type { Move, RiverMap, Settings } from './punter.d.ts'

/** Saved by `tartaglia match replay --save`: the messages to the agent, and its answer to the last one. */
interface Case {
  readonly messages: readonly [
    {
      readonly map: RiverMap
      readonly settings?: Partial<Settings>
      readonly punter: number
      readonly punters: number
    },
    ...{ readonly moves: readonly Move[] }[],
  ]
  readonly answer: Move
}
const cases = new URL('cases/', import.meta.url)

for (const name of readdirSync(cases)) {
  void test(name, () => {
    const { messages, answer } = JSON.parse(readFileSync(new URL(name, cases), 'utf8')) as Case
    const [{ map, settings, punter, punters }, ...turns] = messages
    const agent = new Agent()
    agent.setup(map, { ...settings, punter, punters })
    const answers = turns.map(({ moves }) => agent.move(moves))
    assert.deepEqual(answers.at(-1), answer)
  })
}

void test('it passes when all rivers are claimed', () => {
  const agent = new Agent()
  const map = { sites: [{ id: 1 }, { id: 2 }], rivers: [{ source: 1, target: 2 }], mines: [1] }
  agent.setup(map, { punter: 0, punters: 2 })
  const moves = [{ pass: { punter: 0 } }, { claim: { punter: 1, source: 2, target: 1 } }]
  assert.deepEqual(agent.move(moves), { pass: { punter: 0 } })
})
