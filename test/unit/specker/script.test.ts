import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { script } from '../../../main/referees/specker/script.ts'

type Speak = (message: unknown) => unknown

/** Evaluates the adapter as a realm does, around what a script exports. */
function adapted(source: string): Speak {
  const exported: unknown = runInNewContext(
    `const module = { exports: {} };const { exports } = module;${source};module.exports`,
  )
  const adapter = runInNewContext(script.adapter) as (exported: unknown, log: unknown) => Speak | string
  const speak = adapter(exported, () => undefined)
  if (typeof speak === 'string') throw new Error(speak)
  return speak
}

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('a script agent', () => {
  test('is constructed with the start and asked for its turns', () => {
    const speak = adapted(`module.exports = class {
      constructor(start) { this.me = start.me }
      turn(view) { return { actions: [{ type: 'accept', challenge: this.me + view.round }] } }
    }`)
    expect(json(speak({ type: 'start', me: 2 }))).toEqual({ actions: [] })
    expect(json(speak({ type: 'turn', round: 3 }))).toEqual({ actions: [{ type: 'accept', challenge: 5 }] })
  })

  test('asks for protocol 3 by a property, and for no other', () => {
    const start = (protocol: string): unknown =>
      json(adapted(`module.exports = class { protocol = ${protocol}; turn() { return [] } }`)({ type: 'start' }))
    expect(start('3')).toEqual({ actions: [], protocol: 3 })
    for (const other of ['1', '2', '"3"', 'undefined', '{}']) expect(start(other)).toEqual({ actions: [] })
  })

  test('may return the bare list of actions', () => {
    const speak = adapted('module.exports = class { turn() { return [] } }')
    speak({ type: 'start' })
    expect(json(speak({ type: 'turn' }))).toEqual({ actions: [] })
  })

  test('that is removed is not asked for another turn', () => {
    const speak = adapted('module.exports = class { turn() { throw new Error("asked") } }')
    speak({ type: 'start' })
    expect(speak({ type: 'removed', rule: 'crash', text: 'It fell.' })).toBeUndefined()
  })

  test.each([
    ['module.exports = {}', /module\.exports must be a class with a method turn\(view\)/],
    ['module.exports = class {}', /the class has no method turn\(view\)/],
    [
      'module.exports = class { constructor() { throw new Error("broken") } }',
      /^broken; the class has no method turn\(view\), so it may be an agent of another game$/,
    ],
    ['module.exports = class { constructor() { throw new Error("broken") } turn() {} }', /^broken$/],
  ])('%s fails in words', (source, message) => {
    expect(() => adapted(source)({ type: 'start' })).toThrow(message)
  })

  const form = 'write "class Agent { turn(view) { return [] } }" and below it "module.exports = Agent"'
  test.each([
    ['const a = 1', 'empty: nothing is exported'],
    ['exports.foo = class {}; exports.bar = 1', 'an object with foo, bar'],
    ['Object.defineProperty(exports, "__esModule", {}); exports.Agent = class {}', 'an object with Agent'],
    ['exports.default = class { turn() {} }', 'an object with default'],
    ['module.exports = { turn: (view) => [] }', 'an object and not its class'],
    ['module.exports = new (class { turn() {} })()', 'an object and not its class'],
    ['module.exports = (view) => []', 'an arrow function'],
    ['module.exports = view => []', 'an arrow function'],
    ['module.exports = async (view) => []', 'an async function'],
    ['module.exports = async function turn(view) {}', 'an async function'],
    ['module.exports = function* turn() {}', 'a generator'],
    ['module.exports = null', 'null'],
    ['module.exports = "Agent"', 'a string'],
    ['module.exports = async function* turn() {}', 'an async generator'],
    ['module.exports = { turn(view) { return [].map((each) => each) } }.turn', 'a method of an object'],
    ['module.exports = { asyncTurn(view) {} }.asyncTurn', 'a method of an object'],
    ['module.exports = Math.max', 'a function that makes no objects'],
    // A getter is not run, nor is a trap for reading: what would come of it is not what was exported.
    ['module.exports = { get turn() { return (view) => [] } }', 'an object with turn'],
    ['module.exports = new Proxy({}, { get() { throw 1 } })', 'empty: nothing is exported'],
    [
      'module.exports = new Proxy({}, { getOwnPropertyDescriptor() { throw 1 } })',
      'something that cannot be looked at',
    ],
    [
      'const h = { getPrototypeOf: () => new Proxy({}, h) }; module.exports = new Proxy({ a: 1 }, h)',
      'an object with a',
    ],
    ['Proxy = Reflect.construct = Reflect.ownKeys = null; exports.x = 1', 'an object with x'],
    ['class A { turn() {} }; exports.A = A; String.prototype.slice = () => { throw 1 }', 'an object with A'],
  ])('%s: it is said what was exported, and what to write', (source, found) => {
    const says = `module.exports must be a class with a method turn(view), and is ${found}; ${form}`
    expect(() => adapted(source)).toThrow(new Error(says))
  })

  test.each([
    'module.exports = function (start) { return { turn: () => [] } }',
    'function A() {} A.prototype.turn = () => []; module.exports = A',
    'module.exports = new Proxy(class { turn() { return [] } }, {})',
  ])('%s: whatever "new" makes an agent of is one, and is made once', (source) => {
    const speak = adapted(source)
    expect(json(speak({ type: 'start' }))).toEqual({ actions: [] })
    expect(json(speak({ type: 'turn' }))).toEqual({ actions: [] })
  })

  test('that throws in its turn is not caught here', () => {
    const speak = adapted('module.exports = class { turn() { throw new Error("no idea") } }')
    speak({ type: 'start' })
    expect(() => speak({ type: 'turn' })).toThrow('no idea')
  })
})
