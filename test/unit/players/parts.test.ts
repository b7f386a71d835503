import { describe, expect, test } from 'vitest'
import { fault as faultSchema } from '../../../main/contract/faults.ts'
import { readAnswer } from '../../../main/players/read-answer.ts'
import { makeFault } from '../../../main/players/make-fault.ts'
import { bubblewrap } from '../../../main/players/isolation/bubblewrap.ts'
import type { LaunchOptions } from '../../../main/players/isolation/launch.ts'
import { none, permission } from '../../../main/players/isolation/tiers.ts'
import { readsTime, scriptText } from '../../../main/players/scripts/script-source.ts'

describe('scriptText', () => {
  test.each([
    ['plain', 'a\nb', 'a\nb'],
    ['a byte order mark', '\ufeffa', 'a'],
    ['a #! line, whose place stays', '#!/usr/bin/node --x\na', '\na'],
    ['both', '\ufeff#!x\r\na', '\r\na'],
    ['a #! further down', 'a\n#!x', 'a\n#!x'],
    ['nothing', '', ''],
  ])('%s', (_name, text, expected) => {
    expect(scriptText(text)).toBe(expected)
    expect(scriptText(new TextEncoder().encode(text))).toBe(expected)
  })

  test('bytes that are not UTF-8 become U+FFFD', () => {
    expect(scriptText(Uint8Array.of(0x61, 0xcf, 0xf0, 0x62))).toBe('a\ufffd\ufffdb')
  })
})

describe('a script reads the time', () => {
  test.each([
    'while (Date.now() < end);',
    'new Date() - start',
    '+new Date',
    'Date ()',
    "Date['now']()",
    'Date?.now()',
    'const { now } = Date',
    'const Clock = Date; Clock.now()',
    'Temporal.Now.instant()',
  ])('%s', (text) => {
    expect(readsTime(text)).toBe(true)
  })

  test.each([
    '// Date: 2026-11-26',
    'new Date(0).getDay()',
    'Date.UTC(2000, 1)',
    'update(Dates)',
    'Temporal.Instant',
    '',
  ])('but not with %s', (text) => {
    expect(readsTime(text)).toBe(false)
  })
})

describe('readAnswer', () => {
  test.each(['null', '0', '-1.5', '"ü\\n"', '[]', '{"__proto__":1}', '[[1,{"a":[true]}]]'])('reads %s', (text) => {
    expect(readAnswer(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown })
  })
  test.each(['', 'x', '{', '1e999', '-0', '[-0]', '"\\ud800"', '{"\\ud800":1}', '['.repeat(600) + ']'.repeat(600)])(
    'refuses %s',
    (text) => {
      expect(readAnswer(text).ok).toBe(false)
    },
  )
})

test('a fault keeps to the contract, whatever an agent put into it', () => {
  for (const text of ['x'.repeat(9_000), '\ud800', '😀'.repeat(5_000), 'x' + '😀'.repeat(5_000), '']) {
    const made = makeFault('crash', text, { tookMs: -0.1, stderr: '\udc00' + text.repeat(20) })
    expect(faultSchema.parse(made)).toEqual(made)
    expect(made.text.isWellFormed() && (made.stderr ?? '').isWellFormed()).toBe(true)
  }
})

describe('how an agent is started', () => {
  const tools = {
    bwrap: '/usr/bin/bwrap',
    setpriv: '/usr/bin/setpriv',
    prlimit: '/usr/bin/prlimit',
    sh: '/bin/sh',
    unshare: '/usr/bin/unshare',
  }
  const runtime = { nodeBinary: '/opt/node', hostFile: '/opt/host.cjs', libraries: ['/lib/libc.so.6'] }
  const options: LaunchOptions = { runtime, tools, root: true, memoryMb: 256, trusted: false }
  const words = (launch: ReturnType<typeof bubblewrap>): readonly string[] =>
    'missing' in launch ? [] : [launch.file, ...launch.args]

  test('root gives up its privileges before anything else', () => {
    for (const tier of [bubblewrap, permission, none]) {
      expect(words(tier(options)).slice(0, 2)).toEqual(['/usr/bin/setpriv', '--reuid=65534'])
      expect(tier({ ...options, tools: { ...tools, setpriv: undefined } })).toHaveProperty('missing')
    }
  })

  test('an ordinary user starts bubblewrap itself, and its other processes are not bounded', () => {
    const line = words(bubblewrap({ ...options, root: false }))
    expect(line).not.toContain('/usr/bin/setpriv')
    expect(line.some((word) => word.startsWith('--nproc'))).toBe(false)
    expect(line).toContain('--die-with-parent')
  })

  test('bubblewrap binds the binary, its libraries and the host file, all read-only, and seals the rest', () => {
    const line = words(bubblewrap(options))
    const bound = line.flatMap((word, at) => (word.includes('bind') ? [[word, line[at + 1], line[at + 2]]] : []))
    expect(bound).toEqual([
      ['--ro-bind', '/lib/libc.so.6', '/lib/libc.so.6'],
      ['--ro-bind', '/opt/node', '/agent/node'],
      ['--ro-bind', '/opt/host.cjs', '/agent/host.cjs'],
    ])
    for (const [at, word] of line.entries()) if (word === '--tmpfs') expect(line[at - 2]).toBe('--size')
    expect(line.join(' ')).toContain('--remount-ro /')
  })

  test('Node is granted reading its host file, and nothing else', () => {
    for (const tier of [bubblewrap, permission]) {
      const grants = words(tier(options)).filter((word) => word.startsWith('--allow'))
      expect(grants).toEqual([expect.stringMatching(/^--allow-fs-read=.*host\.cjs$/)])
      expect(words(tier(options))).toContain('--permission')
    }
    expect(words(none(options))).not.toContain('--permission')
  })

  test('what is missing is named', () => {
    expect(bubblewrap({ ...options, tools: { ...tools, bwrap: undefined } })).toEqual({
      missing: 'bubblewrap (bwrap) is not installed',
    })
  })
})
