import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { games } from '../../../main/referees/games.ts'
import { foreignScript } from '../../../main/services/agents/foreign-scripts.ts'
import { resources } from '../../../main/services/machine/resources.ts'

const foreign = (text: string, game: string): string | null => foreignScript(Buffer.from(text), game)
const haggler = 'module.exports = class { constructor(me) { this.me = me } offer(o) { return undefined } }'

test('a script of another game is told by what it names, and by nothing in its comments', () => {
  expect(foreign(haggler, 'specker')).toBe('does not play specker: it has no turn, but offer, as agents of haggle have')
  expect(foreign(`// It waits for its turn.\n/* turn */ ${haggler}`, 'specker')).toContain('does not play specker')
  expect(foreign(haggler, 'haggle')).toBeNull()
  // An action of another game, in a text, is not a method.
  const trader = 'export default class { turn(view) { return [{ type: "offer", price: 1 }, { type: "accept" }] } }'
  expect(foreign(trader, 'haggle')).toBe('does not play haggle: it has no offer, but turn, as agents of specker have')
  expect(foreign('exports.robber = (game) => ({ loc: "Bank" })', 'cows')).toContain('as agents of cops have')
})

test('whatever names the method of its game anywhere, or that of no game, is left to its first match', () => {
  for (const mayBe of [
    'class A {}; A.prototype["turn"] = (v) => []; A.offer = 1; module.exports = A',
    'module.exports = class { constructor() { this.turn = () => []; this.offer = 1 } }',
    'const url = "http://offer"; module.exports = class { turn() { return [] } }',
    'eval("exports.turn = 1"); exports.offer = 1',
    'Reflect.set(A.prototype, "turn", f); A.offer = 1',
    'Object.assign(A.prototype, { "turn": f }); A.offer = 1',
    'const r = /[/*]/, offer = `${turn}`',
    'throw new Error("no idea")',
    'for (;;);',
    '',
  ])
    expect(foreign(mayBe, 'specker'), mayBe).toBeNull()
})

test('every agent that ships plays its own game', () => {
  let agents = 0
  for (const [game, { script }] of games) {
    expect(script.methods, game).not.toHaveLength(0)
    const folder = join(resources.agents, game)
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.js'))) {
      agents += 1
      expect(foreignScript(readFileSync(join(folder, file)), game), `${game}/${file}`).toBeNull()
    }
  }
  expect(agents).toBeGreaterThan(15)
})
