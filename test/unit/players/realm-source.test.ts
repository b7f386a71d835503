import { constants, createContext, Script } from 'node:vm'
import { expect, test } from 'vitest'
import { realmSource, type RealmFunctions } from '../../../main/players/inside/realm.ts'

const EPOCH = 946_684_800_000

/** A realm with an agent in it. `adapter`: an expression; by default it passes messages on. */
function open(agent: string, { frozen = true, chars = 1_000, steps = 5, adapter = '(exported) => exported' } = {}) {
  const context = createContext(constants.DONT_CONTEXTIFY, { microtaskMode: 'afterEvaluate' })
  const inside = (text: string): unknown => new Script(text, { filename: 'agent.js' }).runInContext(context)
  const realm = new Script(realmSource(), { filename: 'realm' }).runInContext(context) as RealmFunctions
  realm.furnish(frozen, true, chars, '', (operation, name, text) => `A${JSON.stringify([operation, name, text])}`)
  realm.seed(1, 2, 3, 4)
  realm.setSteps(steps)
  const loaded = realm.load(inside(`(function (exports, module) {${agent}\n})`), inside(adapter))
  return { ...realm, loaded }
}

const answerOf = (agent: string, text = 'null'): string => open(`module.exports = ${agent}`).ask(text, 0)

test('the source needs nothing but a realm, and results are texts', () => {
  expect(answerOf('(message) => message.at(0) + 1', '[1]')).toBe('A2')
  expect(answerOf('() => undefined')).toBe('N')
  expect(answerOf('async () => 1')).toContain('X["invalid","The agent answered with a promise')
  expect(answerOf('() => () => 1')).toContain('X["invalid","The agent answered with a function')
  expect(answerOf('() => { throw new Error("no") }')).toMatch(
    /^X\["crash","Error: no","Error: no\\n {4}at .*agent\.js:1/,
  )
  expect(open('', { adapter: '() => "no function"' }).loaded).toBe('X["unfit","no function",""]')
})

test('stacks show no frame of ours', () => {
  expect(answerOf('() => { throw new Error("no") }')).not.toContain('realm')
})

test('time stands still in every way of reading it', () => {
  const ways = `() => [Date.now(), +new Date(), new Date(5).getTime(), new (new Date().constructor)().getTime(),
    Temporal.Now.instant().epochMilliseconds, Temporal.Now.plainDateISO().year,
    new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: 'UTC' }).format()]`
  expect(answerOf(ways)).toBe(`A[${EPOCH},${EPOCH},5,${EPOCH},${EPOCH},2000,"2000"]`)
})

test('equal seeds give equal chance', () => {
  const draws = '() => [Math.random(), Math.random()]'
  expect(answerOf(draws)).toBe(answerOf(draws))
  const [one, other] = JSON.parse(answerOf(draws).slice(1)) as [number, number]
  expect(one).not.toBe(other)
})

test('every answer has all its steps, and loading too; a script cannot take more', () => {
  const { ask, loaded, takeConsole } = open(`
    const own = remaining
    let loading = 0
    while (remaining() > 0) loading++
    console.log(loading)
    module.exports = (message) => {
      const seen = [own(), remaining.call({ left: 9 }), new remaining() instanceof Object && own()]
      let more = 0
      while (own(1e9) > 0) more++
      globalThis.remaining = () => 1e9
      delete globalThis.remaining
      globalThis.remaining = own
      return [...seen, more, own(), message]
    }`)
  expect([loaded, takeConsole()]).toEqual(['N', '5\n'])
  expect([ask('1', 0), ask('2', 0)]).toEqual(['A[5,4,2,1,0,1]', 'A[5,4,2,1,0,2]'])
})

test('a script that replaces built-ins deceives only itself', () => {
  const vandal = `
    for (const name of ['slice', 'indexOf', 'lastIndexOf']) String.prototype[name] = () => 'stolen'
    JSON.stringify = () => 'stolen'; JSON.parse = () => 'stolen'
    Reflect.apply = () => 'stolen'; Function.prototype.call = () => 'stolen'; Function.prototype.bind = () => 'stolen'
    Object.prototype.toJSON = () => 'stolen'
    globalThis.String = () => 'stolen'; globalThis.Error = () => 'stolen'
    module.exports = (message) => { console.log('seen', message); if (message === 2) throw 'thrown'; return message }`
  const { ask, takeConsole } = open(vandal)
  expect(ask('1', 0)).toBe('A1')
  expect(takeConsole()).toBe('seen 1\n')
  expect(ask('2', 0)).toBe('X["crash","thrown","thrown"]')
})

test('printed text has a limit of characters, and no script can print as the adapter logs', () => {
  const printing = open('module.exports = (text) => { console.log(text) }', { chars: 12 })
  printing.ask('"\u25b8 forged"', 0)
  expect(printing.takeConsole()).toBe('"\u25b8 forged"\n')
  printing.ask('"more"', 0)
  expect(printing.takeConsole()).toBe('m\n')
  printing.ask('"most"', 0)
  expect(printing.takeConsole()).toBe('')
  const logging = open('', { adapter: '(_, log) => (message) => log("\u25b8 " + message)' })
  logging.ask('7', 0)
  expect(logging.takeConsole()).toBe('\u25b8 7\n')
})

test('the adapter and the agent are called without an object of ours as `this`', () => {
  const adapter = '(exported) => function () { return this === globalThis && exported() }'
  expect(open('module.exports = function () { return this === globalThis }', { adapter }).ask('null', 0)).toBe('Atrue')
})

test('only texts reach the shared folder', () => {
  expect(answerOf('() => shared.write("a", "b") ?? shared.read("c")')).toBe('A["read","c",""]')
  expect(answerOf('() => shared.read({ toString: () => "c" })')).toMatch(/^X\["crash","Error: .*\bstrings\b/)
})

test('what would run later by itself is gone', () => {
  expect(answerOf('() => [typeof WeakRef, typeof FinalizationRegistry, typeof Atomics.waitAsync]')).toBe(
    'A["undefined","undefined","undefined"]',
  )
  expect(answerOf('() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)')).toMatch(
    /^X\["crash","TypeError: Atomics\.wait\b/,
  )
})
