import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import type { PlayerEvent } from '../../../main/contract/players/player.ts'
import { oneMoveWire } from '../../../main/players/wires/one-move-wire.ts'
import { carriedState, wireHost } from '../../../main/players/wires/wire-host.ts'
import { wirePlayer, type WirePlayerOptions } from '../../../main/players/wire-player.ts'
import { wire } from '../../../main/referees/specker/language/wire.ts'
import { scriptedSource } from '../wire-player/scripted-channel.ts'

const [messageBytes, stateBytes] = [200, 1_000]

const answer = { actions: [] }

function seated() {
  const events: PlayerEvent[] = []
  const source = scriptedSource('on-send')
  const player = wirePlayer({
    wire: oneMoveWire(wire() as WirePlayerOptions['wire'], carriedState(stateBytes)),
    stateBytes,
    channels: source,
    limits: { startMs: 1_000, messageBytes, consoleBytes: 0 },
    emit: (event) => events.push(event),
  })
  let question = 0
  /** Asks a fresh process, which answers with these lines at once; returns what it was asked. */
  const ask = (...lines: readonly Json[]): Json => {
    player.ask(++question, { type: 'turn', protocol: 1 }, 100)
    const channel = source.opened.at(-1)!
    channel.speak('{"ready":true}\n')
    channel.speak(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    return JSON.parse(channel.lines[0]!) as Json
  }
  /** Asks a process that answers before it is ready. */
  const hasty = (): void => {
    player.ask(++question, { type: 'turn', protocol: 1 }, 100)
    source.opened.at(-1)!.speak(`${JSON.stringify({ ...answer, state: 'early' })}\n`)
  }
  return { ask, hasty, events, source }
}

const chars = (length: number): string => 'x'.repeat(length)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the state of the answer that counted goes to the next process', () => {
  const { ask } = seated()
  expect(ask({ ...answer, state: 1 }, { ...answer, state: 'of a second answer' })).toMatchObject({ state: null })
  expect(ask(answer)).toMatchObject({ state: 1 })
  expect(ask({ ...answer, state: chars(900) })).toMatchObject({ state: 1 })
  expect(ask(answer)).toMatchObject({ state: chars(900) })
})

test('a state that is too large is one fault, and the one before it is kept', () => {
  const { ask, events } = seated()
  ask({ ...answer, state: 'kept' })
  ask({ ...answer, state: chars(stateBytes - 1) })
  expect(events.at(-1)).toMatchObject({
    type: 'fault',
    to: 2,
    gone: false,
    fault: { kind: 'protocol', text: "The agent's state has 1001 bytes; 1000 are allowed." },
  })
  expect(ask(answer)).toMatchObject({ state: 'kept' })
})

test('an answer has no room that the state leaves free; both together have the sum', () => {
  const { ask, events } = seated()
  ask({ actions: [chars(180)], state: chars(980) })
  expect(events.at(-1)).toMatchObject({ type: 'answer', to: 1 })
  ask({ actions: [chars(250)] })
  expect(events.at(-1)).toMatchObject({
    to: 2,
    fault: { kind: 'invalid', text: 'The agent sent more than the 200 bytes that a message may have.' },
  })
  ask({ actions: [], state: chars(1_300) })
  expect(events.at(-1)).toMatchObject({ to: 3, fault: { kind: 'protocol' } })
})

test('all wires have one clock of whole ms that does not go back with the clock of the system', () => {
  const [one, other] = [wireHost(), wireHost()]
  const before = one.unixNow()
  vi.setSystemTime(1_700_000_000_000)
  const after = other.unixNow()
  expect(Number.isSafeInteger(after)).toBe(true)
  expect(after).toBeGreaterThanOrEqual(before)
})

test('a process that answers before it is ready costs that question, and is not started again and again', () => {
  const { ask, hasty, events, source } = seated()
  hasty()
  expect(events).toMatchObject([{ type: 'fault', to: 1, gone: false, fault: { kind: 'protocol' } }])
  expect(source.opened).toHaveLength(1)
  expect(ask(answer)).toMatchObject({ state: null })
  // One for each question, and one in advance.
  expect(source.opened).toHaveLength(3)
})
