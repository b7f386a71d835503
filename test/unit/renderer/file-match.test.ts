import { cleanup, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { HistoryVerdict } from '../../../main/contract/procedures.ts'
import { call, CallFailure, subscribe } from '../../../renderer/client.ts'
import OpenFile from '../../../renderer/screens/histories/open-file.svelte'
import Verdict from '../../../renderer/screens/histories/verdict.svelte'
import FileMatch from '../../../renderer/screens/match/file-match.svelte'
import { takeIn } from '../../../renderer/upload.ts'
import { counting } from './counting/game.ts'
import { standInForLayout } from './layout.ts'

vi.mock(import('../../../renderer/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  subscribe: vi.fn(),
}))
vi.mock(import('../../../renderer/upload.ts'), () => ({ takeIn: vi.fn() }))
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
  restricted: [],
  initial: [0, 0],
}
const genuine = {
  ok: true,
  contest: 'c-1',
  match: 3,
  keyChecked: true,
  replayed: true,
  checked: [],
  notes: [],
} as const
let verdict = Promise.withResolvers<HistoryVerdict>()

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
    'matches.events': () => ({
      items: [{ n: 1, at: 1, kind: 'input', input: { seat: 0, add: 1 } }],
      offset: 0,
      total: 1,
    }),
    'histories.verify': () => verdict.promise,
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
  expect(screen.getByText(/nothing of it is proved yet/)).toBeTruthy()
  expect(screen.getByRole('slider', { name: 'Place in the match' })).toBeTruthy()
  expect(screen.queryByText('Genuine')).toBeNull()
  verdict.resolve(genuine)
  await waitFor(() => expect(screen.getByText('Genuine')).toBeTruthy())
  expect(screen.queryByText('Being checked')).toBeNull()
})

test('the name of the file is shown, and nothing in it turns the words around', async () => {
  render(FileMatch, { file: 'f-1' })
  const name = await screen.findByText('a‹U+202E›lnosj.txt')
  expect(name.tagName).toBe('BDI')
})

test('one that does not verify is said to be not genuine, and one that cannot be verified is not said to be checked', async () => {
  render(FileMatch, { file: 'f-1' })
  await waitFor(() => expect(screen.getByText('Being checked')).toBeTruthy())
  verdict.resolve({ ok: false, line: 4, message: 'the hash does not match the line' })
  await waitFor(() => expect(screen.getByText('Not genuine')).toBeTruthy())
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
  render(OpenFile)
  const input = screen.getByLabelText<HTMLInputElement>('Open a history file')
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
  render(OpenFile)
  const input = screen.getByLabelText<HTMLInputElement>('Open a history file')
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
    render(Verdict, { verdict: found })
    return screen.getByRole('heading', { level: 3 }).textContent.trim()
  }
  expect(heading({ ok: false, line: 1, message: 'the line is not a history record' })).toBe(
    'This is not a genuine history',
  )
  expect(heading({ ok: false, line: 4, message: 'the hash does not match' })).toBe('This history is not genuine')
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
