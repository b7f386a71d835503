import { stat } from 'node:fs/promises'
import type { CaseId, CaseOutcome, Stage } from '../../contract/cases/cases.ts'
import type { Sha256 } from '../../contract/ids.ts'
import type { Signer } from '../../contract/histories/trusted-keys.ts'
import { readCaseLine } from '../../histories/case-lines.ts'
import { fingerprint, parseKeyText } from '../../histories/keys.ts'
import { readBytes, readPieces } from '../files/read-file.ts'
import type { KnownSigners } from '../histories/known-signers.ts'
import { foldLines } from './fold.ts'

/** The maximum size of a record. */
export const RECORD_BYTES_MAX = 256 * 1024 * 1024

/** The verdict on the record of a case. `line`: the first faulty one, from 1. */
export type CaseVerdict =
  | {
      readonly file: string
      readonly ok: true
      readonly case: CaseId
      readonly entries: number
      readonly head: Sha256
      readonly stage: Stage
      readonly outcome: CaseOutcome | 'open'
      /** `name` null: the key is not known, so the signatures were not checked. */
      readonly signer: Pick<Signer, 'name' | 'fingerprint'>
    }
  | { readonly file: string; readonly ok: false; readonly line: number; readonly message: string }

/** A head that somebody has noted: the one after entry `n`. */
export interface NotedHead {
  readonly n: number
  readonly head: Sha256
}

interface VerifyCaseOptions {
  readonly signers: KnownSigners
  /** A signer that is not known makes the record not genuine, because the caller has named the key. */
  readonly mustBeKnown: boolean
  /** Heads that the record must have: they show an entry that the holder of the class's key has changed. */
  readonly heads?: readonly NotedHead[]
}

/** Verifies a file that may be the record of a case; null: it is something else. Throws ExpectedError 'usage' if it cannot be read. */
export async function verifyCaseFile(file: string, options: VerifyCaseOptions): Promise<CaseVerdict | null> {
  const lines = await caseLinesOf(file)
  return lines === null ? null : verifyCaseLines(file, lines, options)
}

/** How every record begins, since its lines are in canonical form. */
const BEGINNING = '{"b":{"act":{'

/** The lines of a record; null: the file is something else. */
async function caseLinesOf(file: string): Promise<readonly string[] | null> {
  // A pipe can be read only once, and is left to the reader of matches.
  if ((await stat(file).catch(() => null))?.isFile() !== true) return null
  const pieces = readPieces(file)
  const begin = await pieces.next()
  await pieces.return(undefined)
  if (begin.done === true || Buffer.from(begin.value).toString('latin1', 0, BEGINNING.length) !== BEGINNING) return null
  return linesIn(await readBytes(file, RECORD_BYTES_MAX))
}

/**
 * A last line without its line break is a line, too: it shows that something was cut off. A line that is not UTF-8, or begins with a byte
 * order mark, is not an entry: other bytes are never read as the same text.
 */
export function linesIn(bytes: Uint8Array): readonly string[] {
  const lines: string[] = []
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(0x0a, from)
    const to = end < 0 ? bytes.length : end
    lines.push(decoded(bytes.subarray(from, to)))
    from = to + 1
  }
  return lines
}

function decoded(line: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line)
  } catch {
    return ''
  }
}

/** Verifies the lines of a record. */
export function verifyCaseLines(
  file: string,
  lines: readonly string[],
  { signers, mustBeKnown, heads = [] }: VerifyCaseOptions,
): CaseVerdict {
  const bad = (line: number, message: string): CaseVerdict => ({ file, ok: false, line, message })
  const first = readCaseLine(lines[0] ?? '')
  if (typeof first === 'string') return bad(1, first)
  const { class: of } = first.b
  const signer = [...signers].find(([text]) => fingerprint(parseKeyText(text)!) === of)
  if (signer === undefined && mustBeKnown)
    return bad(1, `it was not signed with the given key, but with that of fingerprint ${of}`)
  const folded = foldLines(lines, signer === undefined ? null : parseKeyText(signer[0]))
  if (!folded.ok) return bad(folded.line, folded.message)
  const { state, entries } = folded
  const other = heads.find(({ n, head }) => entries[n - 1]?.h !== head)
  if (other !== undefined) return bad(Math.min(other.n, entries.length), 'its head is not the one that was noted')
  return {
    ...{ file, ok: true, case: state.id, entries: entries.length, head: entries.at(-1)!.h },
    ...{ stage: state.stage, outcome: state.outcome, signer: { name: signer?.[1] ?? null, fingerprint: of } },
  }
}
