import {
  longestLine,
  type HeaderBody,
  type HistoryBody,
  type OutcomeBody,
  type ProofBody,
} from '../contract/histories/history.ts'
import type { Sha256 } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import { hashOf } from './canonical.ts'
import { commit, linkHash, saltOf, tagOf, type ChainValue } from './chain.ts'
import { asMismatch, mismatch, type Mismatch } from './mismatch.ts'
import { readHistoryLine } from './read-line.ts'
import type { ReplayStep } from './replay.ts'
import type { LineFault } from './segments/segment-check.ts'
import { sourceLines, type HistorySource } from './history-source.ts'

/** An exported match with consistent lines; verify.ts checks the replay and the signature. */
export interface ExportedMatch {
  readonly header: HeaderBody
  readonly config: Json
  readonly description: Json
  readonly outcome: OutcomeBody
  readonly head: Sha256
  readonly proof: ProofBody
  /** The line of the first input, checkpoint or outcome. */
  readonly begins: number
  readonly inputs: number
  readonly faults: number
  /** The number of private lines that the export left out. */
  readonly redacted: number
  readonly lines: number
}

/** The parts of the file read so far. */
interface Draft {
  line: number
  readonly blobs: Map<Sha256, Json>
  readonly salts: { readonly line: number; readonly n: number; readonly salt: Sha256 }[]
  header: HeaderBody | null
  outcome: OutcomeBody | null
  proof: ProofBody | null
  n: number
  h: ChainValue
  begins: number | null
  inputs: number
  faults: number
  redacted: number
}

/**
 * Reads an exported match strictly, line by line, up to the first problem. Throws only the source's own error, whatever
 * the bytes. `onRead` is called with the number of bytes of each line.
 */
export function readExportedMatch(
  source: HistorySource,
  onRead: (bytes: number) => void = () => undefined,
): { readonly ok: true; readonly file: ExportedMatch } | ({ readonly ok: false } & LineFault) {
  const draft: Draft = {
    line: 0,
    blobs: new Map(),
    salts: [],
    header: null,
    outcome: null,
    proof: null,
    n: 0,
    h: '',
    begins: null,
    inputs: 0,
    faults: 0,
    redacted: 0,
  }
  const fault = (found: Mismatch, line = draft.line) => ({ ok: false as const, line, ...found })
  const bad = (message: string, line = draft.line) => fault({ message }, line)
  for (const { bytes, whole } of sourceLines(source)) {
    draft.line++
    if (draft.proof !== null) return bad('the file continues after its proof')
    const read = readHistoryLine(bytes)
    if (!whole && bytes.length <= longestLine) return bad('the file ends in the middle of a line')
    if (!read.ok) return bad(read.message)
    const found = take(draft, read.body, read.digest, read.h)
    if (found !== null) return fault(found)
    onRead(bytes.length + 1)
  }
  const { header, outcome, proof, h: head, line: lines } = draft
  if (lines === 0) return bad('the file is empty', 1)
  if (header === null || outcome === null || proof === null || head === '') {
    return bad(
      `the file ends before its ${header === null ? 'header' : outcome === null ? 'outcome' : 'proof'}`,
      lines + 1,
    )
  }
  const { blobs, salts, begins, inputs, faults, redacted } = draft
  const wrong = salts.find(({ n, salt }) => salt !== saltOf(outcome.nonce, n))
  if (wrong !== undefined) {
    const { n, salt, line: at } = wrong
    return fault(mismatch('the salt of the input does not match the nonce', saltOf(outcome.nonce, n), salt), at)
  }
  // `take` has refused a header with a missing blob.
  const [config, description] = [blobs.get(header.config) ?? null, blobs.get(header.description) ?? null]
  return {
    ok: true,
    file: {
      ...{ header, config, description, outcome, head: proof.head, proof },
      ...{ begins: begins ?? lines, inputs, faults, redacted, lines },
    },
  }
}

/**
 * The inputs, checkpoints and the outcome of a file that `readExportedMatch` has accepted, each with its line number.
 * Nothing is kept, so that a match of any length is replayed in bounded memory.
 */
export function* stepsOf(
  source: HistorySource,
  onRead: (bytes: number) => void,
): Generator<ReplayStep & { readonly line: number }> {
  let line = 0
  for (const { bytes } of sourceLines(source)) {
    line++
    const { b: body } = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')) as {
      readonly b: HistoryBody
    }
    if (body.k === 'input') yield { type: 'input', input: body.input, found: body.found, line }
    else if (body.k === 'checkpoint') yield { type: 'checkpoint', state: body.state, line }
    else if (body.k === 'outcome') {
      const { state, outcome, removals } = body
      yield { type: 'outcome', state, outcome, removals, line }
    }
    onRead(bytes.length + 1)
  }
}

/** Adds one line to the draft; returns what is wrong with it, or null. */
function take(draft: Draft, body: HistoryBody, digest: Sha256, h: Sha256): Mismatch | null {
  if (body.k === 'blob') return takeBlob(draft, body, digest, h)
  if (body.k === 'segment' || body.k === 'seal' || body.k === 'decision' || body.k === 'void')
    return { message: foreignFault(body.k) }
  const misplaced = orderFault(draft, body.k)
  if (misplaced !== null) return { message: misplaced }
  const reached = linkHash(draft.h, tagOf(body.k), body.k === 'redacted' ? body.digest : digest)
  if (h !== reached) return mismatch('the hash does not match the line and those before it', reached, h)
  if (body.k === 'proof') return takeProof(draft, body)
  const run = draft.header?.r ?? body.r
  if (body.n !== draft.n || body.r !== run) {
    return mismatch(
      `record ${body.n} of run ${body.r} instead of record ${draft.n} of the match`,
      `record ${draft.n} of run ${run}`,
      `record ${body.n} of run ${body.r}`,
    )
  }
  draft.n++
  draft.h = h
  return takeRecord(draft, body)
}

/** Why a line of a segment does not belong in an exported match. */
function foreignFault(kind: 'segment' | 'seal' | 'decision' | 'void'): string {
  return kind === 'segment'
    ? 'this is a segment of a contest: export its matches and verify those'
    : `a ${kind} line does not belong in an exported match`
}

/** Why a line of this kind does not belong here; null: it does. */
function orderFault({ header, outcome }: Draft, kind: HistoryBody['k']): string | null {
  if ((kind === 'header') !== (header === null)) {
    return header === null ? `a ${kind} line before the header` : 'a second header'
  }
  if ((kind === 'proof') !== (outcome !== null)) {
    return kind === 'proof' ? 'a proof before the outcome' : 'the match continues after its outcome'
  }
  return null
}

function takeProof(draft: Draft, body: ProofBody): Mismatch | null {
  draft.proof = body
  const { contest, match } = draft.header!
  if (body.head !== draft.h) return mismatch('the proof is for another head', draft.h, body.head)
  if (body.contest === contest && body.match === match) return null
  const named = (of: { readonly contest: string; readonly match: number }): string =>
    `match ${of.match} of ${of.contest}`
  return mismatch('the proof is for another match', named({ contest, match }), named(body))
}

function takeBlob(draft: Draft, body: HistoryBody & { k: 'blob' }, digest: Sha256, h: Sha256): Mismatch | null {
  if (draft.header !== null) return { message: 'a blob after the header' }
  const linked = linkHash('', '-', digest)
  if (h !== linked) return mismatch('the hash does not match the line', linked, h)
  const hashed = hashOf(body.value)
  if (hashed !== body.sha256) return mismatch('the value does not match its hash', hashed, body.sha256)
  if (draft.blobs.has(body.sha256)) return { message: 'the same blob twice' }
  draft.blobs.set(body.sha256, body.value)
  return null
}

type RunBody = Exclude<HistoryBody, { k: 'blob' | 'segment' | 'seal' | 'decision' | 'void' | 'proof' }>

function takeRecord(draft: Draft, body: RunBody): Mismatch | null {
  const { line } = draft
  if (body.k === 'input' || body.k === 'checkpoint' || body.k === 'outcome') draft.begins ??= line
  switch (body.k) {
    case 'header':
      draft.header = body
      return asMismatch(blobFault(draft, body))
    case 'input':
      draft.inputs++
      if ((body.audience === 'public') !== (body.salt === undefined))
        return { message: 'an input must have a salt if it is not public, and only then' }
      if (body.salt !== undefined) draft.salts.push({ line, n: body.n, salt: body.salt })
      return null
    case 'fault':
      draft.faults++
      return null
    case 'console':
      return null
    case 'redacted':
      draft.redacted++
      return null
    case 'checkpoint':
      return countFault('the checkpoint', draft, body.inputs)
    case 'outcome': {
      draft.outcome = body
      const committed = commit(body.seed, body.nonce)
      const { commitment } = draft.header!
      return (
        countFault('the outcome', draft, body.inputs) ??
        (committed === commitment
          ? null
          : mismatch('seed and nonce do not match the commitment in the header', commitment, committed))
      )
    }
  }
}

/** Why the blobs before a header are not those to which it refers; null: they are. */
function blobFault({ blobs }: Draft, { config, description }: HeaderBody): string | null {
  const wanted = new Set([config, description])
  for (const name of wanted) if (!blobs.has(name)) return `the blob ${name} is missing`
  return blobs.size === wanted.size ? null : 'the file contains a blob to which its header does not refer'
}

function countFault(what: string, { inputs }: Draft, counted: number): Mismatch | null {
  if (counted === inputs) return null
  return mismatch(`${what} counts ${counted} inputs, but there are ${inputs} before it`, inputs, counted)
}
