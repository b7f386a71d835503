import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import agent from './agent.ts'
import type { Game, Inform, Ptype, World } from './cops.d.ts'

type Told =
  | (World & { readonly type: 'world' })
  | {
      readonly type: 'informs'
      readonly from: readonly { readonly bot: string; readonly informs: readonly Inform[] }[]
    }
  | { readonly type: 'plans' }
  | { readonly type: 'tally'; readonly winner: string | null }

/** Saved by `tartaglia match replay --save`: the messages to the agent, and its answer to the last one, a move. */
interface Case {
  readonly messages: readonly [{ readonly role: 'robber' | 'cop' }, Game, ...Told[]]
  readonly answer: { readonly loc: string; readonly ptype: Ptype }
}
const cases = new URL('cases/', import.meta.url)

for (const name of readdirSync(cases)) {
  void test(name, () => {
    const { messages, answer } = JSON.parse(readFileSync(new URL(name, cases), 'utf8')) as Case
    const [{ role }, game, ...told] = messages
    const worlds = told.filter((message) => message.type === 'world')
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
      const heard = of.find((message) => message.type === 'informs')
      const tally = of.find((message) => message.type === 'tally')
      cop.plan?.(heard?.from ?? [], world)
      return cop.move(tally?.winner ?? null, world)
    })
    assert.deepEqual({ type: 'move', ...moves.at(-1) }, answer)
  })
}

const street: Game = {
  name: 'Fox',
  robber: 'Fox',
  cops: ['Hen'],
  nodes: [
    { loc: 'a', tag: 'hq', x: 0, y: 0 },
    { loc: 'b', tag: 'robber-start', x: 1, y: 0 },
  ],
  edges: [{ from: 'a', to: 'b', type: 'car' }],
}

void test('the robber does not take streets for cars', () => {
  const players = [
    { bot: 'Fox', loc: 'b', ptype: 'robber' as const },
    { bot: 'Hen', loc: 'a', ptype: 'cop-foot' as const },
  ]
  for (const world of [0, 2, 4]) {
    const seen = { world, loot: 0, banks: [], evidence: [], smell: 0, players }
    assert.equal(agent.robber(street).move(seen), 'b')
  }
})
