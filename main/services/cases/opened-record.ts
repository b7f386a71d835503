import { openedRecord } from '../../contract/cases/opened-case.ts'
import type { OpenedCase } from '../../contract/cases/case-procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type * as z from 'zod'
import { readCaseLine } from '../../histories/case-lines.ts'
import { readBytes } from '../files/read-file.ts'
import type { KnownSigners } from '../histories/known-signers.ts'
import { readingJob, readText } from '../machine/reading.ts'
import type { Matches } from '../matches/class-matches.ts'
import { viewRecord } from './case-view.ts'
import { foldLines } from './fold.ts'
import { linesIn, verifyCaseLines } from './verify-case.ts'

/** The maximum size of a record that is opened as a file; bytes. Above that the command line verifies it. */
const OPENED_BYTES_MAX = 8 * 1024 * 1024

interface RecordOrder {
  readonly path: string
  /** Its name for people. */
  readonly name: string
  /** The names of signers by their keys as text. */
  readonly known: readonly (readonly [key: string, name: string])[]
}

async function bytesOf(path: string, name: string): Promise<Uint8Array> {
  try {
    return await readBytes(path, OPENED_BYTES_MAX)
  } catch (error) {
    if (!(error instanceof ExpectedError) || error.code !== 'too-large') throw error
    throw new ExpectedError(
      'usage',
      'too-large',
      `${name} is larger than the ${OPENED_BYTES_MAX >> 20} MB that the window reads: check it with "tartaglia case verify FILE", and read it with "tartaglia case show FILE".`,
    )
  }
}

/** Verifies the record of a case that a stranger may have made, and reads it as far as it holds. */
export const caseRecordJob = readingJob<RecordOrder, z.infer<typeof openedRecord>>({
  name: 'case-record',
  what: 'the record of the case',
  result: openedRecord,
  async read({ path, name, known }) {
    const lines = linesIn(await bytesOf(path, name))
    const first = readCaseLine(lines[0] ?? '')
    if (typeof first === 'string')
      throw new ExpectedError('usage', 'case-damaged', `${name} is not the record of a case: ${first}.`)
    const verdict = verifyCaseLines(name, lines, { signers: new Map(known), mustBeKnown: false })
    const folded = foldLines(verdict.ok ? lines : lines.slice(0, verdict.line - 1), null)
    const { class: fingerprint } = first.b
    const recorded = folded.ok ? viewRecord({ id: folded.state.id, ...folded }) : null
    if (!verdict.ok)
      return {
        ...{ verdict: 'not-genuine', problem: { line: verdict.line, message: verdict.message }, recorded },
        signer: { name: null, fingerprint },
      }
    const { signer } = verdict
    return {
      verdict: signer.name === null ? 'signer-unknown' : 'genuine',
      problem: null,
      signer: { ...signer },
      recorded,
    }
  },
})

/** Reads the record of a case that was opened as a file. Rejects with ExpectedError `case-damaged` if it is something else. */
export async function openedCase(
  matches: Pick<Matches, 'withFile'>,
  file: string,
  known: KnownSigners,
): Promise<OpenedCase> {
  const { recorded, ...found } = await matches.withFile(file, (path, name) =>
    readText(caseRecordJob, { path, name, known: [...known] }),
  )
  if (recorded === null) return { ...found, view: null }
  const nothing = {
    part: null,
    hasActed: false,
    damage: null,
    me: null,
    undoable: [],
    steps: [],
    refusable: [],
    uncounted: null,
  }
  const people = recorded.people.map((person) => ({ ...person, name: null }))
  return { ...found, view: { ...recorded, ...nothing, people, now: recorded.entries.at(-1)!.at } }
}
