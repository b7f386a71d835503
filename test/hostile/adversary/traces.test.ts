import { afterAll, describe, expect, test } from 'vitest'
import { type ScriptPool, createScriptPool } from '../../../main/players/scripts/script-pool.ts'
import { availableTiers } from '../../../main/players/isolation/detect.ts'
import { files, seat } from '../players/seats.ts'
import { saying } from '../../refusal.ts'

/*
 * Facts that a script could learn beyond its messages: from the match before it in the same process, from the machine, from
 * the clock. Equal seeds must give equal matches.
 */
const [best] = (await availableTiers(files)).filter(({ available }) => available)
const pools: ScriptPool[] = []
const openPool = (warmMax: number): ScriptPool => {
  const pool = createScriptPool({ ...files, tier: best!.tier, warmMax, recycleAfter: 1_000 })
  pools.push(pool)
  return pool
}
afterAll(() => Promise.all(pools.map((pool) => pool.close())))

/** Gets an error of the host's realm into `leak`, by overflowing the stack inside Node's own callbacks. */
const leak = `
  let leak
  const note = (e) => { if (!(e instanceof RangeError)) leak ??= e }
  const down = () => { const error = new Error('x'); try { error.stack } catch (e) { note(e) } down() }
  const up = () => { try { up() } catch (e) { try { new Error('x').stack } catch (e) { note(e) } throw e } }
  for (const dig of [down, up]) try { dig() } catch (e) { note(e) }
  if (leak === undefined) return 'nothing surfaced'
  let root = leak
  while (Object.getPrototypeOf(root) !== null) root = Object.getPrototypeOf(root)
  const HostObject = root.constructor
  // An object of ours with a prototype of theirs: the intrinsic one of new.target's realm.
  const newTarget = HostObject.bind(null)
  const hostPrototype = (constructor, ...args) => Object.getPrototypeOf(Reflect.construct(constructor, args, newTarget))`

describe('one function of the host leads to all its prototypes, and they hold', () => {
  test('no memory of the last match', async () => {
    const pool = openPool(4)
    const source = `module.exports = (match) => { ${leak}
      const HostRegExp = hostPrototype(RegExp, 'x').constructor
      if (HostRegExp === RegExp) return 'not theirs'
      const found = ['input', '$_', 'lastMatch', '$&', '$1', 'leftContext', 'rightContext', 'lastParen'].map((name) => HostRegExp[name] ?? null)
      HostRegExp.prototype.exec.call(new HostRegExp('(left by)'), 'left by match ' + match)
      try { HostRegExp.input = 'left by match ' + match } catch {}
      return found.join('')
    }`
    for (const match of [1, 2]) {
      const villain = await seat(pool, source)
      const { value } = (await villain.ask(match)) as { value?: unknown }
      expect(['', 'nothing surfaced']).toContain(value)
      villain.player.close()
    }
  })

  test('no clock and no chance', async () => {
    const source = `module.exports = () => { ${leak}
      const told = []
      const attempts = {
        date: () => hostPrototype(Date).constructor.now(),
        text: () => typeof hostPrototype(Date).constructor === 'function' && hostPrototype(Date).constructor !== Object && hostPrototype(Date).constructor(),
        format: () => Reflect.construct(Intl.DateTimeFormat, [], newTarget).format(),
        formatter: () => new (hostPrototype(Intl.DateTimeFormat).constructor)('en', { timeStyle: 'full' }).format(),
        parts: () => Reflect.construct(Intl.DateTimeFormat, ['en', { timeStyle: 'full' }], newTarget).formatToParts(),
      }
      for (const [name, attempt] of Object.entries(attempts)) {
        try { const value = attempt(); if (/[0-9]/.test(JSON.stringify(value))) told.push(name) } catch {}
      }
      return told
    }`
    const villain = await seat(openPool(4), source)
    const { value } = (await villain.ask()) as { value?: unknown }
    expect([[], 'nothing surfaced']).toContainEqual(value)
    villain.player.close()
  })
})

test('how deep a recursion gets is the same in every fresh process', async () => {
  const pool = openPool(0)
  const source = `
    const f = (n) => { try { return f(n + 1) } catch { return n } }
    module.exports = () => Array.from({ length: 30 }, () => f(0)).join(' ')`
  const depths = new Set<unknown>()
  for (let match = 0; match < 4; match += 1) {
    const script = await seat(pool, source)
    const { value } = (await script.ask()) as { value?: unknown }
    expect(value).toMatch(/^\d+( \d+){29}$/)
    depths.add(value)
    script.player.close()
  }
  expect(depths.size).toBe(1)
})

test('a stack trace names no file of this machine', async () => {
  const source = `Error.stackTraceLimit = 100
    module.exports = () => [new Error('x').stack, (() => { try { null.x } catch (e) { return e.stack } })()].join('\\n')`
  const script = await seat(openPool(0), source)
  const { value } = (await script.ask()) as { value: string }
  expect(value).toContain('agent.js:2')
  for (const [, file] of value.matchAll(/([^\s(]+):\d+:\d+\)?$/gm)) {
    expect(file).toMatch(/^(agent\.js|adapter\.js|realm|host|node:.*)$/)
  }
  script.player.close()
})

describe('memory that a match leaves does not count against the next', () => {
  const spend = 'let x = 0; for (let i = 0; i < 3e7; i++) x += i'
  test.each([
    [
      'typed arrays',
      `const hold = new Uint8Array(100e6).fill(1); module.exports = () => { ${spend}; return hold.length }`,
    ],
    [
      'what rejected promises keep',
      `const hold = new Uint8Array(100e6).fill(1); for (let i = 0; i < 9; i++) Promise.reject({ hold }); module.exports = () => { ${spend}; return hold.length }`,
    ],
  ])('%s', async (_name, source) => {
    const pool = openPool(4)
    for (let match = 0; match < 6; match += 1) {
      const script = await seat(pool, source, { limits: { memoryMb: 224 } })
      expect(await script.ask()).toMatchObject({ type: 'answer', value: 100e6 })
      script.player.close()
    }
  })
})

test('what is said of too much memory is the same in every run: it becomes a part of the outcome', async () => {
  const script = await seat(
    openPool(0),
    'module.exports = () => { const held = []; for (;;) held.push(new Uint8Array(3e7).fill(1)) }',
  )
  expect(await script.ask()).toMatchObject({
    fault: { kind: 'memory', text: saying('512 MB', 'memory') },
  })
})
