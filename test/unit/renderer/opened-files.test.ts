import { beforeEach, expect, test, vi } from 'vitest'
import type { EvidenceReference } from '../../../main/contract/evidence/evidence-reference.ts'
import { call, CallFailure } from '../../../renderer/connection/client.ts'
import { uploadOpened } from '../../../renderer/connection/upload.ts'
import { openedFiles, openFiles } from '../../../renderer/screens/evidence/opened-files.svelte.ts'
import { dossierOf, openedHistory } from '../../../renderer/screens/evidence/opened-histories.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))
vi.mock(import('../../../renderer/connection/upload.ts'), () => ({ uploadOpened: vi.fn() }))

const reference = (head: string, match: number) => ({ contest: 'c-1', match, head, move: 3 })
const path = (match: number): string => `histories/c-1/match-000${match}.jsonl`
/** A dossier of three events: of an intact match, of one that was changed, and one that does not hold. */
const dossier = {
  report: {
    verdict: 'genuine',
    histories: [
      { path: path(1), verdict: 'genuine' },
      { path: path(2), verdict: 'not-genuine' },
    ],
    dossier: {
      items: [
        { kind: 'event', id: 'one', reference: reference('a', 1) },
        { kind: 'event', id: 'two', reference: reference('b', 2) },
        { kind: 'event', id: 'three', reference: reference('c', 1) },
        { kind: 'note', id: 'four', text: 'x' },
      ],
    },
    items: [
      { id: 'one', problem: null },
      { id: 'two', problem: null },
      { id: 'three', problem: 'its history is another one' },
      { id: 'four', problem: null },
    ],
  },
  files: { [path(1)]: 'first', [path(2)]: 'second' },
}

beforeEach(() => {
  const answers: Record<string, (file: string) => unknown> = {
    'dossiers.open': (file) => {
      if (file === 'h-bad.zip')
        throw new CallFailure({ code: 'refused', reason: 'dossier-invalid', message: 'It is not a dossier.' })
      return dossier
    },
    'cases.open': () => ({
      verdict: 'not-genuine',
      problem: { line: 2, message: 'changed' },
      signer: null,
      view: null,
    }),
  }
  vi.mocked(call as (name: string, input: { file: string; files: string[] }) => Promise<unknown>).mockImplementation(
    async (name, { file, files }) =>
      name === 'histories.verifyFiles'
        ? files.map(() => ({ verdict: { ok: true, signer: { name: null } }, message: null }))
        : answers[name]!(file),
  )
  vi.mocked(uploadOpened).mockImplementation((file) => ({
    taken: Promise.resolve(`h-${file.name}`),
    stop: () => undefined,
  }))
})

const given = (name: string, content = '') => ({ file: new File([content], name), path: `week/${name}` })
const caseRecord = given('case-1.jsonl', '{"b":{"act":{"do":"filed"')
const match = given('match.jsonl', '{"b":{"k":"blob"')

test('a single file leads to its own screen, whatever lies beside it', async () => {
  expect(await openFiles([given('a.zip'), given('notes.txt')])).toBe('#/evidence/file/h-a.zip')
  expect(openedFiles.leftOut).toEqual(['week/notes.txt'])
  expect(await openFiles([caseRecord])).toBe('#/hearings/file/h-case-1.jsonl')
  expect(openedFiles.leftOut).toEqual([])
  expect(await openFiles([match])).toBe('#/histories/file/h-match.jsonl')
  expect(openedFiles.all).toEqual([])
  await expect(openFiles([given('notes.txt')])).rejects.toMatchObject({ reason: 'dossier-invalid' })
})

test('the files of a folder are listed with their verdicts, and an exhibit has the history of a dossier among them', async () => {
  expect(openedHistory(reference('a', 1) as EvidenceReference)).toBeUndefined()
  expect(await openFiles([match, given('bad.zip'), caseRecord, given('a.zip')])).toBeNull()
  expect(openedFiles.all.map(({ path: of, kind, verdict, problem }) => [of, kind, verdict, problem])).toEqual([
    ['week/a.zip', 'dossier', 'genuine', null],
    ['week/bad.zip', 'dossier', null, 'It is not a dossier.'],
    ['week/case-1.jsonl', 'case', 'not-genuine', null],
    ['week/match.jsonl', 'match', 'signer-unknown', null],
  ])
  expect(openedHistory(reference('a', 1) as EvidenceReference)).toBe('first')
  expect(dossierOf('first')).toBe('h-a.zip')
  // Neither a changed history nor another match of the same number.
  for (const head of ['b', 'c']) expect(openedHistory(reference(head, 1) as EvidenceReference)).toBeUndefined()
})

test('the folder of an unpacked dossier is opened as the zip that it was, and matches of other folders stay matches', async () => {
  const inFolder = (path: string, content: string) => ({ file: new File([content], path.split('/').at(-1)!), path })
  const manifest = inFolder('week 1/dossier/manifest.json', '{"files":{},"format":"tartaglia-dossier/1"}')
  const history = inFolder('week 1/dossier/histories/c-1/match-0001.jsonl', 'é\n'.repeat(1_000))
  const other = inFolder('week 1/dossier-of-others/manifest.json', '{"format":"another"}')
  expect(await openFiles([history, manifest, other])).toBe('#/evidence/file/h-dossier.zip')
  const [zip] = vi.mocked(uploadOpened).mock.lastCall!
  // The zip itself is read in test/unit/packages/stored-zip.test.ts.
  const inside = await zip.text()
  for (const each of [history, manifest]) expect(inside).toContain(`${each.path}${await each.file.text()}`)
  expect(inside).not.toContain('dossier-of-others')

  expect(await openFiles([history, manifest, { ...match, path: 'week 1/match.jsonl' }])).toBeNull()
  expect(openedFiles.all.map(({ path: of, kind }) => [of, kind])).toEqual([
    ['week 1/dossier', 'dossier'],
    ['week 1/match.jsonl', 'match'],
  ])
})
