import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Role } from '../../../main/contract/people/people.ts'
import type { HistoryVerdict } from '../../../main/contract/procedures/procedures.ts'
import { askWhoCalls } from '../../../renderer/caller.svelte.ts'
import { call, CallFailure, subscribe } from '../../../renderer/connection/client.ts'
import Histories from '../../../renderer/screens/histories/histories.svelte'
import { rememberHistories } from '../../../renderer/screens/evidence/opened-histories.ts'
import OpenFile from '../../../renderer/screens/histories/open-file.svelte'
import Verdict from '../../../renderer/screens/histories/verdict.svelte'
import FileMatch from '../../../renderer/screens/match/file-match.svelte'
import { takeIn } from '../../../renderer/connection/upload.ts'
import { counting } from './counting/game.ts'
import { standInForLayout } from './layout.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  subscribe: vi.fn(),
}))
vi.mock(import('../../../renderer/connection/upload.ts'), () => ({ takeIn: vi.fn() }))
vi.mock(import('../../../renderer/games.ts'), async (original) => ({
  ...(await original()),
  gameWindow: () => counting,
}))

const seats = ['Anna', 'Ben'].map((name, id) => ({ id, name, entrant: id, role: 'player', bodies: 1 }))
const places = seats.map(({ id }) => ({ seat: id, rank: id + 1, score: 0, removed: false }))
const facts = { contest: 'c-1', match: 3, game: 'counting', seats }
const outline = {
  from: 0,
  at: [1],
  round: [1],
  seat: [0],
  lines: [1],
  levels: [1, 0],
  marks: [],
  swings: [],
  restricted: [],
  initial: [0, 0],
}
const signer = { name: 'this class', key: `tartaglia-ed25519:${'a'.repeat(64)}`, fingerprint: 'f'.repeat(64) }
const genuine = {
  ok: true,
  contest: 'c-1',
  match: 3,
  signer,
  replayed: true,
  checked: [],
  entries: [],
  notes: [],
} as const
const refuted = { ok: false, line: 4, message: 'the hash does not match the line', events: 1, text: '{}' } as const
let verdict = Promise.withResolvers<HistoryVerdict>()
let role: Role = 'educator'

beforeEach(() => {
  verdict = Promise.withResolvers()
  const answers: Record<string, () => unknown> = {
    // The program thinks that there may be ten events; there is one.
    'matches.get': () => ({
      fileName: 'a\u202elnosj.txt',
      facts,
      config: null,
      seed: '0'.repeat(64),
      outcome: { places },
      events: 10,
    }),
    'matches.outline': () => ({ ...outline, states: [], last: true, broken: null }),
    'matches.state': () => null,
    'histories.comments': () => [],
    'matches.events': () => ({
      items: [{ n: 1, at: 1, kind: 'input', input: { seat: 0, add: 1 } }],
      offset: 0,
      total: 1,
    }),
    'histories.verify': () => verdict.promise,
    'me.get': () => ({ role, person: null, team: null, isReadOnly: false }),
    'histories.facets': () => ({ games: [], players: [] }),
    'histories.stop': () => null,
  }
  vi.mocked(call as (name: string) => Promise<unknown>).mockImplementation(async (name) => answers[name]!())
  vi.mocked(subscribe).mockReturnValue(() => undefined)
  standInForLayout()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a match from a file is shown at once and said to be unproved until there is a verdict', async () => {
  render(FileMatch, { file: 'f-1' })
  await waitFor(() => expect(screen.getByText('Being checked')).toBeTruthy())
  expect(screen.getByText(/has not been verified yet/)).toBeTruthy()
  await screen.findByRole('slider', { name: 'Place in the match' })
  expect(screen.queryByText('Genuine')).toBeNull()
  verdict.resolve(genuine)
  await waitFor(() => expect(screen.getByText('Genuine')).toBeTruthy())
  expect(screen.queryByText('Being checked')).toBeNull()
})

test('a student, who may not verify, sees a trial match of the own team without a verdict', async () => {
  role = 'student'
  await askWhoCalls()
  render(FileMatch, { file: 'f-1' })
  await screen.findByText('A match of your team, as the class has recorded it.')
  await screen.findByRole('slider', { name: 'Place in the match' })
  expect(screen.queryByText('Being checked')).toBeNull()
  expect(vi.mocked(call).mock.calls.map(([name]) => name)).not.toContain('histories.verify')
  role = 'educator'
  await askWhoCalls()
})

test('a match leads back to the dossier in which it was opened, any other one to the histories', async () => {
  rememberHistories('d-1', { report: { histories: [], dossier: null, items: [] }, files: { x: 'f-1' } } as never)
  render(FileMatch, { file: 'f-1' })
  expect((await screen.findByRole('link', { name: '← Dossier' })).getAttribute('href')).toBe('#/evidence/file/d-1')
  cleanup()
  render(FileMatch, { file: 'f-2' })
  expect((await screen.findByRole('link', { name: '← Histories' })).getAttribute('href')).toBe('#/histories')
})

test('the name of the file is shown, and nothing in it turns the words around', async () => {
  render(FileMatch, { file: 'f-1' })
  const name = await screen.findByText('a‹U+202E›lnosj.txt · seed 000000000000…')
  expect(name.tagName).toBe('BDI')
})

test('one that does not verify is said to be not genuine, and one that cannot be verified is not said to be checked', async () => {
  render(FileMatch, { file: 'f-1' })
  await waitFor(() => expect(screen.getByText('Being checked')).toBeTruthy())
  verdict.resolve(refuted)
  await screen.findByRole('heading', { name: 'This history is not genuine' })
  expect(screen.queryByText('Being checked')).toBeNull()
  cleanup()
  verdict = Promise.withResolvers()
  render(FileMatch, { file: 'f-1' })
  await waitFor(() => expect(screen.getByText('Being checked')).toBeTruthy())
  verdict.reject(new Error('the file is gone'))
  await waitFor(() => expect(screen.getByText(/could not be verified/)).toBeTruthy())
  expect(screen.queryByText('Being checked')).toBeNull()
})

test('the end of a match is where its last event is, whatever was thought at first', async () => {
  render(FileMatch, { file: 'f-1' })
  await waitFor(() => expect(screen.getByRole('slider', { name: 'Place in the match' })).toHaveProperty('max', '1'))
})

test('a long file is offered as soon as it is known, and verified when all of it is there', async () => {
  const taken = Promise.withResolvers<string>()
  vi.mocked(takeIn).mockReturnValue({ known: Promise.resolve('f-1'), taken: taken.promise, stop: () => undefined })
  render(OpenFile, { onopen: () => undefined })
  const input = screen.getByLabelText<HTMLInputElement>('Open history files')
  const file = new File(['x'], 'long.jsonl')
  Object.defineProperty(input, 'files', { value: [file] })
  input.dispatchEvent(new Event('change', { bubbles: true }))
  await waitFor(() => expect(screen.getByRole('link', { name: 'Open the match' })).toBeTruthy())
  expect(screen.getByText('Uploading long.jsonl…')).toBeTruthy()
  expect(vi.mocked(call).mock.calls.map(([name]) => name)).not.toContain('histories.verify')
  taken.resolve('f-1')
  await waitFor(() => expect(screen.getByText('Verifying long.jsonl…')).toBeTruthy())
  expect(screen.queryByText('Uploading long.jsonl…')).toBeNull()
})

test('a file that breaks off on its way is not offered any more', async () => {
  const taken = Promise.withResolvers<string>()
  vi.mocked(takeIn).mockReturnValue({ known: Promise.resolve('f-1'), taken: taken.promise, stop: () => undefined })
  render(OpenFile, { onopen: () => undefined })
  const input = screen.getByLabelText<HTMLInputElement>('Open history files')
  Object.defineProperty(input, 'files', { value: [new File(['x'], 'long.jsonl')] })
  input.dispatchEvent(new Event('change', { bubbles: true }))
  await waitFor(() => expect(screen.getByRole('link', { name: 'Open the match' })).toBeTruthy())
  taken.reject(new CallFailure({ code: 'refused', message: 'The upload was not completed.' }))
  await waitFor(() => expect(screen.getByText('The upload was not completed.')).toBeTruthy())
  expect(screen.queryByRole('link', { name: 'Open the match' })).toBeNull()
})

test('a file whose first line is wrong already is not called a changed history: it may never have been one', () => {
  const heading = (found: HistoryVerdict): string => {
    cleanup()
    render(Verdict, { verdict: found, ontrusted: () => undefined })
    return screen.getByRole('heading', { level: 3 }).textContent.trim()
  }
  expect(heading({ ...refuted, line: 1 })).toBe('This is not a genuine history')
  expect(heading(refuted)).toBe('This history is not genuine')
  expect(heading(genuine)).toBe('This history is genuine')
})

test('that the file was changed meanwhile is said in the words of the program', async () => {
  const said = 'a.jsonl has been changed since it was opened; open it again.'
  render(FileMatch, { file: 'f-1' })
  await waitFor(() => expect(screen.getByText('Being checked')).toBeTruthy())
  verdict.reject(new CallFailure({ code: 'refused', message: said }))
  await waitFor(() => expect(screen.getByText(said)).toBeTruthy())
  expect(screen.queryByText('Being checked')).toBeNull()
  expect(screen.queryByText('Genuine')).toBeNull()
})

test('a history of an unknown signer is not called genuine, and its key is trusted only if it is the one that was given', async () => {
  const unknown = { ...genuine, signer: { ...signer, name: null } }
  const trusted = vi.fn()
  render(Verdict, { verdict: unknown, ontrusted: trusted })
  expect(screen.getByRole('heading', { level: 3 }).textContent.trim()).toBe(
    'This history is intact, but its signer is unknown',
  )
  await fireEvent.click(screen.getByRole('button', { name: 'Enter the class’s key…' }))
  const saved: unknown[] = []
  vi.mocked(call as (name: string, input: unknown) => Promise<unknown>).mockImplementation(async (name, input) => {
    if (name === 'settings.set') saved.push(input)
    return { appearance: 'system', trustedKeys: [{ name: 'School 9', key: `tartaglia-ed25519:${'9'.repeat(64)}` }] }
  })
  const submit = async (key: string, name: string): Promise<void> => {
    await fireEvent.input(screen.getByLabelText("The class's public key"), { target: { value: key } })
    await fireEvent.input(screen.getByLabelText('Whose key it is'), { target: { value: name } })
    await fireEvent.click(screen.getByRole('button', { name: 'Trust this key' }))
  }
  await submit(`tartaglia-ed25519:${'b'.repeat(64)}`, 'Class 4b')
  await waitFor(() => expect(screen.getByText(/signed with another key/)).toBeTruthy())
  await submit(signer.key, 'school 9')
  await waitFor(() => expect(screen.getByText(/another key with the name/)).toBeTruthy())
  expect([saved, trusted.mock.calls]).toEqual([[], []])
  await submit(` ${signer.key} `, 'Class 4b')
  await waitFor(() => expect(trusted).toHaveBeenCalledOnce())
  expect(saved).toEqual([{ trustedKeys: [expect.anything(), { name: 'Class 4b', key: signer.key }] }])
})

test('in the viewer, too, an unknown signer has a badge of its own', async () => {
  render(FileMatch, { file: 'f-1' })
  verdict.resolve({ ...genuine, signer: { ...signer, name: null } })
  await waitFor(() => expect(screen.getByText('Intact, signer unknown')).toBeTruthy())
  expect(screen.queryByText('Genuine')).toBeNull()
})

/** Chooses a file as a person does. */
function choose(name: string): void {
  const input = screen.getByLabelText<HTMLInputElement>('Open history files')
  Object.defineProperty(input, 'files', { value: [new File(['x'], name)], configurable: true })
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

test('a file takes the place of the one before, whose verification ends', async () => {
  const upload = (id: string) => ({ known: Promise.resolve(id), taken: Promise.resolve(id), stop: () => undefined })
  const opened = vi.fn()
  vi.mocked(takeIn).mockReturnValueOnce(upload('f-1')).mockReturnValueOnce(upload('f-2'))
  render(OpenFile, { onopen: opened })
  choose('first.jsonl')
  const progress = await screen.findByRole('progressbar', { name: 'Verifying first.jsonl…' })
  expect(progress.getAttribute('aria-valuenow')).toBeNull()
  const first = verdict
  verdict = Promise.withResolvers()
  choose('second.jsonl')
  await screen.findByRole('progressbar', { name: 'Verifying second.jsonl…' })
  expect(vi.mocked(call).mock.calls).toContainEqual(['histories.stop', { source: { from: 'file', file: 'f-1' } }])
  expect(opened).toHaveBeenCalledTimes(2)
  first.resolve(genuine)
  verdict.resolve(refuted)
  await screen.findByRole('heading', { name: 'This history is not genuine' })
  expect(screen.queryByText('This history is genuine')).toBeNull()
})

test('the verdict on the selected match goes when a file is opened: there are never two panels', async () => {
  const match = { contest: 'c-1', title: 'First', match: 3, seats: [], faults: 0, genuine: null }
  const others = vi.mocked(call as (name: string) => Promise<unknown>).getMockImplementation()!
  vi.mocked(call as (name: string) => Promise<unknown>).mockImplementation(async (name) =>
    name === 'histories.list' ? { items: [match], offset: 0, total: 1 } : others(name),
  )
  vi.mocked(takeIn).mockReturnValue({
    known: Promise.resolve('f-1'),
    taken: Promise.resolve('f-1'),
    stop: () => undefined,
  })
  render(Histories)
  await fireEvent.click(await screen.findByRole('button', { name: 'Verify' }))
  verdict.resolve(genuine)
  await screen.findByRole('heading', { name: 'This history is genuine' })
  verdict = Promise.withResolvers()
  choose('other.jsonl')
  verdict.resolve(refuted)
  await screen.findByRole('heading', { name: 'This history is not genuine' })
  expect(screen.queryByText('This history is genuine')).toBeNull()
})

test('a history that does not verify is shown under a banner: where, what was expected, what was found, all of it harmless', async () => {
  render(FileMatch, { file: 'f-1', move: '1' })
  verdict.resolve({ ...refuted, expected: 'aa', found: '<img src=x onerror=alert(1)>\u202e', text: '\u202e<script>' })
  const banner = await screen.findByRole('alert')
  expect(banner.textContent).toContain('Line 4 of the file. The hash does not match the line.')
  expect(banner.textContent).toContain('<img src=x onerror=alert(1)>‹U+202E›')
  expect(banner.textContent).toContain('‹U+202E›<script>')
  expect(banner.querySelector('img, script')).toBeNull()
  expect(screen.getByRole('link', { name: 'Go to the bad line' }).getAttribute('href')).toBe(
    '#/histories/file/f-1?move=1',
  )
  expect(screen.getByRole('slider', { name: 'Place in the match' })).toBeTruthy()
  expect(screen.queryByText('Genuine')).toBeNull()
})

test('all histories of a filter are verified, with progress, and can be stopped', async () => {
  const match = { contest: 'c-1', title: 'First', match: 3, seats: [], faults: 1, genuine: null as boolean | null }
  const many = Promise.withResolvers<unknown>()
  const asked: unknown[] = []
  const others = vi.mocked(call as (name: string) => Promise<unknown>).getMockImplementation()!
  vi.mocked(call as (name: string, input: unknown) => Promise<unknown>).mockImplementation(async (name, input) => {
    if (name.startsWith('histories.')) asked.push([name, input])
    if (name === 'histories.list') return { items: [{ ...match }], offset: 0, total: 1 }
    if (name === 'histories.verifyAll') return many.promise
    if (name === 'histories.stopAll') return null
    return others(name)
  })
  render(Histories, { faults: 'yes', agent: 'Anna' })
  await fireEvent.click(await screen.findByRole('button', { name: 'Verify it' }))
  expect(asked).toContainEqual([
    'histories.verifyAll',
    { search: '', game: '', subject: '', agents: ['Anna', ''], faults: true },
  ])
  await screen.findByText('Verifying 0 of 1 history…')
  await fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
  expect(asked).toContainEqual(['histories.stopAll', {}])
  match.genuine = true
  many.resolve({ genuine: 1, bad: [], others: 0 })
  await screen.findByText('The history is genuine.')
  await screen.findByRole('img', { name: 'verified: genuine' })
})
