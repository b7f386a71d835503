import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { defaultPolicy } from '../../../main/contract/contests/policy.ts'
import { procedures, type AgentSummary } from '../../../main/contract/procedures/procedures.ts'
import { call, CallFailure, subscribe } from '../../../renderer/connection/client.ts'
import { uploadPackage } from '../../../renderer/connection/upload.ts'
import HandIn from '../../../renderer/screens/agents/hand-in.svelte'
import {
  belongingOf,
  inShort,
  meaningOf,
  noDeclaredFields,
  problemOf,
  type DeclaredFields,
} from '../../../renderer/screens/agents/declared-fields.ts'
import NewContest from '../../../renderer/screens/contests/new/new-contest.svelte'
import PolicyChoice from '../../../renderer/screens/contests/new/policy-choice.svelte'
import NewPlay from '../../../renderer/screens/play/new-play.svelte'

vi.mock(import('../../../renderer/connection/upload.ts'), async (original) => ({
  ...(await original()),
  uploadPackage: vi.fn(),
}))
vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  subscribe: vi.fn(),
}))

/** The program's answers. */
let agent: AgentSummary & { readonly note: string | null }
let classAgents: readonly AgentSummary[]
beforeEach(() => {
  const version = {
    agent: 'a'.repeat(64),
    team: 'walker',
    policies: null,
    active: [],
    number: 1,
    submitted: '2026-11-20T20:00:00.000Z',
    smoke: { ok: true, text: 'It played its match.' },
    trial: null,
  }
  agent = { name: 'walker', game: 'specker', kind: 'script', school: null, versions: [version], faults: 0, note: null }
  classAgents = []
  vi.mocked(uploadPackage).mockImplementation(({ name }) => ({
    taken: Promise.resolve(name),
    stop: () => undefined,
  }))
  vi.mocked(call as (name: string, input: { file?: string }) => Promise<unknown>).mockImplementation(
    async (name, { file: fileName = '' }) => {
      if (name === 'agents.list') return { items: classAgents, offset: 0, total: classAgents.length }
      if (name !== 'agents.look') return agent
      if (fileName.endsWith('.py')) throw new CallFailure({ code: 'refused', message: 'It is Python.' })
      return { name: fileName.replace(/\..*/, ''), agent: null, same: [] }
    },
  )
  vi.mocked(subscribe).mockReturnValue(() => undefined)
})
afterEach(() => {
  cleanup()
  vi.resetAllMocks()
})

async function give(...names: readonly string[]): Promise<void> {
  const input = screen.getByLabelText<HTMLInputElement>('Hand in an agent')
  await fireEvent.change(input, { target: { files: names.map((name) => new File(['x'], name)) } })
}
async function drop(name = 'walker.js'): Promise<HTMLElement> {
  await give(name)
  await fireEvent.click(await screen.findByRole('button', { name: 'Hand in' }))
  return screen.findByRole('list', { name: 'Just handed in' })
}
/** The submitted files, as the program would read them. */
const submitted = () =>
  vi
    .mocked(call)
    .mock.calls.filter(([name]) => name === 'agents.submit')
    .map(([, input]) => procedures['agents.submit'].input.parse(input))
const team = (): HTMLInputElement => screen.getByLabelText('Team')
const choose = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

describe('the game', () => {
  test.each([
    ['haggle', 'haggle'],
    ['chess', 'specker'],
    [undefined, 'specker'],
  ])('asked for %s, the screen begins with %s', async (game, chosen) => {
    render(HandIn, { onentries: () => undefined, game })
    expect(screen.getByLabelText<HTMLSelectElement>('Game').value).toBe(chosen)
    await drop()
    await waitFor(() => expect(submitted()).toMatchObject([{ game: chosen }]))
  })
})

describe('a person who has no agent for a game is led to where one is handed in for it', () => {
  const answers: Readonly<Record<string, unknown>> = {
    'play.opponents': [],
    'challenges.list': [],
    'isolation.tiers': [],
    'contests.unfit': [],
    'arena.hosts': [],
  }
  beforeEach(() => {
    vi.mocked(call as (name: string) => Promise<unknown>).mockImplementation(async (name) =>
      name === 'agents.list' ? { items: [agent], offset: 0, total: 1 } : answers[name],
    )
  })

  test('from a play', async () => {
    render(NewPlay, { game: 'haggle' })
    const link = await screen.findByRole('link', { name: 'Hand in an agent' })
    expect(link.getAttribute('href')).toBe('#/agents?game=haggle')
  })

  test('from a new contest', async () => {
    render(NewContest)
    await fireEvent.change(await screen.findByLabelText('Game'), { target: { value: 'haggle' } })
    const link = await screen.findByRole('link', { name: 'Hand one in' })
    expect(link.getAttribute('href')).toBe('#/agents?game=haggle')
  })

  test('and what was filled in of it is still there when one comes back', async () => {
    render(NewContest)
    await fireEvent.input(await screen.findByLabelText('Title'), { target: { value: 'Week 7' } })
    cleanup()
    render(NewContest)
    expect(await screen.findByLabelText('Title')).toHaveProperty('value', 'Week 7')
  })
})

describe('files', () => {
  const nameOf = (path: string): HTMLInputElement => screen.getByLabelText(`Name for ${path}`)

  test('are agents of their own, under names that can be changed; invalid ones are reported at once', async () => {
    render(HandIn, { onentries: () => undefined })
    await give('bot.js', 'bot.js', 'bot.py')
    await waitFor(() => expect(screen.getAllByLabelText('Name for bot.js')).toHaveLength(2))
    expect(within(screen.getByRole('list', { name: 'Just handed in' })).getByText('It is Python.')).toBeTruthy()
    expect(submitted()).toEqual([])
    const [first, second] = screen.getAllByLabelText<HTMLInputElement>('Name for bot.js')
    expect([first!.value, second!.value]).toEqual(['bot', 'bot 2'])
    await fireEvent.input(first!, { target: { value: 'Zoë' } })
    await fireEvent.click(screen.getByRole('button', { name: 'Hand in 2 files' }))
    await waitFor(() =>
      expect(submitted().map(({ becomes }) => becomes)).toEqual([
        { what: 'agent', name: 'Zoë' },
        { what: 'agent', name: 'bot 2' },
      ]),
    )
    expect(screen.queryByRole('form', { name: 'Files to hand in' })).toBeNull()
  })

  test('that have the name of every kit wait for one, and two of them never become one agent', async () => {
    classAgents = [{ ...agent, name: 'agent' }]
    render(HandIn, { onentries: () => undefined })
    await give('agent.cjs', 'walker.js')
    await fireEvent.click(await screen.findByRole('button', { name: 'Hand in 1 of 2' }))
    await waitFor(() => expect(submitted()).toMatchObject([{ becomes: { what: 'agent', name: 'walker' } }]))
    expect(nameOf('agent.cjs').value).toBe('')
    expect(screen.queryByRole('checkbox', { name: /A new version/ })).toBeNull()
    await fireEvent.input(nameOf('agent.cjs'), { target: { value: 'anna' } })
    await fireEvent.click(screen.getByRole('button', { name: 'Hand in' }))
    await waitFor(() => expect(submitted()[1]).toMatchObject({ becomes: { what: 'agent', name: 'anna' } }))
  })

  test('of names that agents have wait until they are said to be new versions', async () => {
    classAgents = ['anna', 'bert'].map((name) => ({ ...agent, name }))
    render(HandIn, { onentries: () => undefined })
    await give('anna.js', 'bert.js', 'cleo.js')
    await fireEvent.click(await screen.findByRole('button', { name: 'Hand in 1 of 3' }))
    await waitFor(() => expect(submitted()).toMatchObject([{ becomes: { what: 'agent', name: 'cleo' } }]))
    expect(nameOf('anna.js').value).toBe('anna')
    await fireEvent.click(await screen.findByRole('checkbox', { name: 'A new version of anna' }))
    await fireEvent.click(screen.getByRole('button', { name: 'Hand in 1 of 2' }))
    await waitFor(() => expect(submitted()[1]).toMatchObject({ becomes: { what: 'version', of: 'anna' } }))
    await fireEvent.input(nameOf('bert.js'), { target: { value: 'bert/2' } })
    expect(nameOf('bert.js').getAttribute('aria-invalid')).toBe('true')
    await fireEvent.click(screen.getByRole('button', { name: 'Leave out bert.js' }))
    expect(submitted()).toHaveLength(2)
  })

  test('of which all are known can be made versions in one go', async () => {
    classAgents = ['anna', 'bert'].map((name) => ({ ...agent, name }))
    render(HandIn, { onentries: () => undefined })
    await give('anna.js', 'bert.js')
    await fireEvent.click(await screen.findByRole('button', { name: 'All 2 with known names are new versions' }))
    await fireEvent.click(screen.getByRole('button', { name: 'Hand in 2 files' }))
    const versions = ['anna', 'bert'].map((of) => ({ becomes: { what: 'version', of } }))
    await waitFor(() => expect(submitted()).toMatchObject(versions))
  })
})

test('a build that fails is refused with the whole of its log', async () => {
  const log = Array.from({ length: 400 }, (_, line) => `error in line ${line}`).join('\n')
  vi.mocked(call).mockImplementation(async (name) => {
    if (name === 'agents.list') return { items: [], offset: 0, total: 0 } as never
    throw new CallFailure({ code: 'refused', message: 'Its build failed.', details: log })
  })
  render(HandIn, { onentries: () => undefined })
  await give('walker.zip')
  const list = await screen.findByRole('list', { name: 'Just handed in' })
  const shown = within(list).getByText('The log of its build').closest('details')!
  expect(shown.querySelector('pre')!.textContent).toBe(log)
})

describe('team and policies', () => {
  test('are closed at first, and nothing is said of them', async () => {
    render(HandIn, { onentries: () => undefined })
    expect(screen.getByText('Team and policies').closest('details')?.open).toBe(false)
    await drop()
    await waitFor(() => expect(submitted()).toMatchObject([{ belonging: {} }]))
    expect(Object.keys(submitted()[0]!.belonging)).toEqual([])
  })

  test('that are chosen hold for all files that follow, and can be read when they are closed again', async () => {
    render(HandIn, { onentries: () => undefined })
    await fireEvent.input(team(), { target: { value: ' Scuderia ' } })
    await choose('The administrator', '0')
    await choose('Other agents’ decisions', '1')
    expect(screen.getByText(/^Meant for/).textContent).toBe(
      "Meant for contests in which agents may attack other agents' decisions and must not attack the administrator.",
    )
    expect(
      screen
        .getByText(
          "Scuderia, for contests in which agents may attack other agents' decisions and must not attack the administrator",
        )
        .closest('summary'),
    ).not.toBeNull()
    await drop('one.js')
    await drop('two.js')
    const belonging = { team: 'Scuderia', policies: ['01*'] }
    await waitFor(() => expect(submitted()).toMatchObject([{ belonging }, { belonging }]))
  })

  test('with a name that no team can have nothing is handed in', async () => {
    render(HandIn, { onentries: () => undefined })
    await fireEvent.input(team(), { target: { value: '<b>' } })
    expect(team().getAttribute('aria-invalid')).toBe('true')
    const list = await drop()
    await waitFor(() => expect(within(list).getByText('Rejected')).toBeTruthy())
    expect(within(list).getByText(/^This team name is not allowed: a name has letters/)).toBeTruthy()
    expect(submitted()).toEqual([])
  })

  test('that the agent.json has of its own are the ones that are told', async () => {
    agent = { ...agent, versions: [{ ...agent.versions[0]!, team: 'Ferrari', policies: ['1**'] }] }
    render(HandIn, { onentries: () => undefined })
    await fireEvent.input(team(), { target: { value: 'Scuderia' } })
    const list = await drop()
    await waitFor(() =>
      expect(
        within(list).getByText('team Ferrari, for contests in which agents may attack the administrator'),
      ).toBeTruthy(),
    )
  })

  test('are called by the same words as a contest’s own policy', () => {
    render(HandIn, { onentries: () => undefined })
    const names = ['The administrator', 'Other agents’ decisions', 'The implementation of other agents']
    for (const name of names) expect(screen.getByLabelText(name)).toHaveProperty('tagName', 'SELECT')
    cleanup()
    render(PolicyChoice, { policy: defaultPolicy })
    const boxes = screen.getAllByRole<HTMLInputElement>('checkbox')
    expect(boxes.map(({ labels }) => names.find((name) => labels?.[0]?.textContent.includes(name)))).toEqual(names)
    expect(boxes.map(({ checked }) => checked)).toEqual([false, true, false])
  })
})

test.each<[Partial<DeclaredFields>, object, string, string]>([
  [{}, {}, '', 'Meant for every contest.'],
  [{ team: '  ' }, {}, '', 'Meant for every contest.'],
  [{ team: 'A' }, { team: 'A' }, 'A', 'Meant for every contest.'],
  [
    { where: { administratorAttack: '1', intelligenceAttack: '0', mechanismAttack: '0' } },
    { policies: ['100'] },
    "for contests in which agents may attack the administrator and must not attack other agents' decisions or the implementation of other agents",
    "Meant for contests in which agents may attack the administrator and must not attack other agents' decisions or the implementation of other agents.",
  ],
])('%j is %j', (more, belonging, short, meaning) => {
  const said = { ...noDeclaredFields, ...more }
  expect(belongingOf(said)).toEqual(belonging)
  expect([problemOf(said), inShort(said), meaningOf(said)]).toEqual(['', short, meaning])
})
