import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import Agent from './agent.ts'
import type { Removed } from './messages.d.ts'
import type { Answer, Start, Turn } from './specker.d.ts'

/** Saved by `tartaglia match replay --save`: the messages to the agent, and its answer to the last one. */
interface Case {
  readonly messages: readonly [Start, ...(Turn | Removed)[]]
  readonly answer: Answer
}
const cases = new URL('cases/', import.meta.url)
const read = (name: string): Case => JSON.parse(readFileSync(new URL(name, cases), 'utf8')) as Case

/** In a match each answer has this many steps, unless the contest sets another number. */
const STEPS = 10_000
let steps = STEPS
Object.assign(globalThis, { remaining: () => (steps === 0 ? 0 : steps--) })

for (const name of readdirSync(cases)) {
  void test(name, () => {
    const { messages, answer } = read(name)
    const [start, ...turns] = messages
    const agent = new Agent(start)
    const answers = turns.flatMap((turn) => {
      if (turn.type === 'removed') return []
      steps = STEPS
      return [agent.turn(turn)]
    })
    assert.deepEqual(JSON.parse(JSON.stringify(answers.at(-1))), answer)
  })
}

void test('raw material has the relations that were sold, and a solution a value for each variable', () => {
  const agent = new Agent(read('first.json').messages[0])
  const instance = agent.rawMaterial([22])
  assert.deepEqual([...new Set(instance.constraints.map(({ relation }) => relation))], [22])
  assert.equal(agent.solve(instance).length, instance.variables)
})
