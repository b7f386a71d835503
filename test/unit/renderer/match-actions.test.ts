import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call, subscribe } from '../../../renderer/connection/client.ts'
import { saveFile } from '../../../renderer/files.ts'
import { loadSettings } from '../../../renderer/settings.svelte.ts'
import Match from '../../../renderer/screens/match/match.svelte'
import MatchActions from '../../../renderer/screens/match/match-actions.svelte'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  subscribe: vi.fn(),
}))
const kit = vi.hoisted(() => ({ game: undefined as string | undefined }))
vi.mock(import('../../../renderer/games.ts'), async (original) => ({
  ...(await original()),
  get kitGame() {
    return kit.game
  },
}))
vi.mock(import('../../../renderer/files.ts'), async (original) => ({ ...(await original()), saveFile: vi.fn() }))

const signer = { name: 'this class', key: `tartaglia-ed25519:${'a'.repeat(64)}`, fingerprint: 'f'.repeat(64) }
const answers: Record<string, unknown> = {
  'settings.get': { fingerprint: 'ab'.repeat(32), appearance: 'system', letterKeys: true },
  'histories.export': { fileName: 'match.jsonl', content: 'all', publicKey: signer.key },
  'kits.saveCase': { file: 'cases/c-1-3-seat-0-move-4.json' },
  'histories.replay': { fileName: 'match.html', content: 'page' },
  'histories.verify': {
    ok: true,
    contest: 'c-1',
    match: 3,
    signer,
    replayed: true,
    checked: [],
    entries: [],
    notes: [],
  },
}
beforeEach(() => {
  vi.mocked(call as (name: string) => Promise<unknown>).mockImplementation(async (name) => answers[name])
  vi.mocked(subscribe).mockReturnValue(() => undefined)
})
afterEach(cleanup)

const shown = (match: number, matches = 10, of?: string) =>
  render(MatchActions, { contest: 'c-1', match, matches, of, address: () => '#/contests/c-1/matches/3?move=7' })

test('the matches before and after are one step away, where there are any', () => {
  shown(3)
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '#/contests/c-1/matches/2',
    '#/contests/c-1/matches/4',
  ])
  cleanup()
  shown(0)
  expect(screen.getAllByRole('link')).toHaveLength(1)
  cleanup()
  shown(9)
  expect(screen.getAllByRole('link')).toHaveLength(1)
  cleanup()
  shown(0, 10, 'Ada')
  expect(screen.getByRole('link').getAttribute('href')).toBe('#/contests/c-1/matches/1?of=Ada')
})

test('it is verified, exported, and linked to at this very position', async () => {
  const writeText = vi.fn(() => Promise.resolve())
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
  shown(3)
  await fireEvent.click(screen.getByRole('button', { name: 'Copy link' }))
  expect(writeText).toHaveBeenCalledWith(
    'Match 3 of c-1, event 7; file c-1-match-0003.jsonl\n' +
      `${location.origin}/#/contests/c-1/matches/3?move=7\ntartaglia://match/c-1/3?move=7`,
  )
  cleanup()
  render(MatchActions, { contest: 'c-1', match: 3, matches: 10, address: () => '#/contests/c-1/matches/3?as=0&and=1' })
  await fireEvent.click(screen.getByRole('button', { name: 'Copy link' }))
  expect(writeText).toHaveBeenLastCalledWith(
    'Match 3 of c-1, the beginning, as seat A, beside the view of seat B; file c-1-match-0003.jsonl\n' +
      `${location.origin}/#/contests/c-1/matches/3?as=0&and=1\ntartaglia://match/c-1/3?as=0&and=1`,
  )
  await fireEvent.click(screen.getByRole('button', { name: 'Export' }))
  await waitFor(() => expect(saveFile).toHaveBeenCalledWith('match.jsonl', 'all'))
  await fireEvent.click(screen.getByRole('button', { name: 'Share' }))
  await waitFor(() => expect(saveFile).toHaveBeenCalledWith('match.html', 'page'))
  await fireEvent.click(screen.getByRole('button', { name: 'Verify' }))
  await screen.findByRole('heading', { name: 'This history is genuine' })
  vi.unstubAllGlobals()
})

test('a link names the class that it leads to', async () => {
  const writeText = vi.fn((_: string) => Promise.resolve())
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
  await loadSettings()
  shown(3)
  await fireEvent.click(screen.getByRole('button', { name: 'Copy link' }))
  expect(writeText.mock.calls[0]![0]).toMatch(
    /matches\/3\?move=7&class=(abab){4}\ntartaglia:\/\/match\/c-1\/3\?move=7&class=(abab){4}$/,
  )
  cleanup()
  render(Match, { contest: 'c-1', match: '3', class: 'cd'.repeat(8) })
  expect((await screen.findByRole('alert')).textContent).toMatch(/another class.*cdcd.*abab/s)
  cleanup()
  render(Match, { contest: 'c-1', match: '3', class: 'ab'.repeat(8) })
  expect(screen.queryByText('This link is for another class')).toBeNull()
  vi.unstubAllGlobals()
})

test('in the window of a kit the move shown is saved as a case, and nowhere else', async () => {
  shown(3)
  expect(screen.queryByRole('button', { name: 'Save as a case' })).toBeNull()
  cleanup()
  kit.game = 'haggle'
  shown(3)
  await fireEvent.click(screen.getByRole('button', { name: 'Save as a case' }))
  expect(call).toHaveBeenCalledWith('kits.saveCase', {
    source: { from: 'contest', contest: 'c-1', match: 3 },
    position: 7,
  })
  expect((await screen.findByRole('status')).textContent).toContain('cases/c-1-3-seat-0-move-4.json')
  kit.game = undefined
})
