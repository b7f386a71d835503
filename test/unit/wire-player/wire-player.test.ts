import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PlayerEvent } from '../../../main/contract/players/player.ts'
import type { ChannelSource } from '../../../main/players/channels/channel.ts'
import { wirePlayer } from '../../../main/players/wire-player.ts'
import { lineWire, type LineWireOptions } from './line-wire.ts'
import { scriptedSource } from './scripted-channel.ts'

const limits = { startMs: 1_000, messageBytes: 100, consoleBytes: 10 }

function seat(reopens: ChannelSource['reopens'], wireOptions: LineWireOptions = {}) {
  const events: PlayerEvent[] = []
  const source = scriptedSource(reopens)
  const wire = lineWire(wireOptions)
  const player = wirePlayer({ wire, channels: source, limits, emit: (event) => events.push(event) })
  const channel = (index = source.opened.length - 1) => source.opened[index]!
  return { events, source, wire, player, channel }
}

/** Events without what depends on the time. */
const plain = (events: readonly PlayerEvent[]): unknown[] =>
  events.map((event) => {
    if (event.type === 'answer') return ['answer', event.to, event.value]
    if (event.type === 'fault') return ['fault', event.fault.kind, event.to ?? null, event.gone]
    if (event.type === 'said') return ['said', event.value]
    return [event.type]
  })

/** The verdict on a question falls one turn of the loop after its time, a millisecond for these timers. */
const overtime = 101

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('one channel for the match', () => {
  test('asks, is answered, and measures from written to answered', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    player.ask(7, 'x', 100)
    expect(channel().lines).toEqual(['q x'])
    vi.advanceTimersByTime(40)
    channel().speak('a y\n')
    expect(events).toEqual([{ type: 'answer', to: 7, value: 'y', tookMs: 40 }])
    vi.advanceTimersByTime(1_000)
    expect(events).toHaveLength(1)
  })

  test('reads chunks split anywhere and joined', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    player.ask(1, 'x', 100)
    for (const byte of 'a one') channel().speak(byte)
    expect(events).toEqual([])
    channel().speak('\nsay two\nsay thr')
    channel().speak('ee\n')
    expect(plain(events)).toEqual([
      ['answer', 1, 'one'],
      ['said', 'two'],
      ['said', 'three'],
    ])
  })

  test('a time-out names its question, and the late answer is not given to the next one', async () => {
    const { player, channel, events, wire } = seat('never')
    await player.ready()
    player.ask(1, 'x', 100)
    vi.advanceTimersByTime(overtime)
    player.ask(2, 'y', 100)
    channel().speak('a first\na second\n')
    expect(plain(events)).toEqual([
      ['fault', 'timeout', 1, false],
      ['answer', 1, 'first'],
      ['answer', 2, 'second'],
    ])
    expect(wire.log).toContain('withdrawn 1')
    vi.advanceTimersByTime(1_000)
    expect(events).toHaveLength(3)
  })

  test('an answer that came in time is read before the verdict, however busy the host was', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    player.ask(1, 'x', 100)
    vi.advanceTimersToNextTimer()
    channel().speak('a y\n')
    vi.advanceTimersByTime(1_000)
    expect(plain(events)).toEqual([['answer', 1, 'y']])
  })

  test('a withdrawn question has no time-out; its answer keeps its number', async () => {
    const { player, channel, events, wire } = seat('never')
    await player.ready()
    player.ask(1, 'x', 100)
    player.withdraw(1)
    player.withdraw(1)
    vi.advanceTimersByTime(1_000)
    player.ask(2, 'y', 100)
    channel().speak('a first\n')
    expect(plain(events)).toEqual([['answer', 1, 'first']])
    expect(wire.log.filter((line) => line.startsWith('withdrawn'))).toEqual(['withdrawn 1'])
  })

  test('an answer that is early or doubled is said, not kept for a later question', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    channel().speak('a early\n')
    player.ask(1, 'x', 100)
    channel().speak('a good\na double\n')
    player.ask(2, 'y', 100)
    vi.advanceTimersByTime(overtime)
    expect(plain(events)).toEqual([
      ['said', 'early'],
      ['answer', 1, 'good'],
      ['said', 'double'],
      ['fault', 'timeout', 2, false],
    ])
  })

  test('numbered answers go by number, in any order; an unknown number is said', async () => {
    const { player, channel, events } = seat('never', { numbered: true })
    await player.ready()
    player.ask(11, 'x', 100)
    vi.advanceTimersByTime(overtime)
    player.ask(12, 'y', 100)
    channel().speak('a 12 now\na 11 late\na 12 again\na 99 never\n')
    expect(plain(events)).toEqual([
      ['fault', 'timeout', 11, false],
      ['answer', 12, 'now'],
      ['answer', 11, 'late'],
      ['said', 'again'],
      ['said', 'never'],
    ])
  })

  test('the greeting has a budget of its own and eats no question', async () => {
    const { player, channel, events } = seat('never', { greets: true })
    let ready = false
    const started = player.ready().then(() => void (ready = true))
    vi.advanceTimersByTime(999)
    await Promise.resolve()
    expect(ready).toBe(false)
    channel().speak('hello\n')
    await started
    player.ask(1, 'x', 100)
    vi.advanceTimersByTime(99)
    channel().speak('a y\n')
    expect(plain(events)).toEqual([['answer', 1, 'y']])
  })

  test('an agent that does not greet is gone, before ready resolves', async () => {
    const { player, channel, events } = seat('never', { greets: true })
    const started = player.ready()
    vi.advanceTimersByTime(1_000 + overtime)
    expect(plain(events)).toEqual([['fault', 'timeout', null, true]])
    await started
    expect(channel().closed).toBe(true)
    player.ask(5, 'x', 100)
    expect(plain(events).at(-1)).toEqual(['fault', 'timeout', 5, true])
  })

  test('its end is a crash that answers the open question and carries stderr', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    player.ask(1, 'x', 100)
    channel().print('bo')
    channel().print('om')
    channel().end({ text: 'ended by itself with exit code 3.' })
    expect(plain(events)).toEqual([['fault', 'crash', 1, true]])
    expect(events[0]).toMatchObject({ fault: { text: 'The agent ended by itself with exit code 3.', stderr: 'boom' } })
    channel().speak('a y\n')
    vi.advanceTimersByTime(1_000)
    expect(events).toHaveLength(1)
  })

  test('a program that exits as if all were done is told to go on', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    player.ask(1, 'x', 100)
    channel().end({ text: 'ended by itself with exit code 0.', code: 0 })
    expect(JSON.stringify(events[0])).toMatch(/exit code 0\. It must read and answer messages until the match is over/)
  })

  test('half a message at the end is told as such', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    player.ask(1, 'x', 100)
    channel().speak('a half')
    channel().end({ text: 'closed its output.' })
    expect(plain(events)).toEqual([['fault', 'protocol', 1, true]])
    expect(events[0]).toMatchObject({ fault: { text: 'It ended within a line.' } })
  })

  test('garbage is a fault that does not answer the question, unless the wire gives up', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    player.ask(1, 'x', 100)
    channel().speak('\u0000\u00ff\n')
    expect(plain(events)).toEqual([['fault', 'protocol', null, false]])
    channel().speak('die\na y\n')
    expect(plain(events).slice(1)).toEqual([['fault', 'protocol', 1, true]])
    expect(channel().closed).toBe(true)
  })

  test('what no history could hold is invalid, whether asked for or not', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    player.ask(1, 'x', 100)
    channel().speak('odd say\nodd a\n')
    expect(plain(events)).toEqual([
      ['fault', 'invalid', null, false],
      ['fault', 'invalid', 1, false],
    ])
    vi.advanceTimersByTime(1_000)
    expect(events).toHaveLength(2)
  })

  test('a message without end is cut off at messageBytes, many short ones are not', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    for (let i = 0; i < 50; i++) channel().speak('ping 12345678\n')
    expect(channel().lines).toHaveLength(50)
    for (let i = 0; i < 100; i++) channel().speak('x')
    expect(events).toEqual([])
    channel().speak('x')
    expect(plain(events)).toEqual([['fault', 'protocol', null, true]])
    expect(channel().closed).toBe(true)
  })

  test('an agent that stops reading is given up', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    channel().stuffed = 100_000_000
    player.tell('x')
    expect(plain(events)).toEqual([['fault', 'protocol', null, true]])
  })

  test('a mistake in the wire is our fault, not the agent’s', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    channel().speak('throw\n')
    expect(plain(events)).toEqual([['fault', 'host', null, true]])
  })

  test('a farewell by the wire is not a fault; a question that it leaves open is', async () => {
    const polite = seat('never')
    await polite.player.ready()
    polite.channel().speak('bye\n')
    expect(polite.events).toEqual([])
    const rude = seat('never')
    await rude.player.ready()
    rude.player.ask(1, 'x', 100)
    rude.channel().speak('bye\n')
    expect(plain(rude.events)).toEqual([['fault', 'protocol', 1, true]])
  })

  test('console lines are kept up to the limit', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    channel().speak('print 123456\nprint 123456\nprint 123456\n')
    expect(events).toEqual([
      { type: 'console', text: '123456' },
      { type: 'console', text: '1234\n[the rest of the console was dropped]\n' },
    ])
  })

  test('what is printed stays with its move: before the answer, or with the fault', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    player.ask(1, 'x', 100)
    channel().print('first\n')
    channel().speak('a y\n')
    player.ask(2, 'x', 100)
    channel().print('second\n')
    vi.advanceTimersByTime(overtime)
    player.ask(3, 'x', 100)
    channel().print('third\n')
    player.close()
    expect(events).toMatchObject([
      { type: 'console', text: 'first\n' },
      { type: 'answer', to: 1 },
      { type: 'fault', to: 2, fault: { kind: 'timeout', stderr: 'second\n' } },
      { type: 'console', text: 'thir\n[the rest of the console was dropped]\n' },
    ])
  })

  test('a fault of whoever watches its process goes before the crash that it looks like', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    player.ask(1, 'x', 100)
    channel().end({ text: 'was stopped.', fault: { kind: 'memory', text: 'Too much.' } })
    expect(events).toMatchObject([{ to: 1, fault: { kind: 'memory', text: 'Too much.' }, gone: true }])
  })

  test('one that was killed from outside has no fault: the match does not count', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    player.ask(1, 'x', 100)
    channel().end({ text: 'was killed by SIGKILL.', interrupted: 'Somebody killed it.' })
    expect(events).toEqual([{ type: 'interrupted', reason: 'Somebody killed it.' }])
  })

  test('what uses up our stack is the agent who sent it, not the host', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    player.ask(1, 'x', 100)
    channel().speak('deep\n')
    expect(events).toMatchObject([{ to: 1, fault: { kind: 'protocol' }, gone: true }])
  })

  test('one that sends rubbish without end is gone after a hundred lines', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    channel().speak('rubbish\n'.repeat(1_000))
    expect(events).toHaveLength(101)
    expect(events.at(-1)).toMatchObject({ fault: { kind: 'protocol' }, gone: true })
    expect(channel().closed).toBe(true)
  })

  test('after close nothing is emitted', async () => {
    const { player, channel, events } = seat('never')
    await player.ready()
    player.ask(1, 'x', 100)
    player.close()
    player.close()
    channel().speak('a y\n')
    channel().end()
    player.ask(2, 'x', 100)
    player.tell('x')
    vi.advanceTimersByTime(1_000)
    expect(events).toEqual([])
    expect(channel().closed).toBe(true)
    await player.ready()
  })
})

describe('a process a move', () => {
  const move = { greets: true, processAMove: true }

  test('each question has a fresh process, and its clock begins when the greeting is through', async () => {
    const { player, source, channel, events } = seat('on-send', move)
    await player.ready()
    expect(source.opened).toHaveLength(0)
    player.ask(1, 'x', 100)
    vi.advanceTimersByTime(900)
    channel().speak('hello\n')
    expect(channel().lines).toEqual(['q x'])
    vi.advanceTimersByTime(90)
    channel().speak('a y\n')
    expect(events).toEqual([{ type: 'answer', to: 1, value: 'y', tookMs: 90 }])
    expect(channel(0).closed).toBe(true)
    // The next one has been started in advance.
    expect(source.opened).toHaveLength(2)
    player.ask(2, 'x', 100)
    expect(source.opened).toHaveLength(2)
    channel().speak('hello\na z\n')
    expect(plain(events).at(-1)).toEqual(['answer', 2, 'z'])
  })

  test('one that is too slow is ended; what it still says reaches nobody', async () => {
    const { player, source, channel, events } = seat('on-send', move)
    await player.ready()
    player.ask(1, 'x', 100)
    channel().speak('hello\n')
    vi.advanceTimersByTime(overtime)
    expect(channel(0).closed).toBe(true)
    player.ask(2, 'x', 100)
    channel(0).speak('a old\n')
    channel(1).speak('hello\na new\n')
    expect(plain(events)).toEqual([
      ['fault', 'timeout', 1, false],
      ['answer', 2, 'new'],
    ])
    // The third waits for a question.
    expect(source.opened).toHaveLength(3)
  })

  test('one that answers what nobody asked has no successor before there is a question', async () => {
    const { player, source, channel, events } = seat('on-send', move)
    await player.ready()
    player.ask(1, 'x', 100)
    channel().speak('hello\na y\n')
    expect(source.opened).toHaveLength(2)
    channel(1).speak('hello\na unasked\n')
    expect(plain(events).at(-1)).toEqual(['said', 'unasked'])
    expect(source.opened).toHaveLength(2)
    player.ask(2, 'x', 100)
    expect(source.opened).toHaveLength(3)
    channel(2).speak('hello\na z\n')
    expect(plain(events).at(-1)).toEqual(['answer', 2, 'z'])
  })

  test('one that ends unanswered, or does not greet, costs that question only', async () => {
    const { player, channel, events } = seat('on-send', move)
    await player.ready()
    player.ask(1, 'x', 100)
    channel().speak('hello\n')
    channel().end()
    player.ask(2, 'x', 100)
    channel().end()
    player.ask(3, 'x', 100)
    vi.advanceTimersByTime(1_000 + overtime)
    player.ask(4, 'x', 100)
    channel().speak('hello\na y\n')
    expect(plain(events)).toEqual([
      ['fault', 'crash', 1, false],
      ['fault', 'crash', 2, false],
      ['fault', 'timeout', 3, false],
      ['answer', 4, 'y'],
    ])
  })
})

describe('an agent that drops and comes back', () => {
  test('is ready once it has come; a drop and a return are told', async () => {
    const { player, source, channel, events, wire } = seat('by-itself', { greets: true, numbered: true })
    const started = player.ready()
    source.connect()
    channel().speak('hello\n')
    await started
    player.ask(1, 'x', 100)
    channel().end({ text: 'closed its connection.' })
    source.connect()
    channel().speak('hello\n')
    expect(plain(events)).toEqual([['left'], ['joined']])
    expect(wire.log).toEqual(['joined', 'left', 'joined'])
    // Messages to the old connection are not written again; their answers may come by the new one.
    expect(channel().lines).toEqual([])
    channel().speak('a 1 y\n')
    expect(plain(events).at(-1)).toEqual(['answer', 1, 'y'])
  })

  test('an unnumbered answer by a new connection never answers a question of the old one', async () => {
    const { player, source, channel, events } = seat('by-itself')
    const started = player.ready()
    source.connect()
    await started
    player.ask(1, 'x', 100)
    channel().end()
    source.connect()
    channel().speak('a y\n')
    vi.advanceTimersByTime(overtime)
    expect(plain(events)).toEqual([['left'], ['joined'], ['said', 'y'], ['fault', 'timeout', 1, false]])
  })

  test('the clock of a question runs while it is away; come back in time, it is asked', async () => {
    const { player, source, channel, events } = seat('by-itself', { numbered: true })
    const started = player.ready()
    source.connect()
    await started
    channel().end()
    player.ask(1, 'x', 100)
    vi.advanceTimersByTime(overtime)
    player.ask(2, 'y', 100)
    vi.advanceTimersByTime(60)
    source.connect()
    expect(channel().lines).toEqual(['q 2 y'])
    vi.advanceTimersByTime(overtime - 60)
    expect(plain(events)).toEqual([
      ['left'],
      ['fault', 'timeout', 1, false],
      ['joined'],
      ['fault', 'timeout', 2, false],
    ])
  })

  test('what it was told while it was away it hears when it comes', async () => {
    const { player, source, channel, events } = seat('by-itself')
    const started = player.ready()
    vi.advanceTimersByTime(1_000 + overtime)
    await started
    player.tell('start')
    player.ask(1, 'x', 100)
    vi.advanceTimersByTime(overtime)
    player.tell('more')
    source.connect()
    expect(channel().lines).toEqual(['t start', 't more'])
    expect(plain(events)).toEqual([['fault', 'timeout', null, false], ['fault', 'timeout', 1, false], ['joined']])
  })

  test('a second connection takes the place of the first', async () => {
    const { player, source, channel, events } = seat('by-itself', { numbered: true })
    const started = player.ready()
    source.connect()
    await started
    player.ask(1, 'x', 100)
    source.connect()
    expect(channel(0).closed).toBe(true)
    channel(0).speak('a 1 old\n')
    channel(1).speak('a 1 new\n')
    expect(plain(events)).toEqual([['left'], ['joined'], ['answer', 1, 'new']])
  })

  test('one that never comes is told, and the match can begin', async () => {
    const { player, source, events } = seat('by-itself')
    const started = player.ready()
    vi.advanceTimersByTime(1_000 + overtime)
    await started
    source.connect()
    expect(plain(events)).toEqual([['fault', 'timeout', null, false], ['joined']])
  })

  test('a connection that does not greet is hung up, the next one is welcome', async () => {
    const { player, source, channel, events } = seat('by-itself', { greets: true })
    const started = player.ready()
    source.connect()
    vi.advanceTimersByTime(1_000 + overtime)
    await started
    expect(channel(0).closed).toBe(true)
    source.connect()
    channel().speak('hello\n')
    expect(plain(events)).toEqual([['fault', 'timeout', null, false], ['joined']])
  })
})
