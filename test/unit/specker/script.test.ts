import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { script } from '../../../main/referees/specker/script.ts'

type Speak = (message: unknown) => unknown

/** Evaluates the adapter as a realm does, around what a script exports. */
function adapted(source: string): Speak {
  const exported: unknown = runInNewContext(`const module = { exports: {} };${source};module.exports`)
  return (runInNewContext(script.adapter) as (exported: unknown, log: unknown) => Speak)(exported, () => undefined)
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
    ['module.exports = class { constructor() { throw new Error("broken") } }', /broken/],
  ])('%s fails in words', (source, message) => {
    expect(() => adapted(source)({ type: 'start' })).toThrow(message)
  })

  test('that throws in its turn is not caught here', () => {
    const speak = adapted('module.exports = class { turn() { throw new Error("no idea") } }')
    speak({ type: 'start' })
    expect(() => speak({ type: 'turn' })).toThrow('no idea')
  })
})
