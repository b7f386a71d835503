import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call, CallFailure } from '../../../renderer/connection/client.ts'
import { takeIn } from '../../../renderer/connection/upload.ts'
import { saveFile } from '../../../renderer/files.ts'
import { createArchiveExport } from '../../../renderer/screens/histories/archive-export.svelte.ts'
import ExportArchive from '../../../renderer/screens/histories/export-archive.svelte'
import { createFileList } from '../../../renderer/screens/histories/file-list.svelte.ts'
import OpenFile from '../../../renderer/screens/histories/open-file.svelte'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  subscribe: vi.fn(() => () => undefined),
}))
vi.mock(import('../../../renderer/connection/upload.ts'), () => ({ takeIn: vi.fn() }))
vi.mock(import('../../../renderer/files.ts'), async (original) => ({ ...(await original()), saveFile: vi.fn() }))

const seat = (name: string) => ({ name, rank: 1, score: 3, removed: false })
const summaries: Record<string, unknown> = {
  'h-a.jsonl': { game: 'toy', contest: 'c-1', match: 1, seats: [seat('Anna')] },
  'h-b.jsonl': { game: 'toy', contest: 'c-2', match: 2, seats: [seat('Ben')] },
  'h-in.jsonl': { game: 'toy', contest: 'c-3', match: 3, seats: [seat('Ida')] },
}
const signer = { name: 'this class', key: 'k', fingerprint: 'f' }
const verdictOn = (file: string): unknown =>
  file === 'h-b.jsonl'
    ? { ok: false, line: 4, message: 'changed <b>', events: 1, text: '{}' }
    : { ok: true, contest: 'c', match: 1, signer, replayed: true, checked: [], entries: [], notes: [] }
let pieces = 0

beforeEach(() => {
  const answers: Record<string, (input: never) => unknown> = {
    'histories.look': ({ file }: { file: string }) => {
      if (summaries[file] === undefined)
        throw new CallFailure({ code: 'refused', reason: 'history-invalid', message: `${file} is not a history.` })
      return summaries[file]
    },
    'histories.unpack': () => [
      { name: 'in.jsonl', file: 'h-in.jsonl', message: null },
      { name: 'x.exe', file: null, message: 'It is not a history.' },
    ],
    'histories.verifyFiles': ({ files }: { files: string[] }) =>
      files.map((file) => ({ file, verdict: verdictOn(file), message: null })),
    'histories.compare': () => ({ same: false, line: 7, first: 'one', second: '' }),
    'histories.stop': () => null,
    'histories.archive': () => ({ download: 'a', fileName: 'week.tar', matches: 2, leftOut: [] }),
    'downloads.piece': () => ({ content: btoa(`piece ${++pieces}`), part: pieces / 2, last: pieces === 2 }),
    'downloads.drop': () => null,
    'histories.bringComments': ({ file }: { file: string }) =>
      file.includes('bad') ? 'These are not comments.' : null,
  }
  pieces = 0
  vi.mocked(call as (name: string, input: never) => Promise<unknown>).mockImplementation(async (name, input) =>
    answers[name]!(input),
  )
  vi.mocked(takeIn).mockImplementation((file) => {
    const taken = Promise.resolve(`h-${file.name}`)
    return { known: taken, taken, stop: () => undefined }
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

async function drop(...names: string[]): Promise<HTMLElement> {
  render(OpenFile, { onopen: () => undefined })
  const files = names.map((name) => new File(['x'], name))
  await fireEvent.change(screen.getByLabelText(/Open history files/), { target: { files } })
  return screen.findByRole('region', { name: 'Opened files' })
}
const rows = (list: HTMLElement): readonly string[] =>
  within(list)
    .getAllByRole('listitem')
    .map((row) => row.textContent.replaceAll(/\s+/g, ' ').trim())

test('several files and an archive open as one list; each that is bad has its sentence and the others are verified', async () => {
  const list = await drop('a.jsonl', 'b.jsonl', 'week.tar', 'c.txt')
  await within(list).findByText('2 genuine, 1 not genuine, 2 could not be read')
  const shown = rows(list)
  expect(shown).toHaveLength(5)
  expect(shown[1]).toContain('Line 4: changed <b>')
  expect(list.querySelector('b')).toBeNull()
  // The name that tells the files of an archive apart stands first.
  expect(shown[2]).toContain('in.jsonl week.tar/')
  expect(shown[3]).toContain('It is not a history.')
  expect(shown[4]).toContain('h-c.txt is not a history.')
})

test('the list is filtered by text and by verdict', async () => {
  const list = await drop('a.jsonl', 'b.jsonl', 'c.txt')
  await within(list).findByText('1 genuine, 1 not genuine, 1 could not be read')
  await fireEvent.input(within(list).getByLabelText('Filter'), { target: { value: 'ben' } })
  expect(rows(list)).toEqual([expect.stringContaining('b.jsonl')])
  await fireEvent.input(within(list).getByLabelText('Filter'), { target: { value: '' } })
  await fireEvent.change(within(list).getByLabelText('Verdict'), { target: { value: 'failed' } })
  expect(rows(list)).toEqual([expect.stringContaining('c.txt')])
})

test('two files are compared', async () => {
  const list = await drop('a.jsonl', 'b.jsonl')
  await within(list).findByText('1 genuine, 1 not genuine')
  for (const name of ['a.jsonl', 'b.jsonl']) await fireEvent.click(within(list).getByLabelText(`Compare ${name}`))
  expect((await within(list).findByText(/differ from line 7/)).parentElement!.textContent).toContain(
    'The file ends here.',
  )
})

test('files beyond the limit are not taken silently', async () => {
  const list = await drop(...Array.from({ length: 501 }, () => 'a.jsonl'))
  expect(within(list).getByRole('alert').textContent).toContain('at most 500 files')
})

test('an archive is fetched piece by piece and saved; a stopped one is dropped and not saved', async () => {
  const archive = createArchiveExport()
  await archive.run({ of: 'contest', contest: 'c-1' })
  const [name, content] = vi.mocked(saveFile).mock.calls[0]!
  expect([name, await (content as Blob).text()]).toEqual(['week.tar', 'piece 1piece 2'])
  vi.mocked(saveFile).mockClear()
  pieces = 0
  const running = archive.run({ of: 'contest', contest: 'c-1' })
  archive.stop()
  await running
  expect(saveFile).not.toHaveBeenCalled()
  expect(call).toHaveBeenCalledWith('downloads.drop', { download: 'a' })
})

test('a dropped folder brings its comments and shows its key; read-me files are left out', async () => {
  const key = `tartaglia-ed25519:${'0f'.repeat(32)}`
  const inFolder = (path: string, text = 'x'): File =>
    Object.defineProperty(new File([text], path.split('/').at(-1)!), 'webkitRelativePath', { value: path })
  render(OpenFile, { onopen: () => undefined })
  const files = [
    inFolder('week/class.pub', `${key}\n`),
    inFolder('week/README.txt'),
    inFolder('week/a.jsonl'),
    inFolder('week/a.comments.json', '{}'),
    inFolder('week/bad.comments.json', '{}'),
    inFolder('week/other.pub', 'ssh-rsa'),
  ]
  await fireEvent.change(screen.getByLabelText(/Open history files/), { target: { files } })
  const list = await screen.findByRole('region', { name: 'Opened files' })
  await within(list).findByText('1 genuine, 2 could not be read')
  expect(within(list).getByRole('note').textContent).toContain(key)
  expect(call).toHaveBeenCalledWith('histories.bringComments', { file: 'h-a.comments.json' })
  const shown = rows(list)
  expect(shown).toHaveLength(3)
  expect(shown.join()).toContain('other.pub week/ It is neither')
  expect(shown.join()).toContain('bad.comments.json week/ These are not comments.')
})

test('files that are dropped while others are verified are verified once, and after them', async () => {
  const list = createFileList()
  const given = (name: string) => ({ file: new File(['x'], name), path: name })
  await Promise.all([list.add([given('a.jsonl')]), list.add([given('b.jsonl')])])
  const verified = vi.mocked(call).mock.calls.filter(([name]) => name === 'histories.verifyFiles')
  expect(verified.map(([, input]) => input)).toEqual([{ files: ['h-a.jsonl'] }, { files: ['h-b.jsonl'] }])
  expect(list.work).toBeNull()
})

test('an archive tells how many of its files are looked at', async () => {
  const list = createFileList()
  const said: (string | undefined)[] = []
  const looked = vi.mocked(call).getMockImplementation()!
  vi.mocked(call).mockImplementation(((name: never, input: never) => {
    if (name === 'histories.look' && (input as { file: string }).file === 'h-in.jsonl') said.push(list.work?.text)
    return looked(name, input)
  }) as typeof call)
  await list.add([{ file: new File(['x'], 'week.tar'), path: 'week.tar' }])
  expect(said).toEqual(['Opening 1 of 1 files… week.tar: 1 of 2 files'])
})

test('an export ends when its screen is left, and says beside its button why it failed', async () => {
  let next: () => void = () => undefined
  const answer = vi.mocked(call).getMockImplementation()!
  vi.mocked(call).mockImplementation((async (name: never, input: never) => {
    if (name === 'downloads.piece') await new Promise<void>((resolve) => (next = resolve))
    return answer(name, input)
  }) as typeof call)
  const { unmount } = render(ExportArchive, { wish: { of: 'contest', contest: 'c-1' }, text: 'Export' })
  await fireEvent.click(screen.getByRole('button', { name: 'Export' }))
  await screen.findByText('Exporting…')
  await vi.waitFor(() => expect(call).toHaveBeenCalledWith('downloads.piece', { download: 'a' }))
  unmount()
  next()
  await vi.waitFor(() => expect(call).toHaveBeenCalledWith('downloads.drop', { download: 'a' }))
  expect(saveFile).not.toHaveBeenCalled()

  vi.mocked(call).mockRejectedValue(new CallFailure({ code: 'refused', message: 'No match fits.' }))
  render(ExportArchive, { wish: { of: 'contest', contest: 'c-1' }, text: 'Export' })
  await fireEvent.click(screen.getByRole('button', { name: 'Export' }))
  expect((await screen.findByRole('alert')).textContent).toBe('No match fits.')
})
