import { constants, createContext, Script } from 'node:vm'
import { expect, test } from 'vitest'
import { realmSource, type RealmFunctions } from '../../../main/players/inside/realm.ts'
import { games } from '../../../main/referees/games.ts'

/** The first answers of an agent of a game to messages. */
function answers(game: string, agent: string, messages: readonly object[]): string {
  const context = createContext(constants.DONT_CONTEXTIFY, { microtaskMode: 'afterEvaluate' })
  const inside = (text: string): unknown => new Script(text, { filename: 'agent.js' }).runInContext(context)
  const realm = new Script(realmSource(), { filename: 'realm' }).runInContext(context) as RealmFunctions
  realm.furnish(true, false, 1_000, '', null)
  const { adapter } = games.get(game)!.script
  const loaded = realm.load(inside(`(function (exports, module) {${agent}\n})`), inside(`(${adapter}\n)`))
  return messages.reduce((_, message) => realm.ask(JSON.stringify(message), 0), loaded)
}

const skeleton = { type: 'skeleton', name: 'Cop', robber: 'Robber', cops: [], nodes: [], edges: [] }
const start = { type: 'start', me: 0, counts: [1], values: [1], maxRounds: 1 }
test.each<[game: string, agent: string, messages: readonly object[]]>([
  ['specker', 'module.exports = class { async turn() { return [] } }', [{ type: 'start' }, { type: 'turn' }]],
  [
    'specker',
    'module.exports = class { turn() { return { actions: Promise.resolve([]) } } }',
    [{ type: 'start' }, { type: 'turn' }],
  ],
  ['haggle', 'module.exports = class { async offer() { return [1] } }', [start, { type: 'turn', offer: null }]],
  ['punter', 'module.exports = class { setup() {} async move() {} }', [{ type: 'move', moves: [] }]],
  [
    'punter',
    'module.exports = class { setup() {} async futures() {} move() {} }',
    [{ type: 'setup', punter: 0, settings: { futures: true } }],
  ],
  ['cows', 'module.exports = { async act() { return "skip" } }', [{ type: 'perception' }]],
  [
    'cops',
    'module.exports = { cop: () => ({ async move() {} }), robber: () => ({}) }',
    [{ type: 'register', role: 'cop' }, skeleton, { type: 'tally', asks: 'move', winner: null }],
  ],
  [
    'cops',
    'module.exports = { cop: () => ({}), robber: () => ({ async move() {} }) }',
    [{ type: 'register', role: 'robber' }, skeleton, { type: 'world', asks: 'move' }],
  ],
])('a promise is named in %s: %s', (game, agent, messages) => {
  expect(answers(game, agent, messages)).toMatch(/^X\["invalid","The agent answered with a promise.*leave out/)
})

test.each(['null', 'undefined', '{}', 'class { act() {} }', '5'])('Cows: %s is not an agent', (exported) => {
  expect(answers('cows', `module.exports = ${exported}`, [])).toMatch(
    /^X\["unfit","module\.exports must have a function act/,
  )
})

test('Haggling: a promise within an offer is named, and not taken for the object that JSON makes of it', () => {
  const agent = 'module.exports = class { offer() { return [1, Promise.resolve(2)] } }'
  expect(answers('haggle', agent, [start, { type: 'turn', offer: null }])).toContain('[1] is a promise')
})

test('Haggling: an exception is a fault with its stack, as in the other games', () => {
  const agent = 'module.exports = class {\n  offer() {\n    null.x\n  }\n}'
  expect(answers('haggle', agent, [start, { type: 'turn', offer: null }])).toMatch(
    /^X\["crash","TypeError.*agent\.js:3/,
  )
  expect(answers('haggle', 'module.exports = 5', [])).toMatch(/^X\["unfit"/)
})

test.each(['NaN', 'Infinity'])('Haggling: %s in an offer is named with its place and a remedy', (number) => {
  const agent = `module.exports = class { offer() { return [0, ${number}] } }`
  const said = answers('haggle', agent, [start, { type: 'turn', offer: null }])
  expect(said).toContain('"value":[0,null]')
  expect(said).toContain(`"odd":"[1] is ${number}: a calculation with undefined`)
})

test('Cops: a move of the wrong type is named', () => {
  const messages = [{ type: 'register', role: 'robber' }, skeleton, { type: 'world', asks: 'move' }]
  const agent = 'module.exports = { cop: () => ({}), robber: () => ({ move: () => 5 }) }'
  expect(answers('cops', agent, messages)).toContain('move of the robber returned a number; expected')
})
