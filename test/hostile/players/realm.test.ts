import { execFileSync } from 'node:child_process'
import { afterAll, describe, expect, test } from 'vitest'
import { availableTiers } from '../../../main/players/isolation/detect.ts'
import { createScriptPool } from '../../../main/players/scripts/script-pool.ts'
import { files, seat } from './seats.ts'
import { saying } from '../../refusal.ts'

/*
 * Ways out of a realm. Each script collects what it can lay hands on with `found`, and answers with what that leads to:
 * `escaped` when any function constructor in reach makes code that sees Node's `process`.
 */
const kit = `
const finds = []
const found = (value) => { finds.push(value); return value }
const leadsOut = (value) => {
  const makers = []
  for (let at = value, depth = 0; at !== null && at !== undefined && depth < 8; at = Object.getPrototypeOf(at), depth++) {
    try { makers.push(at.constructor.constructor) } catch {}
    try { if (typeof at.constructor === 'function') makers.push(at.constructor) } catch {}
  }
  return makers.filter((make) => /Function$/.test(make?.name)).some((make) => {
    try { return make('return typeof process === "object" || typeof require === "function"')() === true } catch { return false }
  })
}
// Everything made in this realm ends in its own Object.prototype or in nothing.
const foreign = (value) => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  let at = value
  for (;;) {
    const next = Object.getPrototypeOf(at)
    if (next === null) return at !== Object.prototype && at === value ? false : at !== Object.prototype
    at = next
  }
}
const verdict = () => finds.some(leadsOut) ? 'escaped' : finds.some(foreign) ? 'foreign' : 'shut'
`

// At every depth on the way down and on the way back up: what V8 throws into Node's own code is an error of the host's.
const overflow = `
  let leak
  const down = () => { const error = new Error('x'); try { error.stack } catch (e) { if (!(e instanceof RangeError)) leak = e } down() }
  const up = () => { try { up() } catch (e) { try { new Error('x').stack } catch (e) { if (!(e instanceof RangeError)) leak = e } throw e } }
  for (const dig of [down, up]) try { dig() } catch (e) { if (!(e instanceof RangeError)) leak = e }
  found(leak)`

// V8 makes the list of a call's arguments for a proxy where the call comes from: in Node's own code, that writes stacks.
const proxied = `
  const trap = new Proxy(() => '', { apply: (target, self, list) => { found(list); found(self); return '' } })
  const held = Error.prepareStackTrace; Error.prepareStackTrace = trap; new Error('x').stack; Error.prepareStackTrace = held
  const named = new Error('x'); Object.defineProperty(named, 'name', { get: trap }); named.stack
  const told = new Error('x'); told.name = { [Symbol.toPrimitive]: trap }; told.stack
  const Own = Error; Object.defineProperty(globalThis, 'Error', { configurable: true, get: trap }); new Own('x').stack
  Object.defineProperty(globalThis, 'Error', { configurable: true, writable: true, value: Own })`

/** name, body of a function (message, log); what else may come of it than `shut`. */
const ways: readonly (readonly [string, string, ('foreign' | 'shut')?])[] = [
  [
    'every object and function in reach',
    `const queue = [globalThis, this, module, exports, arguments, message, log, console, (function(){return this})(), new Error('x')]
     const seen = new Set()
     while (queue.length > 0) {
       const next = queue.pop()
       if ((typeof next !== 'object' && typeof next !== 'function') || next === null || seen.has(next)) continue
       seen.add(found(next))
       queue.push(Object.getPrototypeOf(next))
       for (const key of Reflect.ownKeys(next)) {
         const { value, get, set } = Object.getOwnPropertyDescriptor(next, key)
         queue.push(value, get, set)
       }
     }
     if (seen.size < 500) throw new Error('the walk saw only ' + seen.size)`,
  ],
  ['a promise of import()', `found(import('node:fs'))`],
  ['the rejection of import()', `import('node:fs').then(found, found); import('x').catch(e => found(e))`],
  [
    'import() from eval',
    `found(eval("import('x')")).catch(found); found(new Function("return import('x')")()).catch(found)`,
  ],
  ['import() from code without a script', `;["import('x')"].map(eval).forEach((p) => { found(p); p.catch(found) })`],
  [
    'prepareStackTrace',
    `Error.prepareStackTrace = (error, sites) => { found(sites); for (const site of sites) { found(site); for (const name of ['getThis', 'getFunction', 'getEvalOrigin', 'getPromiseIndex'])
       found(site[name]()) } return sites }
     found(new Error('x').stack); try { null.x } catch (e) { found(e.stack) }; const o = {}; Error.captureStackTrace(o); found(o.stack)`,
  ],
  [
    'prepareStackTrace of an error in a microtask',
    `Error.prepareStackTrace = (error, sites) => { sites.forEach((site) => { found(site); found(site.getThis()); found(site.getFunction()) }); return sites }
     ;(async () => { await null; found(new Error('x').stack) })()`,
  ],
  [
    'caller and callee',
    `const look = function () { try { found(look.caller) } catch (e) { found(e) } try { found(arguments.callee.caller) } catch (e) { found(e) } }
     look(); Error.prepareStackTrace = look; new Error('x').stack`,
  ],
  ['a stack overflow inside a stack trace', overflow, 'foreign'],
  ['a proxy that is called while a stack is written', proxied, 'foreign'],
  [
    'a stack overflow inside import()',
    `let leak; const dig = () => { try { import('x').then(found, found) } catch (e) { if (!(e instanceof RangeError)) leak = e } dig() }
     try { dig() } catch (e) { if (!(e instanceof RangeError)) leak = e } found(leak)`,
    'foreign',
  ],
  [
    'errors of the compiler',
    `for (const bad of ['let x x', '/(/', 'import.meta']) try { eval(bad) } catch (e) { found(e) }`,
  ],
  [
    'WebAssembly',
    `const bytes = new Uint8Array([0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,5,1,3,0,0,11])
     const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes)); found(instance); found(instance.exports); found(instance.exports.f)
     try { instance.exports.f() } catch (e) { found(e) } try { new WebAssembly.Module(new Uint8Array(1)) } catch (e) { found(e) }
     found(new WebAssembly.Memory({ initial: 1 }).buffer)`,
  ],
  [
    'what is not ECMAScript',
    `for (const name of ['structuredClone', 'fetch', 'setTimeout', 'queueMicrotask', 'performance', 'Buffer', 'require', 'process', 'FinalizationRegistry', 'WeakRef'])
     if (name in globalThis) throw new Error(name + ' is there')`,
  ],
]

const [best] = (await availableTiers(files)).filter(({ available }) => available)
const pool = createScriptPool({ ...files, tier: best!.tier, warmMax: 4, recycleAfter: 1_000 })
const bystander = await seat(pool, 'let n = 0; module.exports = () => (n += 1)', { agent: 'b'.repeat(64) })
let rounds = 0
const bystanderGoesOn = async (): Promise<void> => {
  rounds += 1
  expect(await bystander.ask()).toMatchObject({ type: 'answer', value: rounds })
}

afterAll(() => pool.close())

describe('ways out of a realm', () => {
  test('the attacks are real: a context that shares objects, or a host that allows code from strings, lets them out', () => {
    const body = (way: string): string =>
      `(function () { const module = { exports: {} }, exports = {}; ${kit}; ${way}; return verdict() })()`
    const played = (way: string): string =>
      execFileSync(
        files.nodeBinary,
        ['-e', `console.log(require('vm').runInNewContext(${JSON.stringify(body(way))}, { log() {} }))`],
        {
          encoding: 'utf8',
        },
      ).trim()
    expect(played('found(log)')).toBe('escaped')
    expect(played(overflow)).toBe('escaped')
    expect(played(`found(new Error('x'))`)).toBe('shut')
  })

  test.each(ways)('%s', async (_name, body, worst = 'shut') => {
    const source = `${kit}\nmodule.exports = function (message, log) { if (message === 2) return verdict()\n ${body}\n return verdict() }`
    const villain = await seat(pool, source)
    // The second question finds what microtasks have brought.
    for (const question of [1, 2]) {
      const event = await villain.ask(question)
      expect(event).toMatchObject({ type: 'answer' })
      expect(['shut', worst]).toContain((event as { value: unknown }).value)
    }
    villain.player.close()
    await bystanderGoesOn()
  })

  test('objects of the host that surface are frozen: nothing can be left there for the next match', async () => {
    const source = `${kit}
 module.exports = () => {
      ${overflow}
      const shared = finds[0]
      if (shared === undefined) return 'nothing surfaced'
      const reached = new Set(), soft = []
      const queue = [shared.constructor, Object.getPrototypeOf(shared)]
      while (queue.length > 0) {
        const next = queue.pop()
        if ((typeof next !== 'object' && typeof next !== 'function') || next === null || reached.has(next)) continue
        reached.add(next)
        if (!Object.isFrozen(next)) soft.push(String(next))
        queue.push(Object.getPrototypeOf(next))
        for (const key of Reflect.ownKeys(next)) {
          const { value, get, set } = Object.getOwnPropertyDescriptor(next, key)
          queue.push(value, get, set)
        }
      }
      return soft
    }`
    const villain = await seat(pool, source)
    expect([[], 'nothing surfaced']).toContainEqual(((await villain.ask()) as { value: unknown }).value)
    villain.player.close()
  })

  test('nor in what only makes itself: iterators, segments, accessors, and what every constructor makes', async () => {
    const source = `${kit}
 module.exports = () => {
      ${proxied}
      const list = finds.find((each) => foreign(each) && typeof each.values === 'function')
      if (list === undefined) return 'nothing surfaced'
      const of = Object.getPrototypeOf, hidden = [], missing = []
      const seek = (name, find) => { try { hidden.push(...find()) } catch (e) { missing.push(name + ': ' + e) } }
      // Bound by the other realm, it has a constructor here make what that realm would.
      const there = list.constructor.constructor.prototype.bind.call(list.constructor)
      seek('helper', () => [of(list.values().map((x) => x))])
      seek('from', () => [of(of(of(list.values())).constructor.from({ next() {} }))])
      seek('segments', () => {
        const segments = of(Reflect.construct(Intl.Segmenter, [], there)).segment.call(new Intl.Segmenter(), 'a')
        return [of(segments), of(segments[Symbol.iterator]())]
      })
      seek('stack', () => {
        try { list.map(5) } catch (e) {
          const accessors = Object.getOwnPropertyNames(e).flatMap((key) => {
            const { get, set } = Object.getOwnPropertyDescriptor(e, key)
            return get === undefined ? [] : [get, set]
          })
          return [of(e), ...accessors]
        }
      })
      const inputs = [[], [1], [() => 1], [{}], ['en'], [new ArrayBuffer(8)], [{ initial: 1, element: 'anyfunc' }], [{ value: 'i32' }], [{}, {}],
        [new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])], ['en', { type: 'language' }], [[1]], [2000, 1], [2000, 1, 1], [0n]]
      for (const holder of [globalThis, Intl, WebAssembly]) for (const name of Object.getOwnPropertyNames(holder)) {
        const constructor = holder[name]
        if (typeof constructor !== 'function' || !/^[A-Z]/.test(name)) continue
        for (const input of inputs) try { hidden.push(of(Reflect.construct(constructor, input, there))); break } catch {}
      }
      const reached = new Set(), soft = []
      const queue = [list.constructor, of(list), ...hidden.filter(foreign)]
      while (queue.length > 0) {
        const next = queue.pop()
        if ((typeof next !== 'object' && typeof next !== 'function') || next === null || reached.has(next)) continue
        reached.add(next)
        if (!Object.isFrozen(next)) soft.push(Object.prototype.toString.call(next) + (next.name ?? ''))
        queue.push(of(next))
        for (const key of Reflect.ownKeys(next)) {
          const { value, get, set } = Object.getOwnPropertyDescriptor(next, key)
          queue.push(value, get, set)
        }
      }
      return { soft, missing, many: reached.size > 500 && hidden.length > 40 }
    }`
    const villain = await seat(pool, source)
    const { value } = (await villain.ask()) as { value: unknown }
    expect([{ soft: [], missing: [], many: true }, 'nothing surfaced']).toContainEqual(value)
    villain.player.close()
  })

  test('a realm leaves nothing to the next match in the same process', async () => {
    const source = `const before = [globalThis.mark, Array.prototype.mark, Math.mark]
      globalThis.mark = Array.prototype.mark = Math.mark = 1
      Promise.resolve().then(function again() { return Promise.resolve().then(() => {}) })
      module.exports = () => before`
    for (let match = 0; match < 3; match += 1) {
      const villain = await seat(pool, source)
      expect(await villain.ask()).toMatchObject({ value: [null, null, null] })
      villain.player.close()
    }
  })
})

describe('tampering with what is handed over', () => {
  const tamper = `
    Object.prototype.toJSON = () => 'evil'; Array.prototype.toJSON = () => 'evil'; String.prototype.toJSON = () => 'evil'
    JSON.stringify = () => '"]}\\nA99 1\\n'; JSON.parse = () => 'evil'
    Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => 'evil'
    String.prototype.slice = String.prototype.indexOf = String.prototype.replace = () => 'evil'
    Array.prototype[Symbol.iterator] = () => { throw 'evil' }; Object.defineProperty(Object.prototype, '0', { set() { throw 'evil' }, get: () => 'evil' })
    globalThis.String = globalThis.Error = globalThis.Object = undefined;`

  test('replaced built-ins deceive the script alone: faults, console and numbers are what they are', async () => {
    const source = `${tamper}
      module.exports = (message) => { console.log('seen', message); if (message === 7) throw 'thrown'; return 5 }`
    const villain = await seat(pool, source)
    expect(await villain.ask(6)).toMatchObject({ type: 'answer', to: 1, value: 5 })
    const event = await villain.ask(7)
    expect(event).toMatchObject({
      type: 'fault',
      to: 2,
      fault: { kind: 'crash', text: saying('answering: thrown') },
    })
    expect(villain.console.join('')).toBe('seen 6\nseen 7\n')
    villain.player.close()
    await bystanderGoesOn()
  })

  test.each([
    ['getters', `({ get a() { return leadsOut(arguments) ? 'escaped' : 'shut' } })`, { a: 'shut' }],
    ['toJSON', `({ toJSON(...given) { return [given, leadsOut(given), this].length } })`, 3],
    ['boxed numbers', `[new Number(1), Object('x')]`, [1, 'x']],
    ['a thenable', `({ then(resolve) { finds.push(resolve) }, ok: 1 })`, { ok: 1 }],
    ['NaN and negative zero', `[NaN, -0, Infinity]`, [null, 0, null]],
    ['Symbol.toPrimitive', `({ [Symbol.toPrimitive]: () => leadsOut, a: 1 })`, { a: 1 }],
    [
      'a Proxy',
      `new Proxy({ a: 1 }, { get: (t, k, r) => { found(r); return Reflect.get(t, k) }, ownKeys: (t) => { found(t); return Reflect.ownKeys(t) } })`,
      { a: 1 },
    ],
  ])('%s in an answer', async (_name, answer, value) => {
    const villain = await seat(pool, `${kit}\nmodule.exports = (message) => message === 2 ? verdict() : (${answer})`)
    expect(await villain.ask(1)).toMatchObject({ type: 'answer', value })
    expect(await villain.ask(2)).toMatchObject({ value: 'shut' })
    villain.player.close()
  })

  test('__proto__ in an answer stays a name like any other', async () => {
    const villain = await seat(pool, `module.exports = () => JSON.parse('{"__proto__":{"polluted":1}}')`)
    const event = (await villain.ask()) as { value: object }
    expect(Object.getPrototypeOf(event.value)).toBe(Object.prototype)
    expect('polluted' in event.value).toBe(false)
    villain.player.close()
  })

  test.each([
    ['a BigInt', '10n', 'invalid'],
    ['a circle', '(() => { const a = {}; a.a = a; return a })()', 'invalid'],
    ['a promise', 'Promise.resolve(1)', 'invalid'],
    ['an async function', '(async () => 1)()', 'invalid'],
    ['a function', '() => 1', 'invalid'],
    ['a symbol', 'Symbol()', 'invalid'],
    ['nothing', 'undefined', 'invalid'],
    ['half a surrogate pair', '"\\ud800"', 'invalid'],
    ['half a surrogate pair in a name', '({ "\\udc00": 1 })', 'invalid'],
    ['too deep a nest', '(() => { let a = 1; for (let i = 0; i < 2000; i++) a = [a]; return a })()', 'invalid'],
    ['a getter that throws', '({ get a() { throw { toString() { throw 1 } } } })', 'invalid'],
    [
      'a revoked Proxy',
      '(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()',
      'invalid',
    ],
    ['more than fits', '"x".repeat(2e6)', 'protocol'],
    ['a string of a gigabyte', '"x".repeat(2 ** 30)', 'crash'],
    ['a throw', '(() => { throw new Error("no") })()', 'crash'],
    ['a throw that cannot be shown', '(() => { throw { toString() { throw 1 } } })()', 'crash'],
    [
      'a throw of a hostile Proxy',
      '(() => { throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 1 } }) })()',
      'crash',
    ],
    ['a throw of text with half a surrogate pair', '(() => { throw "\\ud800".repeat(9000) })()', 'crash'],
    ['Atomics.wait', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)', 'crash'],
    ['a stack overflow', '(function f() { f() })()', 'crash'],
  ])('%s is a fault, and the script goes on', async (_name, answer, kind) => {
    const villain = await seat(pool, `module.exports = (message) => message === 2 ? 'still here' : (${answer})`)
    const event = await villain.ask(1)
    expect(event).toMatchObject({ type: 'fault', to: 1, gone: false, fault: { kind } })
    const { text } = (event as { fault: { text: string } }).fault
    expect(text.isWellFormed() && text.length <= 4_000).toBe(true)
    expect(await villain.ask(2)).toMatchObject({ type: 'answer', to: 2, value: 'still here' })
    villain.player.close()
    await bystanderGoesOn()
  })
})
