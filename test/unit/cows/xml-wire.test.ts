import { describe, expect, test } from 'vitest'
import type { WireEffect } from '../../../main/contract/game/wire.ts'
import type { Answer, PerceptionMessage, StartMessage } from '../../../main/referees/cows/messages.ts'
import { xmlWire, type XmlWireOptions } from '../../../main/referees/cows/wire/xml-wire.ts'

const start: StartMessage = {
  type: 'start',
  opponent: 'seat 0',
  steps: 60,
  width: 70,
  height: 65,
  corral: { x0: 55, y0: 0, x1: 69, y1: 14 },
}
const perception: PerceptionMessage = {
  type: 'perception',
  step: 0,
  x: 63,
  y: 35,
  score: 4,
  cells: [
    { x: -1, y: -1 },
    { x: -1, y: 0, obstacle: true },
    { x: -1, y: 1, unknown: true },
    { x: 0, y: -1, cow: '47', corral: 'enemy' },
    { x: 0, y: 0, agent: 'ally' },
    { x: 0, y: 1, corral: 'ally' },
    { x: 1, y: -1, agent: 'enemy', corral: 'ally' },
    { x: 1, y: 0, cow: '3' },
  ],
}

/** A wire whose clock stands at 1000 ms. */
function seated(options: Partial<XmlWireOptions> = {}) {
  const wire = xmlWire({ seat: 1, profile: 'document', host: { unixNow: () => 1_000 }, ...options })
  wire.joined(0)
  const say = (text: string, at = 0) => wire.receive(Buffer.from(`${text}\0`), at)
  return {
    wire,
    say,
    begin: () => written(wire.send(start, { number: 1, limitMs: 9_000 }, 0)),
    ask: (step = 0, number = 2) => written(wire.send({ ...perception, step }, { number, limitMs: 4_000 }, 0)),
    act: (id: string | number, type: string) =>
      say(`<message type="action"><action id="${id}" type="${type}"/></message>`),
  }
}

/** The text of the bytes that are written, and a line for each other effect. */
function written(effects: readonly WireEffect<Answer>[]): string {
  return effects.map((effect) => (effect.type === 'write' ? Buffer.from(effect.bytes).toString('utf8') : '')).join('')
}

const HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n'

test('sim-start: one attribute after the other by name, the corral in both spellings', () => {
  expect(seated().begin()).toBe(
    `${HEADER}<message timestamp="1000" type="sim-start">
<simulation corrally0="0" corrally1="14" corralx0="55" corralx1="69" corraly0="0" corraly1="14" gsizex="70" gsizey="65" id="0" opponent="seat 0" steps="60"/>
</message>
\0`,
  )
})

test('request-action: a newline after each tag, own cell included, contents in the order of the server', () => {
  const { begin, ask } = seated()
  begin()
  expect(ask()).toBe(
    `${HEADER}<message timestamp="1000" type="request-action">
<perception deadline="5000" id="1" posx="63" posy="35" score="4" step="0">
<cell x="-1" y="-1">
<empty/>
</cell>
<cell x="-1" y="0">
<obstacle/>
</cell>
<cell x="-1" y="1">
<unknown/>
</cell>
<cell x="0" y="-1">
<cow ID="47"/>
<corral type="enemy"/>
</cell>
<cell x="0" y="0">
<agent type="ally"/>
</cell>
<cell x="0" y="1">
<corral type="ally"/>
</cell>
<cell x="1" y="-1">
<agent type="enemy"/>
<corral type="ally"/>
</cell>
<cell x="1" y="0">
<cow ID="3"/>
</cell>
</perception>
</message>
\0`,
  )
})

describe('sim-end', () => {
  const ending = (seat: 0 | 1, profile: XmlWireOptions['profile'], scores: readonly number[]): string => {
    const { wire, begin } = seated({ seat, profile })
    begin()
    const { messages } = wire.over!({ scores, step: 60, steps: 60, herders: [[], []], cows: [] })
    return messages.map((bytes) => Buffer.from(bytes).toString('utf8')).join('')
  }
  test('names result and score on lines of their own', () => {
    expect(ending(0, 'document', [9, 9])).toBe(
      `${HEADER}<message timestamp="1000" type="sim-end">\n<sim-result result="draw" score="9"/>\n</message>\n\0`,
    )
  })
  test.each([
    [0, 'document', 'win', 3],
    [1, 'document', 'lose', 2],
    [0, 'server-2008', 'win', 3],
    [1, 'server-2008', 'loose', 2],
  ] as const)('for seat %s in %s: %s', (seat, profile, result, score) => {
    expect(ending(seat, profile, [3, 2])).toContain(`<sim-result result="${result}" score="${score}"/>`)
  })
  test('is not sent to a client that was never told of the simulation', () => {
    expect(seated().wire.over!({ scores: [0, 0], step: 1, steps: 1, herders: [[], []], cows: [] }).messages).toEqual([])
  })
})

test('identifiers count from 1, steps from 0; those of later simulations go on behind the earlier ones', () => {
  const first = seated()
  first.begin()
  expect([0, 1, 2].map((step) => / id="(\d+)".* step="(\d+)"/.exec(first.ask(step, step + 2))!.slice(1))).toEqual([
    ['1', '0'],
    ['2', '1'],
    ['3', '2'],
  ])
  const second = seated({ requestsBefore: 60, names: { simulation: '1', opponent: 'R&D "<x>"' } })
  expect(second.begin()).toContain('id="1" opponent="R&amp;D &quot;&lt;x&gt;&quot;"')
  expect(second.ask()).toContain(' id="61" ')
})

describe('an action', () => {
  /** The wire's reaction to a message while request 1 is open; console lines by their reason. */
  const effectsOf = (message: string): unknown[] => {
    const { begin, ask, say } = seated()
    begin()
    ask()
    return say(message).map((effect) =>
      effect.type === 'console' ? effect.text.replace(/^\u25b8 A message was discarded: /, '') : effect,
    )
  }
  const answer = (action: string) => [{ type: 'answer', to: 2, value: { action } }]
  test.each([
    ['is as written', '<message type="action"><action id="1" type="north"/></message>', 'north'],
    [
      'has a header and a timestamp',
      `${HEADER}<message timestamp="7" type="action"><action id="1" type="skip"/></message>`,
      'skip',
    ],
    ['follows blanks', '\r\n <message type="action"><action id="1" type="east"/></message>\r\n', 'east'],
    [
      'is indented',
      '<message type="action">\n  <!-- my move -->\n  <action type="west" id="1"></action>\n</message>',
      'west',
    ],
    [
      'is the first of several',
      '<message type="action"><action id="1" type="north"/><action id="1" type="south"/></message>',
      'north',
    ],
    [
      'follows other elements',
      '<message type="action"><more x="1"><action id="1" type="south"/></more><action id="1" type="north"/></message>',
      'north',
    ],
    [
      'precedes another root (spec 4.1)',
      '<message type="action"><action id="1" type="north"/></message><message type="ping"/>',
      'north',
    ],
    ['is unknown, which the game refuses', '<message type="action"><action id="1" type="jump"/></message>', 'jump'],
  ])('counts that %s', (_, message, action) => {
    expect(effectsOf(message)).toEqual(answer(action))
  })

  test.each([
    ['another id', '<message type="action"><action id="2" type="north"/></message>', 'no open request has the id "2".'],
    ['no id', '<message type="action"><action type="north"/></message>', 'an action needs the attribute "id".'],
    ['no type, as clients of 2008 answer sim-start', '<message type="action"><action id="1"/></message>', ''],
    [
      'no type in the first of two',
      '<message type="action"><action id="1"/><action id="1" type="north"/></message>',
      '',
    ],
    ['no action', '<message type="action"/>', 'an action needs the attribute "id".'],
    ['another type of message', '<message type="bye"/>', 'it is neither an action nor a ping.'],
    [
      'another sign-in',
      '<message type="auth-request"><authentication username="a" password="b"/></message>',
      'it is neither an action nor a ping.',
    ],
    ['no type of message', '<message><action id="1" type="north"/></message>', 'its root has no attribute "type".'],
    [
      'another root',
      '<massage type="action"><action id="1" type="north"/></massage>',
      'its root is "massage", not "message".',
    ],
    ['broken XML', '<message type="action"><action id="1" type="north"></message>', 'unexpected close tag.'],
    ['half a document', '<message type="action"><action id="1" type="north"/>', 'unclosed tag: message.'],
    ['no XML', 'north', 'text data outside of root node.'],
    ['nothing', '', 'it is empty or has more than 65536 bytes.'],
    [
      'a document type',
      '<!DOCTYPE message><message type="action"><action id="1" type="north"/></message>',
      'a document type is not allowed.',
    ],
    ['an entity', '<message type="action"><action id="&one;" type="north"/></message>', 'undefined entity.'],
  ])('is discarded with %s, and the request stays open', (_, message, reason) => {
    expect(effectsOf(message)).toEqual([reason])
    const { begin, ask, say, act } = seated()
    begin()
    ask()
    say(message)
    expect(act(1, 'north')).toEqual(answer('north'))
  })

  test('counts once: a second answer, and one after the deadline, answer nothing', () => {
    const { wire, begin, ask, act } = seated()
    begin()
    ask()
    expect(act(1, 'north')).toEqual(answer('north'))
    expect(act(1, 'south')).toMatchObject([{ type: 'console' }])
    ask(1, 3)
    wire.withdrawn(3, 0)
    expect(act(2, 'south')).toMatchObject([{ type: 'console' }])
  })

  test('that is not UTF-8 is discarded', () => {
    const { wire } = seated()
    const bytes = Buffer.from('<message type="ping"><payload value="\xff"/></message>\0', 'latin1')
    expect(wire.receive(bytes, 0)).toMatchObject([{ text: '\u25b8 A message was discarded: it is not UTF-8.' }])
  })
})

describe('a ping', () => {
  const replyTo = (value: string): string =>
    written(seated().say(`<message type="ping"><payload value="${value}"/></message>`))
  test('is answered at any time with its payload', () => {
    expect(replyTo('hello World')).toBe(
      `${HEADER}<message timestamp="1000" type="pong">\n<payload value="hello World"/>\n</message>\n\0`,
    )
  })
  test.each([
    ['a&amp;b &lt;&#34;&gt;', 'a&amp;b &lt;&quot;&gt;'],
    ['Grüße, 牛', 'Grüße, 牛'],
    ['', ''],
    ['x'.repeat(100), 'x'.repeat(100)],
  ])('copies %j', (given, copied) => {
    expect(replyTo(given)).toContain(`<payload value="${copied}"/>`)
  })
  test('of more than 100 characters is not answered', () => {
    expect(replyTo('x'.repeat(101))).toBe('')
  })
  test('of several payloads has the first one answered', () => {
    const { say } = seated()
    const reply = written(say('<message type="ping"><payload value="payload1"/><payload value="payload2"/></message>'))
    expect(reply).toContain('value="payload1"')
    expect(reply).not.toContain('payload2')
  })
})

test('a player that reconnects gets sim-start as it was, then the next request; what it had not finished is forgotten', () => {
  const { wire, begin, ask, act } = seated()
  const first = begin()
  ask()
  wire.receive(Buffer.from('<message type="action"><action id="1" ty'), 0)
  wire.left(0)
  expect(written(wire.joined(1))).toBe(first)
  // The request that was open is not sent again, but may be answered.
  expect(act(1, 'west')).toEqual([{ type: 'answer', to: 2, value: { action: 'west' } }])
})

test('a player that connects in the middle of a simulation gets sim-start although it was never sent', () => {
  const { wire } = seated()
  wire.unsent!(start)
  expect(written(wire.joined(1))).toContain('type="sim-start"')
})

test('messages are read however they are cut into pieces', () => {
  const text =
    '<message type="ping"><payload value="a"/></message>\0<message type="ping"><payload value="b"/></message>\0'
  const whole = written(seated().wire.receive(Buffer.from(text), 0))
  expect(whole.match(/value="."/g)).toEqual(['value="a"', 'value="b"'])
  const { wire } = seated()
  expect(Array.from(Buffer.from(text), (byte) => written(wire.receive(Uint8Array.of(byte), 0))).join('')).toBe(whole)
})

test('a message of 65,536 bytes is read, and a longer one is passed over', () => {
  const { wire, say } = seated()
  const ping = (bytes: number): string => {
    const text = '<message type="ping"><payload value="a"/></message>'
    return text.padEnd(bytes - 1, ' ')
  }
  expect(written(say(ping(65_536)))).toContain('value="a"')
  expect(say(ping(65_537))).toMatchObject([{ type: 'console' }])
  expect(written(say(ping(60)))).toContain('value="a"')
  const endless = wire.receive(new Uint8Array(1_100_000).fill(32), 0)
  expect(endless).toMatchObject([{ type: 'fault', fault: { kind: 'protocol' }, gone: false }, { type: 'close' }])
})

test('a player that floods the server loses its connection, with a fault; one that answers what it is asked does not', () => {
  const { begin, ask, act, say } = seated()
  begin()
  for (let step = 0; step < 2_000; step++) {
    ask(step, step + 2)
    expect(act(step + 1, 'skip')).toHaveLength(1)
  }
  const ping = '<message type="ping"><payload value="a"/></message>'
  for (let sent = 0; sent < 500; sent++) expect(say(ping)).toMatchObject([{ type: 'write' }])
  expect(say(ping)).toMatchObject([{ type: 'fault', fault: { kind: 'protocol' }, gone: false }, { type: 'close' }])
  // Later there is room again.
  expect(say(ping, 2_000)).toMatchObject([{ type: 'write' }])
})
