import { describe, expect, test } from 'vitest'
import { readMessage, readSkeleton, printSkeleton } from '../../../grammars/cops/index.ts'
import { readTown } from '../../../main/referees/cops/town.ts'
import { messageReader, copsWire } from '../../../main/referees/cops/wire/wire.ts'
import { RING_TOWN } from './stage.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const inform = (line: string): string => `inf\\\n${line}\ninf/\n`

describe('the line grammar', () => {
  test.each([
    'reg: A-b_#(9) cop-foot\n',
    'reg: A cop-car\r\n',
    'reg:\tA robber\n',
    `reg: ${'a'.repeat(100)} robber\n`,
    inform('inf: R 55-and-south-shore(east) robber 200 -100'),
    'plan\\\nplan/\n',
    'vote\\\r\nvote: a\nvote/\n',
    'mov: here cop-car\n',
    'cmov\\\nstraight-arrow:\nmov\\\nmov/\nacc\\\nacc/\ncmov/\n',
    'mov\\\nmov: a cop-foot b\nmov/\n',
    'rmov\\\nmov: a robber b\npsh: c d\nrmov/\n',
    'rmov\\\nmov: a robber b\nchc\\\nchc/\nrmov/\n',
    'bribe:\n',
  ])('%j is a message', (text) => {
    expect(readMessage(text)).toHaveProperty('value')
  })

  test.each([
    ['', /end of the message/],
    ['\n', /^Line 1, character 1: an empty line cannot stand here\.$/],
    ['inf\\\n\r\ninf/\n', /^Line 2, character 1: an empty line/],
    ['reg: A\trobber\t\n', /^Line 1, character 14: a tab/],
    ['reg: A robber x\n', /^Line 1, character 14: a space/],
    ['reg: A\n', /^Line 1, character 7: the end of the line/],
    ['reg:  A robber\n', /^Line 1, character 6: a space \(one separates two words\) cannot stand here/],
    [' reg: A robber\n', /^Line 1, character 1/],
    ['reg: A robber \n', /^Line 1, character 14/],
    ['reg: A robber', /end of the message/],
    ['reg: A thief\n', /"thief" is not cop-foot, cop-car or robber/],
    [`reg: ${'a'.repeat(101)} robber\n`, /\b100\b/],
    ['reg: Ä robber\n', /the character "Ä"/],
    ['reg: A robber\r\r\n', /./],
    [inform('inf: R x robber 201 0'), /^Line 2, .*"201" is not a number from 0 to 200/],
    [inform('inf: R x robber -1 0'), /"-1" is not a number from 0 to 200/],
    [inform('inf: R x robber 1 101'), /"101" is not a number from -100 to 100/],
    [inform('inf: R x robber 1 --1'), /"--1" is not a number/],
    [inform('inf: R x robber 1 1e2'), /"1e2" is not a number/],
    ['inf\\\ninf/\ninf/\n', /^Line 3/],
    ['cmov\\\nmov\\\nmov/\nacc\\\nacc/\ncmov/\n', /^Line 2/],
  ])('%j is invalid', (text, problem) => {
    expect(readMessage(text)).toHaveProperty('problem', expect.stringMatching(problem))
  })

  test('a map is printed as it was read', () => {
    const read = readSkeleton(RING_TOWN)
    expect('value' in read && printSkeleton(read.value)).toBe(RING_TOWN)
  })
})

describe('maps', () => {
  test.each([
    ['ordinary 1 1', 'hq 1 1', /must have 1 intersection with the tag hq, and has 2/],
    ['bank 3 3', 'ordinary 3 3', /must have 6 intersections with the tag bank, and has 5/],
    ['edg: r4 r5 foot\n', 'edg: r4 r99 foot\n', /needs the intersection r99/],
    ['edg: r4 r5 foot\n', 'edg: r4 r4 foot\n', /from r4 to itself/],
    ['edg: r4 r5 foot\n', 'edg: r3 r4 foot\n', /is listed twice/],
    ['edg: r3 r4 foot\nedg: r4 r5 foot\n', '', /r4 cannot be reached on foot/],
    ['wsk/', 'wsk', /is not a world skeleton/],
  ])('a map with %j as %j is refused', (from, to, why) => {
    const read = readTown(RING_TOWN.replace(from, to))
    expect('problems' in read ? read.problems.join(' ') : '').toMatch(why)
  })
})

describe('frames and wire', () => {
  test('messages come however their bytes come', () => {
    const text = `reg: A robber\n${inform('inf: R x robber 1 1')}mov: a robber\r\n`
    for (const size of [1, 7, 1_000]) {
      const reader = messageReader()
      const found: string[] = []
      for (let at = 0; at < text.length; at += size)
        found.push(...(reader.read(bytes(text.slice(at, at + size))) as string[]))
      expect(found.join('')).toBe(text)
      expect(found).toHaveLength(3)
    }
  })

  test.each([
    'inf\\\ninf: R x robber 1 1\ninf/ \n',
    'inf\\\ninf: R x robber 1 1\ninf/\0\n',
    'inf\\\ninf: R x robber 1 1\n inf/\n',
    'inf\\ \r\ninf: R x robber 1 1\r\ninf/ \r\n',
    ' inf\\\ninf: R x robber 1 1\ninf/\n',
    'INF\\\nINF: R x robber 1 1\nINF/\n',
  ])('%j is one message, and malformed at once', (text) => {
    expect(readMessage(text)).toHaveProperty('problem')
    expect(messageReader().read(bytes(`${text}mov: a robber\n`))).toEqual([text, 'mov: a robber\n'])
  })

  test('a line or a message without end ends the dialogue', () => {
    expect(messageReader().read(bytes('x'.repeat(2_000)))).toMatch(/more than 1000 bytes/)
    const reader = messageReader()
    let last: readonly string[] | string = reader.read(bytes('inf\\\n'))
    const lines = bytes('inf: R x robber 1 1\n'.repeat(1_000))
    for (let more = 0; more < 200 && typeof last !== 'string'; more += 1) last = reader.read(lines)
    expect(last).toMatch(/more than 2100000 characters/)
  })

  test('a brain registers by itself, and a late answer belongs to its own question', () => {
    const wire = copsWire()
    expect(wire.joined(0)).toEqual([])
    expect(wire.receive(bytes('reg: A cop-foot\n'), 0)).toEqual([{ type: 'ready' }])
    const register = { number: 1, limitMs: 1 }
    expect(wire.send({ type: 'register', role: 'cop', asks: 'register' }, register, 0)).toEqual([
      { type: 'answer', to: 1, value: { type: 'register', bot: 'A', ptype: 'cop-foot' } },
    ])
    wire.send({ type: 'informs', asks: 'plan', from: [] }, { number: 2, limitMs: 1 }, 0)
    wire.withdrawn(2, 0)
    wire.send({ type: 'plans', asks: 'vote', from: [] }, { number: 3, limitMs: 1 }, 0)
    expect(wire.receive(bytes('plan\\\nplan/\nvote\\\nvote/\n'), 0)).toEqual([
      { type: 'answer', to: 2, value: { type: 'plan', plan: [] } },
      { type: 'answer', to: 3, value: { type: 'vote', ballot: [] } },
    ])
  })

  test('what is malformed is a fault of the question that it answers', () => {
    const wire = copsWire()
    wire.joined(0)
    wire.receive(bytes('reg: A cop-foot\n'), 0)
    wire.send({ type: 'register', role: 'cop', asks: 'register' }, { number: 1, limitMs: 1 }, 0)
    wire.send({ type: 'tally', winner: null, asks: 'move' }, { number: 2, limitMs: 1 }, 0)
    expect(wire.receive(bytes('mov: a  cop-foot\n'), 0)).toEqual([
      {
        type: 'fault',
        to: 2,
        fault: {
          kind: 'protocol',
          text: 'Line 1, character 8: a space (one separates two words) cannot stand here, in "mov: a  cop-foot".',
        },
        gone: false,
      },
    ])
    const flood = wire.receive(bytes('\n'.repeat(9)), 0)
    expect(flood).toMatchObject([{ type: 'fault', gone: true }])
  })

  test('one message too many spoils one answer, and the later ones belong to their own questions', () => {
    const wire = copsWire()
    wire.joined(0)
    wire.receive(bytes('reg: A robber\n'), 0)
    wire.send({ type: 'register', role: 'robber', asks: 'register' }, { number: 1, limitMs: 1 }, 0)
    const ask = (number: number): void =>
      void wire.send({ type: 'tally', winner: null, asks: 'move' }, { number, limitMs: 1 }, 0)
    ask(2)
    expect(wire.receive(bytes('\nmov: a robber\n'), 0)).toMatchObject([{ type: 'fault', to: 2, gone: false }])
    ask(3)
    expect(wire.receive(bytes('mov: b robber\n'), 0)).toMatchObject([{ type: 'answer', to: 3, value: { loc: 'b' } }])
    // Without one too many, a message that comes ahead still counts.
    expect(wire.receive(bytes('mov: c robber\n'), 0)).toEqual([])
    expect(wire.send({ type: 'tally', winner: null, asks: 'move' }, { number: 4, limitMs: 1 }, 0)).toContainEqual(
      expect.objectContaining({ type: 'answer', to: 4 }),
    )
  })

  test('after the last message the program has a moment to read it and to exit', () => {
    const wire = copsWire()
    for (const [type, text] of [
      ['game-over', 'game-over\n'],
      ['accused', 'accused:\n'],
    ] as const)
      expect(wire.send({ type, asks: null }, null, 0)).toEqual([
        { type: 'write', bytes: bytes(text) },
        { type: 'end-input', last: true },
      ])
  })

  test('worlds have their sections in the order of the recordings', () => {
    const sent = copsWire().send(
      {
        type: 'world',
        asks: 'inform',
        world: 11,
        loot: 1_000,
        twist: {
          dirty: [],
          control: [{ brain: 'B', bot: 'A' }],
          accusations: [{ accuser: 'B', accused: 'A', world: 9 }],
        },
        banks: [{ loc: 'bank', value: 0 }],
        evidence: [{ loc: 'x', world: 8 }],
        smell: 2,
        players: [{ bot: 'A', loc: 'x', ptype: 'cop-foot' }],
      },
      null,
      0,
    )
    const [first] = sent
    expect(first?.type === 'write' ? new TextDecoder().decode(first.bytes).split('\n') : []).toEqual([
      'wor\\',
      'wor: 11',
      'rbd: 1000',
      'dc\\',
      'dc/',
      'sc\\',
      'sc: B A',
      'sc/',
      'fac\\',
      'fac: B A 9',
      'fac/',
      'bv\\',
      'bv: bank 0',
      'bv/',
      'ev\\',
      'ev: x 8',
      'ev/',
      'smell: 2',
      'pl\\',
      'pl: A x cop-foot',
      'pl/',
      'wor/',
      '',
    ])
  })
})
