import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { availableTiers } from '../../../main/players/isolation/detect.ts'
import { createScriptPool } from '../../../main/players/scripts/script-pool.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { files, seat } from './seats.ts'
import { saying } from '../../refusal.ts'

const [best] = (await availableTiers(files)).filter(({ available }) => available)
const tier = best!.tier
const pool = createScriptPool({ ...files, tier, warmMax: 4, recycleAfter: 1_000 })
const bystander = await seat(pool, 'let n = 0; module.exports = () => (n += 1)', { agent: 'b'.repeat(64) })
let rounds = 0
const bystanderGoesOn = async (): Promise<void> => {
  rounds += 1
  expect(await bystander.ask()).toMatchObject({ type: 'answer', value: rounds })
}
const folder = temporaryFolder('hosts')
chmodSync(folder, 0o755)

afterAll(() => pool.close())

describe('an agent that takes what it may not', () => {
  test.each([
    ['an endless loop', 'module.exports = () => { for (;;); }', 'timeout'],
    [
      'an endless row of microtasks',
      'module.exports = () => { (function again() { Promise.resolve().then(again) })(); return 1 }',
      'timeout',
    ],
    ['an endless getter', 'module.exports = () => ({ get a() { for (;;); } })', 'timeout'],
    ['a regular expression that explodes', 'module.exports = () => /^(a+)+$/.test("a".repeat(60) + "b")', 'timeout'],
  ])('%s ends in a time-out', async (_name, source, kind) => {
    const villain = await seat(pool, source)
    expect(await villain.ask(null, 1_000)).toMatchObject({ type: 'fault', to: 1, gone: true, fault: { kind } })
    // Whatever is asked of it now is answered by the same fault.
    expect(await villain.ask()).toMatchObject({ type: 'fault', to: 2, gone: true, fault: { kind } })
    villain.player.close()
    await bystanderGoesOn()
  })

  test.each([
    ['objects', 'const a = []; module.exports = () => { for (;;) a.push({ a: {} }) }'],
    ['typed arrays', 'const a = []; module.exports = () => { for (;;) a.push(new Uint8Array(1e6).fill(1)) }'],
    [
      'shared memory',
      'const a = []; module.exports = () => { for (;;) a.push(new Uint8Array(new SharedArrayBuffer(1e6)).fill(1)) }',
    ],
    [
      'WebAssembly memory',
      'const a = []; module.exports = () => { for (;;) a.push(new Uint8Array(new WebAssembly.Memory({ initial: 16 }).buffer).fill(1)) }',
    ],
    [
      'microtasks',
      'module.exports = () => { (function again() { Promise.resolve().then(again); Promise.resolve().then(again) })() }',
    ],
    [
      'texts',
      'let a = "x"; const all = []; module.exports = () => { for (let n = 0; ; n++) all.push([...(a + n).repeat(1e5)].join("")) }',
    ],
  ])('%s without end end in a memory fault', async (_name, source) => {
    const villain = await seat(pool, source, { limits: { memoryMb: 160 } })
    expect(await villain.ask(null, 60_000)).toMatchObject({
      type: 'fault',
      to: 1,
      gone: true,
      fault: { kind: 'memory' },
    })
    villain.player.close()
    await bystanderGoesOn()
  })

  test.each([
    ['throws', 'let a\nthrow new RangeError("of mine")', 'crash', saying('loading', 'line 2', 'RangeError: of mine')],
    [
      'does not compile',
      'let a\nlet b = ;',
      'crash',
      saying('compiled', 'line 2', "SyntaxError: Unexpected token ';'"),
    ],
    [
      'gives itself another name',
      '//# sourceURL=other.js\nlet b = ;',
      'crash',
      saying('compiled', 'line 2', "SyntaxError: Unexpected token ';'"),
    ],
    [
      'throws under another name',
      'let a\nthrow new RangeError("of mine")\n//# sourceURL=other.js',
      'crash',
      saying('loading', 'line 2', 'RangeError: of mine'),
    ],
    [
      'closes the function around it',
      '}); (function () {',
      'crash',
      saying('compiled', 'line 1', "SyntaxError: Unexpected token '}'"),
    ],
    [
      'is an ES module',
      'export default 1',
      'crash',
      saying(
        'compiled',
        'line 1',
        "SyntaxError: Unexpected token 'export'",
        'ES module',
        '"module.exports = Agent"',
        '.ts file',
      ),
    ],
    ['never ends', 'for (;;);', 'timeout', saying('loading', '500 ms')],
    [
      'throws what cannot be shown',
      'throw { toString() { throw 1 }, get stack() { throw 2 } }',
      'crash',
      saying('loading', 'cannot be shown'),
    ],
  ])('a script that %s while loading is a fault before it is ready', async (_name, source, kind, text) => {
    const villain = await seat(pool, source, { limits: { startMs: 500 } })
    expect(await villain.next()).toMatchObject({ type: 'fault', gone: true, fault: { kind, text } })
    villain.player.close()
    await bystanderGoesOn()
  })

  test('a flood on the console is cut, told once, and costs nothing', async () => {
    const flood = 'module.exports = () => { for (let n = 0; n < 1e6; n++) console.log("äöü".repeat(100)); return 1 }'
    const villain = await seat(pool, flood, { limits: { consoleBytes: 1_001 } })
    expect(await villain.ask()).toMatchObject({ type: 'answer', value: 1 })
    expect(await villain.ask()).toMatchObject({ type: 'answer', value: 1 })
    const text = villain.console.join('')
    expect(text.endsWith('\n[the rest of the console was dropped]\n')).toBe(true)
    expect(Buffer.byteLength(text)).toBeLessThan(1_001 + 50)
    expect(text).not.toContain('\ufffd')
    villain.player.close()
    await bystanderGoesOn()
  })
})

/** Hosts that have been taken over: `reply(number)` says what they write on a question. */
const takenOver = (reply: string, more = ''): string => {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.cjs`)
  writeFileSync(
    file,
    `const write = (text) => require('fs').writeSync(1, text)
     const reply = ${reply}
     let text = ''
     process.stdin.setEncoding('utf8').on('data', (chunk) => {
       text += chunk
       for (let end; (end = text.indexOf('\\n')) !== -1; text = text.slice(end + 1)) {
         if (text[0] === 'O') write('R1 null\\n')
         if (text[0] === 'Q') reply(parseInt(text.slice(1)))
       }
     })
     write('H0 null\\n'); ${more}`,
  )
  return file
}

describe('a process that has been taken over', () => {
  test.each([
    ['answers twice', '(n) => write(`A${n} 1\\nA${n} 2\\n`)', 'protocol', 1],
    ['answers a question of another number', '(n) => write(`A${n + 1} 1\\n`)', 'protocol', 0],
    ['opens a realm twice', "(n) => write('R1 null\\n')", 'protocol', 0],
    ['writes an invalid frame', "(n) => write('hello\\n')", 'protocol', 0],
    ['writes an invalid number', "(n) => write('Ax 1\\n')", 'protocol', 0],
    ['writes bytes that are not text', "(n) => require('fs').writeSync(1, Buffer.from([0, 255, 10]))", 'protocol', 0],
    [
      'reports a fault of a kind that is not its own',
      '(n) => write(`X${n} {"kind":"host","text":"x"}\\n`)',
      'protocol',
      0,
    ],
    ['reports an unknown fault', '(n) => write(`X${n} 7\\n`)', 'protocol', 0],
    ['writes invalid console text', "(n) => write('C0 {}\\n')", 'protocol', 0],
    ['floods without a line end', '(n) => { const b = Buffer.alloc(1e6, 120); for (;;) write(b) }', 'protocol', 0],
    ['ends itself', '(n) => process.exit(3)', 'crash', 0],
    ['aborts', '(n) => process.abort()', 'crash', 0],
    ['closes its output and stays', "(n) => { require('fs').closeSync(1); setInterval(() => {}, 1000) }", 'stall', 0],
    ['sleeps', '(n) => {}', 'stall', 0],
  ])('%s', async (_name, reply, kind, answers) => {
    const shared = createScriptPool({ ...files, hostFile: takenOver(reply), tier, warmMax: 0, recycleAfter: 1 })
    const villain = await seat(shared, '')
    villain.player.ask(1, null, kind === 'stall' ? 5_000 : 20_000)
    for (let n = 0; n < answers; n += 1) expect(await villain.next()).toMatchObject({ type: 'answer', to: 1, value: 1 })
    expect(await villain.next()).toMatchObject({ type: 'fault', gone: true, fault: { kind } })
    villain.player.close()
    await shared.close()
    await bystanderGoesOn()
  })

  test.each([
    ['text that is not JSON', '{'],
    ['a number beyond all numbers', '1e999'],
    ['half a surrogate pair', '"\\\\ud800"'],
    ['a negative zero', '[-0]'],
    ['a deep nest', '[[[[[[[['.repeat(100) + ']]]]]]]]'.repeat(100)],
  ])('%s is an invalid answer', async (_name, json) => {
    const host = takenOver('(n) => write(`A${n} ' + json + '\\n`)')
    const shared = createScriptPool({ ...files, hostFile: host, tier, warmMax: 0, recycleAfter: 1 })
    const villain = await seat(shared, '')
    expect(await villain.ask()).toMatchObject({ type: 'fault', to: 1, gone: false, fault: { kind: 'invalid' } })
    await shared.close()
  })

  test('what it says before it is asked is a protocol fault', async () => {
    const shared = createScriptPool({
      ...files,
      hostFile: takenOver('() => {}', "write('A1 1\\n')"),
      tier,
      warmMax: 0,
      recycleAfter: 1,
    })
    const villain = await seat(shared, '')
    expect(await villain.next()).toMatchObject({ type: 'fault', gone: true, fault: { kind: 'protocol' } })
    await shared.close()
  })

  test('its last words are kept, capped', async () => {
    const host = takenOver("(n) => { process.stderr.write('x'.repeat(2e5) + 'the end', () => process.exit(1)) }")
    const shared = createScriptPool({ ...files, hostFile: host, tier, warmMax: 0, recycleAfter: 1 })
    const villain = await seat(shared, '')
    const event = (await villain.ask()) as { fault: { stderr: string } }
    expect(event.fault.stderr.endsWith('xthe end')).toBe(true)
    expect(event.fault.stderr.length).toBeLessThanOrEqual(65_536)
    await shared.close()
  })
})
