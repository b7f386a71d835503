import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { flushSync } from 'svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AgentSummary, ContestSummary } from '../../../main/contract/procedures/procedures.ts'
import { procedures } from '../../../main/contract/procedures/procedures.ts'
import { agentManifest } from '../../../main/contract/players/agents.ts'
import type { ReceiptBody } from '../../../main/contract/people/receipts.ts'
import type { AttemptView, TeamDeadline, TeamView } from '../../../main/contract/people/team-procedures.ts'
import { askWhoCalls } from '../../../renderer/caller.svelte.ts'
import { call, CallFailure, subscribe } from '../../../renderer/connection/client.ts'
import { uploadPackage } from '../../../renderer/connection/upload.ts'
import { saveFile } from '../../../renderer/files.ts'
import { announcement, timeLeft } from '../../../renderer/screens/hand-in/closing-words.ts'
import Closing from '../../../renderer/screens/hand-in/closing.svelte'
import HandInScreen from '../../../renderer/screens/hand-in/hand-in-screen.svelte'
import { openContests } from '../../../renderer/screens/hand-in/hand-in-words.ts'
import { asOneFile } from '../../../renderer/screens/hand-in/zip-files.ts'
import Team from '../../../renderer/screens/team/team.svelte'

vi.mock(import('../../../renderer/connection/upload.ts'), async (original) => ({
  ...(await original()),
  uploadPackage: vi.fn(),
}))
vi.mock(import('../../../renderer/files.ts'), async (original) => ({ ...(await original()), saveFile: vi.fn() }))
vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  subscribe: vi.fn(),
}))

const NOW = '2026-11-26T12:00:00.000Z'
const later = (ms: number): string => new Date(Date.parse(NOW) + ms).toISOString()
const HOUR = 3_600_000
const red: TeamView = {
  id: 'a'.repeat(16),
  name: 'Red',
  members: [{ person: 'b'.repeat(16), name: 'Zoë' }],
  invitation: null,
}
const receipt: ReceiptBody = {
  ...{ k: 'receipt', n: 17, class: 'c'.repeat(64), team: 'Red', agent: 'walker', version: 2, sha256: 'd'.repeat(64) },
  ...{ received: NOW, at: NOW, contest: null, time: 'on-time', previous: '' },
}
const attempt: AttemptView = {
  ...{ id: 5, team: red.id, by: 'Zoë', contest: null, contestTitle: null, game: 'specker', file: 'walker.js' },
  sha256: 'd'.repeat(64),
  ...{ at: NOW, state: 'failed', reason: 'Line 3, column 7: x is not defined.', receipt: 17 },
  isGivenBack: false,
}
const version = {
  ...{ agent: 'e'.repeat(64), number: 2, team: 'Red', policies: null, active: [], submitted: NOW },
  ...{ smoke: null, trial: null },
}
const walker: AgentSummary = {
  name: 'walker',
  game: 'specker',
  kind: 'script',
  school: null,
  versions: [version],
  faults: 0,
}
const contest = (id: string, change: Partial<ContestSummary> = {}): ContestSummary => ({
  ...{ contest: id, title: `Title of ${id}`, game: 'specker', state: 'open', entrants: 2, added: NOW, person: false },
  progress: { done: 0, total: 3, msLeft: null },
  ...change,
})
const until = (ms: number, verdict: string | null = 'On time.'): TeamDeadline => ({
  deadline: { contest: 'week-1', closes: later(ms), late: 'closed' },
  closing: { at: later(ms), because: 'This is the deadline of the contest.' },
  ...{ verdict, now: NOW },
})

/** The program's answers; a function may throw. */
let answers: Record<string, (input: never) => unknown>
let touch: () => void
beforeEach(async () => {
  answers = {
    'me.get': () => ({ role: 'student', person: null, team: { id: red.id, name: red.name }, isReadOnly: false }),
    'teams.mine': () => red,
    'handIn.attempts': () => ({ attempts: [], used: 1, left: 3 }),
    'handIn.queue': () => null,
    'receipts.list': () => [receipt],
    'agents.list': () => ({
      items: [walker, { ...walker, name: 'other', versions: [{ ...version, team: 'Blue' }] }],
      offset: 0,
      total: 2,
    }),
    'contests.list': () => ({ items: [contest('week-1')], offset: 0, total: 1 }),
    'deadlines.get': () => until(HOUR),
    'registrations.get': () => ({ rule: null, isOpen: false, closes: null, addresses: [], entries: [] }),
  }
  vi.mocked(call as (name: string, input: unknown) => Promise<unknown>).mockImplementation(async (name, input) => {
    const answer = answers[name]
    if (answer === undefined) throw new Error(`unexpected call of ${name}`)
    return answer(input as never)
  })
  vi.mocked(subscribe as (topic: string, listen: () => void) => () => void).mockImplementation((_, listen) => {
    touch = listen
    // The first value of a topic is the present state.
    listen()
    return () => undefined
  })
  await askWhoCalls()
  vi.mocked(uploadPackage).mockImplementation(({ name }) => ({ taken: Promise.resolve(name), stop: () => undefined }))
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.resetAllMocks()
  location.hash = ''
})
/** The inputs of the calls of a procedure, as the program would read them. */
const inputs = (name: keyof typeof procedures): readonly unknown[] =>
  vi
    .mocked(call)
    .mock.calls.filter(([called]) => called === name)
    .map(([, input]) => procedures[name].input.parse(input))
const button = (name: string | RegExp): Promise<HTMLElement> => screen.findByRole('button', { name })
const give = async (...files: readonly File[]): Promise<void> => {
  await fireEvent.change(await screen.findByLabelText('Drop your agent here'), { target: { files } })
}

describe('my team', () => {
  beforeEach(() => void (answers['teams.mine'] = () => null))

  test('is formed by its name, and a refusal stands beside the button', async () => {
    answers['teams.form'] = () => {
      throw new CallFailure({ code: 'refused', message: 'Another team has this name.' })
    }
    render(Team)
    await fireEvent.input(await screen.findByLabelText('Name of the team'), { target: { value: ' Red ' } })
    await fireEvent.click(await button('Form the team'))
    expect((await screen.findByRole('alert')).textContent).toBe('Another team has this name.')
    answers['teams.form'] = () => red
    await fireEvent.click(await button('Form the team'))
    expect(await screen.findByRole('heading', { name: 'Red' })).toBeTruthy()
    expect(inputs('teams.form')).toEqual([{ name: 'Red' }, { name: 'Red' }])
  })

  test('is joined with an invitation, however it was copied', async () => {
    answers['teams.join'] = () => red
    render(Team)
    await fireEvent.input(await screen.findByLabelText('Invitation'), { target: { value: 'abcde-23456 ' } })
    await fireEvent.click(await button('Join the team'))
    await screen.findByRole('heading', { name: 'Red' })
    expect(inputs('teams.join')).toEqual([{ invitation: 'ABCDE23456' }])
  })

  test('shows the invitation that was made, is renamed, and is left after a question', async () => {
    let mine: TeamView | null = red
    answers = {
      'teams.mine': () => mine,
      'teams.invite': () => ({ invitation: 'ABCDE23456' }),
      'teams.rename': ({ name }: { name: string }) => ({ ...red, name }),
      'teams.leave': () => (mine = null),
    }
    render(Team)
    await fireEvent.click(await button('Make an invitation'))
    expect(await screen.findByText('ABCDE23456')).toBeTruthy()
    await fireEvent.input(screen.getByLabelText('New name'), { target: { value: 'Blue' } })
    await fireEvent.click(await button('Rename the team'))
    expect(await screen.findByRole('heading', { name: 'Blue' })).toBeTruthy()
    await fireEvent.click(await button('Leave the team…'))
    expect(inputs('teams.leave')).toEqual([])
    await fireEvent.click(await button('Leave the team'))
    expect(await screen.findByLabelText('Invitation')).toBeTruthy()
    expect(inputs('teams.leave')).toHaveLength(1)
  })
})

describe('handing in', () => {
  test('without a team, the first step is a team', async () => {
    answers['teams.mine'] = () => null
    render(HandInScreen)
    expect((await screen.findByRole('link', { name: 'Form or join a team' })).getAttribute('href')).toBe('#/team')
    expect(screen.queryByRole('button', { name: 'Hand in' })).toBeNull()
  })

  test('a file is a version of the team’s agent for the contest asked for; the receipt, the queue and the verdict follow', async () => {
    answers['handIn.submit'] = () => ({
      ...{ attempt: 5, agent: 'walker', receipt, head: 'f'.repeat(64), note: null, time: 'On time.' },
    })
    render(HandInScreen, { contest: 'week-1' })
    expect(await screen.findByText(/1 attempt used today, 3 left/)).toBeTruthy()
    await give(new File(['x'], 'walker.js'))
    const versions = screen.getByLabelText<HTMLSelectElement>('It is')
    expect([...versions.options].map(({ text }) => text)).toEqual(['a new version of walker', 'a new agent'])
    await fireEvent.input(screen.getByLabelText('Note (optional)'), { target: { value: 'faster' } })
    answers['handIn.attempts'] = () => ({
      attempts: [{ ...attempt, state: 'waiting', reason: null }],
      used: 2,
      left: 2,
    })
    answers['handIn.queue'] = () => ({ attempt: 5, place: 3, expected: 20_000 })
    await fireEvent.click(await button('Hand in'))
    const news =
      /^Received: version 2 of walker, receipt 17. On time. It is 3rd in the queue, and begins in about 20 s.$/
    await waitFor(() =>
      expect(screen.getAllByRole('status').some(({ textContent }) => news.test(textContent))).toBe(true),
    )
    expect(inputs('handIn.submit')).toEqual([
      { file: 'walker.js', game: 'specker', team: null, contest: 'week-1', agent: 'walker', note: 'faster' },
    ])
    answers['handIn.attempts'] = () => ({ attempts: [attempt], used: 1, left: 3 })
    answers['handIn.queue'] = () => null
    touch()
    expect(await screen.findByText('Fails: Line 3, column 7: x is not defined.')).toBeTruthy()
  })

  test('earlier hand-ins are loaded on demand, and once more when newer ones have moved them', async () => {
    const page = (ids: readonly number[], more: boolean) => ({
      ...{
        attempts: ids.map((id) => ({ ...attempt, id, receipt: null, file: `file-${id}.js` })),
        more,
        used: 1,
        left: 3,
      },
    })
    answers['handIn.attempts'] = ({ before }: { readonly before?: number }) =>
      before === undefined ? page([9, 8], true) : page([before - 1], before === 8)
    render(HandInScreen)
    await fireEvent.click(await button('Show earlier ones'))
    expect(await screen.findByText('file-7.js')).toBeTruthy()
    await fireEvent.click(await button('Show earlier ones'))
    expect(await screen.findByText('file-6.js')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Show earlier ones' })).toBeNull()
    answers['handIn.attempts'] = ({ before }: { readonly before?: number }) =>
      before === undefined ? page([10, 9], true) : page([before - 1], false)
    touch()
    expect(await screen.findByText('file-10.js')).toBeTruthy()
    expect(screen.queryByText('file-6.js')).toBeNull()
    expect(await button('Show earlier ones')).toBeTruthy()
  })

  test('a pasted script is a file, and a new agent has the name that was typed', async () => {
    answers['agents.list'] = () => ({ items: [], offset: 0, total: 0 })
    const refusal = 'The team has used its 3 attempts of today.'
    answers['handIn.submit'] = () => {
      throw new CallFailure({ code: 'refused', message: refusal })
    }
    render(HandInScreen)
    await fireEvent.input(await screen.findByLabelText('Script'), { target: { value: 'export default 1' } })
    expect(screen.getByLabelText<HTMLInputElement>('Name of the new agent').value).toBe('Red')
    await fireEvent.input(screen.getByLabelText('Name of the new agent'), { target: { value: 'runner' } })
    await fireEvent.change(screen.getByLabelText('Language'), { target: { value: 'ts' } })
    await fireEvent.click(await button('Hand in'))
    expect(await screen.findByText(refusal)).toBeTruthy()
    expect(inputs('handIn.submit')).toMatchObject([{ file: 'agent.ts', agent: 'runner', contest: 'week-1' }])
    // Nothing that was filled in is lost.
    expect(screen.getByLabelText<HTMLTextAreaElement>('Script').value).toBe('export default 1')
  })

  test('the only contest whose deadline is to come is chosen at first, and no one of several', async () => {
    answers['contests.list'] = () => ({ items: [contest('week-1'), contest('week-0')], offset: 0, total: 2 })
    answers['deadlines.get'] = (({ contest: id }: { readonly contest: string }) =>
      until(id === 'week-0' ? -HOUR : HOUR)) as never
    const { unmount } = render(HandInScreen)
    const chosen = async () => (await screen.findByLabelText<HTMLSelectElement>('Contest')).value
    expect(await chosen()).toBe('week-1')
    unmount()
    answers['deadlines.get'] = () => until(HOUR)
    render(HandInScreen)
    expect(await chosen()).toBe('')
  })

  test('a web application is handed in by its address, as the file that describes it', async () => {
    answers['handIn.submit'] = () => ({
      ...{ attempt: 5, agent: 'walker', receipt, head: 'f'.repeat(64), note: null, time: 'On time.' },
    })
    render(HandInScreen, { contest: 'week-1' })
    const address = await screen.findByLabelText<HTMLInputElement>('Address')
    await fireEvent.input(address, { target: { value: ' http://192.0.2.7:8080/walker ' } })
    // One hand-in is one of them.
    expect(screen.getByLabelText<HTMLTextAreaElement>('Script').disabled).toBe(true)
    await fireEvent.click(await button('Hand in'))
    await waitFor(() => expect(inputs('handIn.submit')).toMatchObject([{ file: 'agent.json', agent: 'walker' }]))
    const [[given]] = vi.mocked(uploadPackage).mock.calls as [[File]]
    const manifest = agentManifest.parse(JSON.parse(await given.text()))
    expect(manifest).toEqual({ name: 'walker', game: 'specker', kind: 'web', address: 'http://192.0.2.7:8080/walker' })
    await waitFor(() => expect(address.value).toBe(''))
  })

  test('an agent on the team’s own machine is registered where the contest takes such agents', async () => {
    const { unmount } = render(HandInScreen, { contest: 'week-1' })
    await screen.findByLabelText('Contest')
    await waitFor(() => expect(inputs('registrations.get')).toEqual([{ contest: 'week-1' }]))
    expect(screen.queryByRole('link', { name: /register it/ })).toBeNull()
    unmount()
    const rule = { agentsATeam: 1, network: true }
    answers['registrations.get'] = () => ({ rule, isOpen: true, closes: null, addresses: [], entries: [] })
    render(HandInScreen, { contest: 'week-1' })
    const link = await screen.findByRole('link', { name: /register it on the page of the contest/ })
    expect(link.getAttribute('href')).toBe('#/contests/week-1')
  })

  test('a file is checked first: nothing is handed in, and another file needs another check', async () => {
    const looks = [{ agent: 'walker', game: 'specker', version: 3, left: 19 }]
    answers['handIn.look'] = () => {
      const look = looks.pop()
      if (look === undefined) throw new CallFailure({ code: 'refused', message: 'walker.js:3:7: x is not defined.' })
      return look
    }
    render(HandInScreen, { contest: 'week-1' })
    expect(((await button('Check it first')) as HTMLButtonElement).disabled).toBe(true)
    await give(new File(['x'], 'walker.js'))
    await fireEvent.click(await button('Check it first'))
    expect(
      await screen.findByText(/^The file can be handed in: it would be version 3 of walker\. .*19 checks/),
    ).toBeTruthy()
    expect(inputs('handIn.look')).toEqual([
      { file: 'walker.js', game: 'specker', team: null, contest: 'week-1', agent: 'walker' },
    ])
    await give(new File(['y'], 'walker.js'))
    await waitFor(() => expect(screen.queryByText(/^The file can be handed in/)).toBeNull())
    await fireEvent.click(await button('Check it first'))
    expect((await screen.findByRole('alert')).textContent).toBe('walker.js:3:7: x is not defined.')
    expect(inputs('handIn.submit')).toEqual([])
  })

  test('earlier hand-ins have their state, receipt and trial match', async () => {
    answers['handIn.attempts'] = () => ({ attempts: [attempt], used: 1, left: null })
    answers['receipts.get'] = () => ({ fileName: 'receipt-17.json', content: '{}' })
    answers['agents.get'] = () => ({ ...walker, versions: [version] })
    answers['agents.trialMatch'] = () => ({ file: 'trial-1' })
    render(HandInScreen)
    expect(await screen.findByText('Line 3, column 7: x is not defined.')).toBeTruthy()
    await fireEvent.click(await button('Download receipt 17'))
    await waitFor(() => expect(saveFile).toHaveBeenCalledWith('receipt-17.json', '{}'))
    await fireEvent.click(await button(/^Open the trial match/))
    await waitFor(() => expect(location.hash).toBe('#/histories/file/trial-1'))
    expect(inputs('agents.trialMatch')).toEqual([{ name: 'walker', agent: version.agent }])
    answers['agents.get'] = () => ({ ...walker, versions: [] })
    await fireEvent.click(await button(/^Open the trial match/))
    expect((await screen.findByRole('alert')).textContent).toBe('Version 2 of walker was replaced by a later one.')
  })

  test('a hand-in names its contest by the title, and one that was deleted not at all', async () => {
    const [first, second] = [
      { ...attempt, id: 6, contest: 'autumn-cup-1', contestTitle: 'Autumn <i>cup</i>' },
      { ...attempt, contest: 'week-0-1' },
    ]
    answers['handIn.attempts'] = () => ({ attempts: [first, second], used: 1, left: null })
    render(HandInScreen)
    const link = await screen.findByRole('link', { name: 'Autumn <i>cup</i>' })
    expect(link.getAttribute('href')).toBe('#/contests/autumn-cup-1')
    expect(screen.getByRole('list', { name: 'Earlier hand-ins' }).textContent).not.toMatch(/autumn-cup-1|week-0-1/)
  })

  test('a contest without a deadline says so, and one that has a deadline counts down', async () => {
    const { unmount } = render(HandInScreen, { contest: 'week-1' })
    expect(await screen.findByRole('timer')).toBeTruthy()
    expect(screen.queryByText(/no deadline yet/)).toBeNull()
    unmount()
    answers['deadlines.get'] = () => ({ deadline: null, closing: null, verdict: null, now: NOW })
    render(HandInScreen, { contest: 'week-1' })
    expect(await screen.findByText(/no deadline yet/)).toBeTruthy()
    expect(screen.queryByRole('timer')).toBeNull()
  })

  test('the link that a terminal prints opens the trial match of that hand-in', async () => {
    answers['handIn.attempts'] = () => ({ attempts: [attempt], used: 1, left: null })
    answers['agents.get'] = () => ({ ...walker, versions: [version] })
    answers['agents.trialMatch'] = () => ({ file: 'trial-5' })
    const { unmount } = render(HandInScreen, { trial: '5' })
    await waitFor(() => expect(location.hash).toBe('#/histories/file/trial-5'))
    unmount()
    render(HandInScreen, { trial: '6' })
    expect((await screen.findByRole('alert')).textContent).toContain('no such hand-in')
  })

  test('contests that have begun or are over, practice and matches of people take no hand-ins', () => {
    const all = [
      contest('a'),
      contest('b', { state: 'ended' }),
      contest('c', { state: 'cancelled' }),
      contest('d', { practice: true }),
      contest('e', { person: true }),
      contest('f', { state: 'running' }),
      contest('g', { progress: { done: 1, total: 2, msLeft: null } }),
    ]
    expect(openContests(all).map((each) => each.contest)).toEqual(['a'])
  })
})

describe('a folder', () => {
  const within = (path: string, text: string) => ({ file: new File([text], path.split('/').at(-1)!), path })

  test('is one zip without the folder itself, the same for the same files', async () => {
    const files = [within('walker/lib/b.js', 'two'), within('walker/agent.json', '{"name":"Zoë"}')]
    const zip = await asOneFile(files)
    expect(zip.name).toBe('walker.zip')
    const read = async (file: File): Promise<Uint8Array> => {
      const reader = new FileReader()
      reader.readAsArrayBuffer(file)
      await new Promise((resolve) => (reader.onload = resolve))
      return new Uint8Array(reader.result as ArrayBuffer)
    }
    const bytes = await read(zip)
    const text = new TextDecoder('latin1').decode(bytes)
    expect(text.indexOf('agent.json')).toBeGreaterThan(0)
    expect(text.indexOf('lib/b.js')).toBeGreaterThan(text.indexOf('agent.json'))
    expect(text).not.toContain('walker/')
    expect(await read(await asOneFile(files.toReversed()))).toEqual(bytes)
    const single = within('walker/agent.js', 'x')
    expect(await asOneFile([single])).toBe(single.file)
  })
})

describe('the countdown', () => {
  test.each([
    [2 * 24 * HOUR + 3 * HOUR, '2 days 3 h'],
    [24 * HOUR, '1 day'],
    [HOUR - 1, '1 h'],
    [90_000, '1 min 30 s'],
  ])('%i ms are %s', (ms, words) => expect(timeLeft(ms)).toBe(words))

  test('a screen reader hears five sentences in all', () => {
    const heard: string[] = []
    for (let ms = 30 * HOUR; ms >= -HOUR; ms -= 10_000)
      if (announcement(ms) !== heard.at(-1)) heard.push(announcement(ms))
    expect(heard).toHaveLength(6)
    expect(heard[0]).toBe('')
    expect(heard.at(-1)).toBe('The time for handing in is over.')
  })

  test('goes by the clock of the server, whatever the one of the viewer says', () => {
    vi.useFakeTimers({ now: Date.parse(NOW) + 50 * HOUR })
    render(Closing, { deadline: until(90_000) })
    flushSync()
    expect(screen.getByRole('timer').textContent).toBe('1 min 30 s')
    vi.advanceTimersByTime(60_000)
    flushSync()
    expect(screen.getByRole('timer').textContent).toBe('30 s')
    expect(screen.getByRole('status').textContent).toBe('Less than a minute is left to hand in.')
    vi.advanceTimersByTime(31_000)
    flushSync()
    expect(screen.queryByRole('timer')).toBeNull()
    expect(screen.getByText('Closed')).toBeTruthy()
  })

  test('a verdict from before the close is not shown after it, and a new one is asked for', async () => {
    vi.useFakeTimers({ now: Date.parse(NOW) })
    const onclosed = vi.fn()
    const deadline = { ...until(5_000), verdict: 'On time.' }
    const { rerender } = render(Closing, { deadline, onclosed })
    flushSync()
    expect(onclosed).not.toHaveBeenCalled()
    vi.advanceTimersByTime(7_000)
    flushSync()
    expect(screen.getByText('Closed')).toBeTruthy()
    expect(screen.queryByText('On time.')).toBeNull()
    expect(onclosed).toHaveBeenCalledOnce()
    await rerender({ deadline: { ...deadline, now: later(7_000), verdict: 'Too late.' }, onclosed })
    flushSync()
    expect(screen.getByText('Too late.')).toBeTruthy()
    expect(onclosed).toHaveBeenCalledOnce()
  })

  test('a contest that has begun before its deadline says so at once', () => {
    render(Closing, { deadline: { ...until(60_000), verdict: 'The contest has begun.' } })
    flushSync()
    expect(screen.getByText('The contest has begun.')).toBeTruthy()
  })
})
