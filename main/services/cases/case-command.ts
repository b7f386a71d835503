import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { caseId, type CaseOutcome, type Stage } from '../../contract/cases/cases.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { readBytes } from '../files/read-file.ts'
import { writeNewFile } from '../files/output-file.ts'
import { whyZip } from '../histories/history-archive.ts'
import type { KnownSigners } from '../histories/known-signers.ts'
import { requireDataFolder } from '../machine/existing-class.ts'
import { foldLines, type FoldedCase } from './fold.ts'
import { caseIdsIn, recordOf } from './kept-case.ts'
import { recordText, transcript, transcriptLines } from './transcript.ts'
import { linesIn, RECORD_BYTES_MAX, verifyCaseLines, type CaseVerdict, type NotedHead } from './verify-case.ts'

// The cases of a data folder for the command line, which reads their records alone: it changes nothing and needs no lock.

/** A case in a list. `problem`: its record does not hold. */
export type ListedCase =
  | {
      readonly case: string
      readonly problem: null
      readonly contest: string
      readonly filer: string
      readonly other: string
      readonly rule: string
      readonly stage: Stage
      readonly deadline: string | null
      readonly outcome: CaseOutcome | 'open'
    }
  | { readonly case: string; readonly problem: string }

/** The lines of a record: of a case of the class, or of a file. Throws ExpectedError 'usage' for an unknown case. */
async function linesOfCase(
  data: string,
  id: string,
): Promise<{ readonly file: string; readonly lines: readonly string[] }> {
  // Nobody needs a class for the file of a record.
  if (!caseId.safeParse(id).success) {
    if (existsSync(id)) {
      const zip = await whyZip(id)
      if (zip !== null) throw new ExpectedError('usage', 'file-unreadable', zip)
      return { file: id, lines: linesIn(await readBytes(id, RECORD_BYTES_MAX)) }
    }
    throw new ExpectedError(
      'usage',
      'case-unknown',
      `"${id}" is neither a case, such as case-1, nor a file that exists.`,
    )
  }
  requireDataFolder(data)
  if (!caseIdsIn(data).includes(id))
    throw new ExpectedError('usage', 'case-unknown', `The case "${id}" is unknown in ${data}.`)
  const file = recordOf(data, id)
  const bytes = await readBytes(file, RECORD_BYTES_MAX)
  // While the program runs, the last line may be on its way.
  return { file, lines: linesIn(bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1)) }
}

/** The cases of a class, the first one first. Throws ExpectedError 'usage' if there is no data folder. */
export async function listCaseRecords(data: string): Promise<readonly ListedCase[]> {
  requireDataFolder(data)
  return Promise.all(
    caseIdsIn(data).map(async (id) => {
      const { lines } = await linesOfCase(data, id)
      const folded = foldLines(lines, null)
      if (!folded.ok) return { case: id, problem: `line ${folded.line}: ${folded.message}` }
      const { filed, stage, deadline, outcome } = folded.state
      const [filer, other] = [filed.filer, filed.other].map((party) => (party.who === 'team' ? party.name : 'educator'))
      return {
        ...{ case: id, problem: null, contest: filed.contest, filer: filer!, other: other!, rule: filed.rule.id },
        ...{ stage, deadline, outcome },
      }
    }),
  )
}

/** Verifies the record of a case. `heads`: those that somebody has noted. */
export async function verifyCaseRecord(
  data: string,
  id: string,
  options: { readonly signers: KnownSigners; readonly mustBeKnown: boolean; readonly heads: readonly NotedHead[] },
): Promise<CaseVerdict> {
  const { file, lines } = await linesOfCase(data, id)
  return verifyCaseLines(file, lines, options)
}

async function foldedCase(data: string, id: string): Promise<FoldedCase> {
  const { file, lines } = await linesOfCase(data, id)
  const folded = foldLines(lines, null)
  if (folded.ok) return folded
  throw new ExpectedError(
    'verdict',
    'case-damaged',
    `${file}:${folded.line}: the record does not hold: ${folded.message}.`,
  )
}

/** A case in sentences. Throws ExpectedError if there is none, or its record does not hold. */
export async function showCaseRecord(
  data: string,
  id: string,
): Promise<{ readonly folded: FoldedCase; readonly lines: readonly string[] }> {
  const folded = await foldedCase(data, id)
  // The texts of people and rules may have several lines.
  const lines = transcriptLines({ id: folded.state.id, ...folded }).flatMap((line) =>
    line
      .trimEnd()
      .split('\n')
      .map((part, at) => (at === 0 || part === '' ? part : `    ${part}`)),
  )
  return { folded, lines }
}

/** Writes the record and its transcript into a folder. Throws ExpectedError, also if the files exist. */
export async function exportCaseRecord(data: string, name: string, to: string): Promise<readonly string[]> {
  const folded = await foldedCase(data, name)
  const { id } = folded.state
  mkdirSync(to, { recursive: true })
  const files = [
    [join(to, `${id}.jsonl`), recordText(folded)],
    [join(to, `${id}.html`), transcript({ id, ...folded })],
  ] as const
  for (const [path, text] of files) writeNewFile(path, text)
  return files.map(([path]) => path)
}
