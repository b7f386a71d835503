import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import agent from './agent.cjs'

/** Saved by `tartaglia match replay --save`: the messages to the agent, and its answer to the last one, a move. */
const cases = new URL('cases/', import.meta.url)

for (const name of readdirSync(cases)) {
  test(name, () => {
    const { messages, answer } = JSON.parse(readFileSync(new URL(name, cases), 'utf8'))
    const [{ role }, game, ...told] = messages
    const worlds = told.filter(({ type }) => type === 'world')
    if (role === 'robber') {
      const robber = agent.robber(game)
      assert.equal(worlds.map((world) => robber.move(world)).at(-1), answer.loc)
      return
    }
    const cop = agent.cop(game)
    const moves = worlds.map((world, at) => {
      const next = worlds[at + 1]
      const of = told.slice(told.indexOf(world), next === undefined ? told.length : told.indexOf(next))
      cop.inform?.(world)
      const heard = of.find(({ type }) => type === 'informs')
      const tally = of.find(({ type }) => type === 'tally')
      cop.plan?.(heard?.from ?? [], world)
      return cop.move(tally?.winner ?? null, world)
    })
    assert.deepEqual({ type: 'move', ...moves.at(-1) }, answer)
  })
}

const street = {
  name: 'Fox',
  robber: 'Fox',
  cops: ['Hen'],
  nodes: [
    { loc: 'a', tag: 'hq', x: 0, y: 0 },
    { loc: 'b', tag: 'robber-start', x: 1, y: 0 },
  ],
  edges: [{ from: 'a', to: 'b', type: 'car' }],
}

test('the robber does not take streets for cars', () => {
  const players = [
    { bot: 'Fox', loc: 'b', ptype: 'robber' },
    { bot: 'Hen', loc: 'a', ptype: 'cop-foot' },
  ]
  for (const world of [0, 2, 4]) {
    const seen = { world, loot: 0, banks: [], evidence: [], smell: 0, players }
    assert.equal(agent.robber(street).move(seen), 'b')
  }
})
