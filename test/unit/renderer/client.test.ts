import { createBirpc, type BirpcReturn } from 'birpc'
import { describe, expect, test, vi } from 'vitest'
import type {
  ContestSummary,
  ProgramSide,
  CallReply,
  ScreenSide,
} from '../../../main/contract/procedures/procedures.ts'
import { LockedOut, type Channel } from '../../../renderer/connection/channel.ts'
import { CallFailure, createClient, type Client, type LinkState } from '../../../renderer/connection/client.ts'

/** The program's end of the connections that a client makes, one after the other. */
interface Program {
  readonly client: Client
  /** Lets the attempt under way succeed. */
  accept(): Promise<void>
  refuse(reason?: Error): Promise<void>
  /** Breaks the connection. */
  drop(): Promise<void>
  /** Ends the pause before the next attempt. */
  resume(): Promise<void>
  readonly screen: () => BirpcReturn<ScreenSide, ProgramSide>
  readonly pauses: number[]
  readonly states: LinkState[]
  readonly subscribed: string[]
  readonly refused: CallFailure[]
}

/** Microtasks only: nothing here takes time. */
async function settle(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve()
}

function program(answer: (name: string, input: unknown) => Promise<CallReply<unknown>>): Program {
  let coming: { resolve: (channel: Channel) => void; reject: (reason: Error) => void }
  let paused: () => void
  let drop: () => void
  let screen: BirpcReturn<ScreenSide, ProgramSide>
  const pauses: number[] = []
  const states: LinkState[] = []
  const subscribed: string[] = []
  const refused: CallFailure[] = []

  const client = createClient({
    connect: () => new Promise((resolve, reject) => (coming = { resolve, reject })),
    pause: (attempt) => {
      pauses.push(attempt)
      return new Promise((resolve) => (paused = resolve))
    },
    onRefused: (failure) => refused.push(failure),
  })
  client.onLink((state) => states.push(state))

  return {
    client,
    async accept() {
      let toScreen: (message: unknown) => void = () => undefined
      let toProgram: (message: unknown) => void = () => undefined
      screen = createBirpc<ScreenSide, ProgramSide>(
        {
          call: answer,
          async subscribe(topic) {
            subscribed.push(topic)
            if (topic === 'agents')
              return { ok: false, error: { code: 'forbidden', reason: 'sign-in-needed', message: 'Not for you.' } }
            return { ok: true, value: null }
          },
          async unsubscribe(topic) {
            subscribed.push(`-${topic}`)
            return { ok: true, value: null }
          },
        },
        {
          // The return value of birpc waits for the answer there; a real channel does not.
          post: (message) => {
            toScreen(structuredClone(message))
          },
          on: (listener) => void (toProgram = listener),
          eventNames: ['notify'],
        },
      )
      coming.resolve({
        options: {
          post: (message) => {
            toProgram(structuredClone(message))
          },
          on: (listener) => void (toScreen = listener),
        },
        closed: new Promise((resolve) => (drop = resolve)),
      })
      await settle()
    },
    async refuse(reason = new Error('no way')) {
      coming.reject(reason)
      await settle()
    },
    async drop() {
      drop()
      await settle()
    },
    async resume() {
      paused()
      await settle()
    },
    screen: () => screen,
    pauses,
    states,
    subscribed,
    refused,
  }
}

const gone = { name: 'CallFailure', code: 'disconnected' }

describe('calls', () => {
  test('wait for the first connection and bring the value', async () => {
    const side = program(async (name, input) => ({ ok: true, value: [name, input] }))
    const answer = side.client.call('agents.get', { name: 'baby' })
    await side.accept()
    expect(await answer).toEqual(['agents.get', { name: 'baby' }])
  })

  test('that the program refuses fail with its code and its words', async () => {
    const side = program(async () => ({
      ok: false,
      error: { code: 'refused', reason: 'agent-unknown', message: 'There is no such agent.' },
    }))
    await side.accept()
    const failure: unknown = await side.client.call('agents.get', { name: 'x' }).catch((reason: unknown) => reason)
    expect(failure).toBeInstanceOf(CallFailure)
    expect(failure).toMatchObject({ code: 'refused', message: 'There is no such agent.' })
  })

  test('fail when no connection can be had, and when it breaks before the answer', async () => {
    const side = program(() => new Promise(() => undefined))
    const early = expect(side.client.call('class.overview', {})).rejects.toMatchObject(gone)
    await side.refuse()
    await early
    await expect(side.client.call('class.overview', {})).rejects.toMatchObject(gone)
    await side.resume()
    await side.accept()
    const late = expect(side.client.call('class.overview', {})).rejects.toMatchObject(gone)
    await settle()
    await side.drop()
    await late
  })

  test('work again on the next connection', async () => {
    const side = program(async () => ({ ok: true, value: 7 }))
    await side.accept()
    await side.drop()
    await side.resume()
    await side.accept()
    expect(await side.client.call('class.overview', {})).toBe(7)
  })
})

describe('the connection', () => {
  test('is tried again after a pause, longer each time, and counted anew once it was up', async () => {
    const side = program(async () => ({ ok: true, value: null }))
    await side.refuse()
    await side.resume()
    await side.refuse()
    await side.resume()
    await side.accept()
    await side.drop()
    expect(side.pauses).toEqual([1, 2, 1])
    expect(side.states).toEqual(['connecting', 'lost', 'lost', 'up', 'lost'])
  })

  test('that the program does not know this browser any more is told, and tried again all the same', async () => {
    const side = program(async () => ({ ok: true, value: null }))
    await side.accept()
    await side.drop()
    await side.resume()
    await side.refuse(new LockedOut())
    await side.resume()
    await side.accept()
    expect(side.states).toEqual(['connecting', 'up', 'lost', 'locked', 'up'])
  })
})

describe('subscriptions', () => {
  const contest = { contest: 'sample-1' } as ContestSummary

  test('are made once for all listeners, and each hears what comes; a later one hears the newest at once', async () => {
    const side = program(async () => ({ ok: true, value: null }))
    await side.accept()
    const [first, second] = [vi.fn(), vi.fn()]
    side.client.subscribe('status', first)
    await settle()
    await side.screen().notify('status', [contest])
    await settle()
    side.client.subscribe('status', second)
    await settle()
    expect(side.subscribed).toEqual(['status'])
    expect(first.mock.calls).toEqual([[[contest]]])
    expect(second.mock.calls).toEqual([[[contest]]])
  })

  test('come back with the connection', async () => {
    const side = program(async () => ({ ok: true, value: null }))
    const listener = vi.fn()
    side.client.subscribe('contest:sample-1', listener)
    await side.accept()
    await side.drop()
    await side.resume()
    await side.accept()
    await side.screen().notify('contest:sample-1', 'new')
    await settle()
    expect(side.subscribed).toEqual(['contest:sample-1', 'contest:sample-1'])
    expect(listener.mock.calls).toEqual([['new']])
  })

  test('end with their last listener', async () => {
    const side = program(async () => ({ ok: true, value: null }))
    await side.accept()
    const listener = vi.fn()
    const [one, two] = [side.client.subscribe('status', listener), side.client.subscribe('status', vi.fn())]
    await settle()
    one()
    one()
    await side.screen().notify('status', [])
    await settle()
    expect(listener).not.toHaveBeenCalled()
    expect(side.subscribed).toEqual(['status'])
    two()
    await settle()
    expect(side.subscribed).toEqual(['status', '-status'])
  })

  test('that are refused are told', async () => {
    const side = program(async () => ({ ok: true, value: null }))
    await side.accept()
    side.client.subscribe('agents', vi.fn())
    await settle()
    expect(side.refused).toMatchObject([{ code: 'forbidden', message: 'Not for you.' }])
  })
})
