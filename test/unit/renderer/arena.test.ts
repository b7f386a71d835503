import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { NETWORK } from '../../../main/contract/players/agents.ts'
import {
  arenaPlace,
  defaultArenaPlace,
  type ArenaNow,
  type ContestArena,
} from '../../../main/contract/players/arena.ts'
import { defaultPolicy } from '../../../main/contract/contests/policy.ts'
import type { ContestDetail, ContestState } from '../../../main/contract/procedures/procedures.ts'
import { call, subscribe } from '../../../renderer/connection/client.ts'
import { saveFile } from '../../../renderer/files.ts'
import { arenaForm, readArena } from '../../../renderer/screens/contests/arena/arena-form.ts'
import ArenaPanel from '../../../renderer/screens/contests/arena/arena-panel.svelte'
import Contest from '../../../renderer/screens/contests/contest/contest.svelte'
import NewContest from '../../../renderer/screens/contests/new/new-contest.svelte'
import { contestOf } from './contest-detail.ts'
import { standInForLayout } from './layout.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  subscribe: vi.fn(),
}))
vi.mock(import('../../../renderer/files.ts'), async (original) => ({ ...(await original()), saveFile: vi.fn() }))

type Answer = (input: Record<string, unknown>) => unknown
let calls: [string, unknown][]
/** The program's answers; other calls are never answered. */
let answers: Record<string, Answer>
const copied = vi.fn((text: string) => Promise.resolve(void text))

beforeEach(() => {
  standInForLayout()
  calls = []
  answers = { 'arena.hosts': () => ['10.0.0.5'] }
  vi.mocked(subscribe).mockReturnValue(() => undefined)
  vi.mocked(call as (name: string, input: Record<string, unknown>) => Promise<unknown>).mockImplementation(
    (name, input) => {
      calls.push([name, input])
      const answer = answers[name]
      return answer === undefined ? new Promise(() => undefined) : Promise.resolve(answer(input))
    },
  )
  vi.stubGlobal('navigator', { ...navigator, platform: 'Linux', clipboard: { writeText: copied } })
  copied.mockClear()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.resetAllMocks()
  location.hash = ''
})

const asked = (name: string): readonly unknown[] => calls.flatMap(([each, input]) => (each === name ? [input] : []))

describe('the fields of an arena', () => {
  test('are a place and come from one', () => {
    expect(readArena(arenaForm())).toEqual({ ok: true, place: defaultArenaPlace })
    const place = { host: '10.0.0.5', webSocket: 8_090, tcp: 8_091, native: 8_092, waitMs: 90_000 }
    expect(arenaForm(place)).toEqual({
      host: '10.0.0.5',
      port: 8_090,
      plain: true,
      plainPort: 8_091,
      native: true,
      nativePort: 8_092,
      waitMinutes: 1.5,
    })
    expect(readArena(arenaForm(place))).toEqual({ ok: true, place })
    expect(readArena({ ...arenaForm(), plain: true })).toEqual({ ok: true, place: { ...defaultArenaPlace, tcp: 0 } })
    expect(readArena({ ...arenaForm(), native: true })).toEqual({
      ok: true,
      place: { ...defaultArenaPlace, native: 0 },
    })
    // A port that is not used is not looked at.
    expect(readArena({ ...arenaForm(), plainPort: -1, nativePort: -1 })).toEqual({ ok: true, place: defaultArenaPlace })
  })

  test.each([
    [{ port: 65_536 }, ['arenaPort']],
    [{ port: 1.5 }, ['arenaPort']],
    [{ port: 0 }, ['arenaPort']],
    [{ plain: true, plainPort: -1 }, ['arenaPlainPort']],
    [{ port: 8_090, plain: true, plainPort: 8_090 }, ['arenaPlainPort']],
    [{ native: true, nativePort: -1 }, ['arenaNativePort']],
    [{ port: 8_090, native: true, nativePort: 8_090 }, ['arenaNativePort']],
    [{ plain: true, plainPort: 8_090, native: true, nativePort: 8_090 }, ['arenaNativePort']],
    [{ waitMinutes: null }, ['arenaWait']],
    [{ waitMinutes: 0.5 }, ['arenaWait']],
    [{ waitMinutes: 1_441 }, ['arenaWait']],
  ])('with %j are wrong, and that is said beside the field', (change, fields) => {
    const read = readArena({ ...arenaForm(), ...change })
    expect(read.ok ? [] : Object.keys(read.problems)).toEqual(fields)
  })

  test('never make a place that the program refuses', () => {
    for (const change of [
      {},
      { port: 65_535, plain: true, native: true },
      { waitMinutes: 1 },
      { waitMinutes: 1_440 },
    ]) {
      const read = readArena({ ...arenaForm(), ...change })
      expect(read.ok && arenaPlace.safeParse(read.place).success).toBe(true)
    }
  })
})

describe('a new contest', () => {
  const version = {
    agent: 'a'.repeat(64),
    team: 'baby',
    policies: null,
    active: ['010'],
    number: 1,
    submitted: '2026-01-01T00:00:00Z',
    smoke: { ok: true, text: 'Plays.' },
    trial: null,
  }
  const baby = { name: 'baby', game: 'specker', kind: 'script', school: null, versions: [version], faults: 0 }

  async function show(agents: readonly object[]): Promise<void> {
    answers = {
      ...answers,
      'agents.list': () => ({ items: agents, offset: 0, total: agents.length }),
      'isolation.tiers': () => [{ tier: 'bubblewrap', available: true, text: '', command: null }],
      'challenges.list': () => [
        { name: 'max-csp', title: 'MAX-CSP', text: '', own: false, problem: null, version: '' },
      ],
      'contests.estimate': () => ({ matches: 1, ms: null }),
      'contests.unfit': () => [],
      'contests.create': () => ({ contest: 'week-1' }),
      'contests.start': () => null,
    }
    render(NewContest, {})
    await screen.findByText(agents.length === 0 ? 'No agent yet' : 'Agents of other machines')
  }
  const names = (): HTMLTextAreaElement => screen.getByLabelText('Their names')
  const type = (text: string): Promise<boolean> =>
    fireEvent.input(names(), { target: { value: text } }) as unknown as Promise<boolean>

  test('takes agents by their names, and asks where they connect: on this machine alone, unless one says otherwise', async () => {
    await show([baby])
    expect(screen.queryByLabelText('Who can connect')).toBeNull()
    await type(' anna \n\nbob\n')
    const host = screen.getByLabelText<HTMLSelectElement>('Who can connect')
    expect(host.value).toBe('127.0.0.1')
    expect(screen.getByText(/Only programs on this machine can connect/)).toBeTruthy()
    await screen.findByRole('option', { name: 'Other machines, at 10.0.0.5' })
    await fireEvent.change(host, { target: { value: '10.0.0.5' } })
    expect(screen.getByText(/Anyone who can reach 10\.0\.0\.5 can try to connect\..*not\s+encrypted/)).toBeTruthy()
    await fireEvent.input(screen.getByLabelText('Port'), { target: { value: '8090' } })
    expect(screen.queryByLabelText('Port for plain TCP')).toBeNull()
    await fireEvent.click(screen.getByLabelText(/^Also open it to plain TCP/))
    expect(screen.getByLabelText('Port for plain TCP')).toBeTruthy()

    await fireEvent.input(screen.getByLabelText('Title'), { target: { value: 'Week 1' } })
    await fireEvent.submit(screen.getByRole('button', { name: 'Create and run' }).closest('form')!)
    await waitFor(() => expect(location.hash).toBe('#/contests/week-1'))
    expect(asked('contests.create')).toMatchObject([
      {
        draft: {
          entrants: [
            { name: 'baby', agent: version.agent },
            { name: 'anna', agent: NETWORK },
            { name: 'bob', agent: NETWORK },
          ],
        },
        arena: { host: '10.0.0.5', webSocket: 8_090, tcp: 0, waitMs: 600_000 },
      },
    ])
    expect(asked('contests.start')).toEqual([{ contest: 'week-1' }])
  })

  test('says beside the field what is wrong with a name, and makes nothing', async () => {
    await show([baby])
    await fireEvent.input(screen.getByLabelText('Title'), { target: { value: 'Week 1' } })
    for (const [text, says] of [
      [
        'anna\nan\u202ena',
        "The name “an‹U+202E›na” is not allowed: a name has letters, digits, spaces and the signs ' . _ -, not U+202E.",
      ],
      ['anna\nanna', '“anna” is listed twice.'],
      ['baby', '“baby” is already the name of a chosen agent; each name must be unique.'],
    ] as const) {
      await type(text)
      expect(screen.getByText(says)).toBeTruthy()
      expect(names().getAttribute('aria-invalid')).toBe('true')
    }
    await fireEvent.submit(screen.getByRole('button', { name: 'Create and run' }).closest('form')!)
    expect(asked('contests.create')).toEqual([])
  })

  test('can do without any agent of the class', async () => {
    await show([])
    await fireEvent.click(screen.getByRole('button', { name: 'All connect from other machines' }))
    expect(names().closest('details')!.open).toBe(true)
    await type('anna\nbob')
    await fireEvent.input(screen.getByLabelText('Title'), { target: { value: 'Elsewhere' } })
    await fireEvent.submit(screen.getByRole('button', { name: 'Create and run' }).closest('form')!)
    await waitFor(() => expect(asked('contests.create')).toHaveLength(1))
    expect(asked('contests.create')).toMatchObject([{ draft: { entrants: [{ name: 'anna' }, { name: 'bob' }] } }])
  })
})

const now: ArenaNow = {
  addresses: ['ws://127.0.0.1:8090', 'tcp://127.0.0.1:8091'],
  posts: [
    { entrant: 'anna', line: 0, state: 'here' },
    { entrant: 'bob', line: 0, state: 'awaited' },
    { entrant: 'bob', line: 1, state: 'gone' },
  ],
  total: 3,
  here: 1,
  msLeft: 90_000,
  untold: true,
}
const told = {
  addresses: now.addresses,
  credentials: now.posts.map(({ entrant, line }) => ({ entrant, line, credential: `${entrant}-${line}-secret` })),
}

describe('the panel of an arena', () => {
  const rows = (): (string | null)[] =>
    within(screen.getByRole('list', { name: 'Agents of other machines' }))
      .getAllByRole('listitem')
      .map((row) => row.textContent.replace(/\s+/g, ' ').trim())

  test('says where it is, who is here and who is missing, and how long it waits', () => {
    render(ArenaPanel, { contest: 'week-1', now, state: 'gathering' })
    const panel = screen.getByTestId<HTMLDetailsElement>('arena')
    expect(panel.open).toBe(true)
    expect(panel.textContent).toMatch(/1 of 3 agents here/)
    expect(screen.getByRole('timer').textContent).toMatch(/waits for 1 min 30 s at most/)
    expect(rows()).toEqual(['anna here', 'bob not here yet', 'bob (post 1) has gone'])
    expect(panel.textContent).toContain('npx tartaglia agent connect ws://127.0.0.1:8090 --credential FILE -- PROGRAM')
    expect(panel.textContent).toContain('tcp://127.0.0.1:8091')
    // Nobody has asked for them.
    expect(asked('contests.credentials')).toEqual([])
  })

  test('shows credentials when somebody asks, once: to be copied one by one, or saved as the command line writes them', async () => {
    answers['contests.credentials'] = () => told
    const { rerender } = render(ArenaPanel, { contest: 'week-1', now, state: 'gathering' })
    await fireEvent.click(screen.getByRole('button', { name: 'Show the credentials' }))
    await screen.findByText('anna-0-secret')
    expect(asked('contests.credentials')).toEqual([{ contest: 'week-1' }])
    await rerender({ now: { ...now, untold: false } })
    expect(screen.queryByRole('button', { name: 'Show the credentials' })).toBeNull()
    expect(rows()[2]).toContain('bob-1-secret')
    await fireEvent.click(screen.getByRole('button', { name: 'Copy the credential of bob (post 1)' }))
    expect(copied.mock.calls).toEqual([['bob-1-secret']])
    await fireEvent.click(screen.getByRole('button', { name: 'Save as file' }))
    expect(vi.mocked(saveFile).mock.calls).toEqual([['week-1-credentials.json', `${JSON.stringify(told)}\n`]])
  })

  test('says where the game’s own clients connect, and how they say who they are', async () => {
    const native = { address: 'ws://127.0.0.1:8092', guide: 'Its --id is the credential.' }
    render(ArenaPanel, { contest: 'week-1', now: { ...now, native }, state: 'gathering' })
    expect(screen.getByTestId('arena').textContent).toContain(native.guide)
    await fireEvent.click(screen.getByRole('button', { name: `Copy ${native.address}` }))
    expect(copied.mock.calls).toEqual([[native.address]])
  })

  test('another screen learns that they have been shown, and what to do', () => {
    render(ArenaPanel, { contest: 'week-1', now: { ...now, untold: false }, state: 'gathering' })
    expect(screen.queryByRole('button', { name: 'Show the credentials' })).toBeNull()
    expect(screen.getByText(/The credentials have been shown\. For new ones stop waiting/)).toBeTruthy()
  })

  test('makes room for the standings when everybody has come, and keeps what it was told', async () => {
    answers['contests.credentials'] = () => told
    const { rerender } = render(ArenaPanel, { contest: 'week-1', now, state: 'gathering' })
    await fireEvent.click(screen.getByRole('button', { name: 'Show the credentials' }))
    await screen.findByText('anna-0-secret')
    await rerender({ state: 'running', now: { ...now, msLeft: null, here: 3, untold: false } })
    const panel = screen.getByTestId<HTMLDetailsElement>('arena')
    await waitFor(() => expect(panel.open).toBe(false))
    expect(screen.queryByRole('timer')).toBeNull()
    expect(panel.textContent).toMatch(/3 of 3 agents here/)
    expect(screen.getByText('anna-0-secret')).toBeTruthy()
  })
})

describe('the screen of a contest', () => {
  const detail = (state: ContestState, arena: ContestArena | null): ContestDetail =>
    contestOf({
      summary: { contest: 'week-1', game: 'haggle', state, entrants: 2, progress: { done: 0, total: 1, msLeft: null } },
      draft: {
        game: 'haggle',
        isolation: 'bubblewrap',
        policy: defaultPolicy,
        entrants: ['anna', 'bob'].map((name) => ({ name, agent: NETWORK })),
      },
      renamed: [],
      arena,
      isolation: null,
      standings: [],
    })
  async function show(shown: ContestDetail): Promise<void> {
    answers = {
      ...answers,
      'contests.get': () => shown,
      'contests.start': () => null,
      'contests.pause': () => null,
    }
    render(Contest, { contest: 'week-1' })
    await screen.findByRole('heading', { name: 'Week 1' })
  }

  test('that can be run says where agents will connect, and runs with what stands there', async () => {
    await show(detail('open', { place: { ...defaultArenaPlace, webSocket: 8_090 }, now: null }))
    const port = await screen.findByLabelText<HTMLInputElement>('Port')
    expect(port.value).toBe('8090')
    await fireEvent.input(port, { target: { value: '70000' } })
    await fireEvent.click(screen.getByRole('button', { name: 'Run' }))
    expect(asked('contests.start')).toEqual([])
    expect(screen.getByText(/^A port is a whole number/)).toBeTruthy()
    await fireEvent.input(port, { target: { value: '8091' } })
    await fireEvent.click(screen.getByRole('button', { name: 'Run' }))
    expect(asked('contests.start')).toEqual([{ contest: 'week-1', arena: { ...defaultArenaPlace, webSocket: 8_091 } }])
  })

  test('is opened to the game’s own clients where somebody says so', async () => {
    await show(detail('open', { place: defaultArenaPlace, now: null }))
    await fireEvent.click(await screen.findByLabelText(/^Also open it to the game’s own clients/))
    await fireEvent.input(screen.getByLabelText('Port for the game’s own clients'), { target: { value: '8092' } })
    await fireEvent.click(screen.getByRole('button', { name: 'Run' }))
    expect(asked('contests.start')).toEqual([{ contest: 'week-1', arena: { ...defaultArenaPlace, native: 8_092 } }])
  })

  test('that waits has its arena, and a way to stop waiting', async () => {
    await show(detail('gathering', { place: defaultArenaPlace, now }))
    expect(screen.getByTestId('status').textContent).toContain('Waiting for agents')
    expect(screen.getByTestId('arena')).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'Stop waiting' }))
    expect(asked('contests.pause')).toEqual([{ contest: 'week-1' }])
  })

  test('to which nobody connects has none of this', async () => {
    await show(detail('open', null))
    expect(screen.queryByTestId('arena')).toBeNull()
    expect(screen.queryByLabelText('Port')).toBeNull()
    await fireEvent.click(screen.getByRole('button', { name: 'Run' }))
    expect(asked('contests.start')).toEqual([{ contest: 'week-1' }])
  })
})
