import {
  longestLine,
  type HeaderBody,
  type HistoryBody,
  type OutcomeBody,
  type ProofBody,
} from '../contract/history.ts'
import type { Sha256 } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import { hashOf } from './canonical.ts'
import { commit, link, saltOf, tagOf, type ChainValue } from './chain.ts'
import { readLine } from './read-line.ts'
import type { ReplayStep } from './replay.ts'
import type { LineFault } from './segment-check.ts'
import { linesOf, type HistorySource } from './history-source.ts'

/** An exported match with consistent lines; verify.ts checks the replay and the signature. */
export interface MatchFile {
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
export function readMatchFile(
  source: HistorySource,
  onRead: (bytes: number) => void = () => undefined,
): { readonly ok: true; readonly file: MatchFile } | ({ readonly ok: false } & LineFault) {
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
  const bad = (message: string, line = draft.line) => ({ ok: false as const, line, message })
  for (const { bytes, whole } of linesOf(source)) {
    draft.line++
    if (draft.proof !== null) return bad('the file continues after its proof')
    const read = readLine(bytes)
    if (!whole && bytes.length <= longestLine) return bad('the file ends in the middle of a line')
    if (!read.ok) return bad(read.message)
    const message = take(draft, read.body, read.digest, read.h)
    if (message !== null) return bad(message)
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
  if (wrong !== undefined) return bad('the salt of the input does not match the nonce', wrong.line)
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
 * The inputs, checkpoints and the outcome of a file that `readMatchFile` has accepted, each with its line number.
 * Nothing is kept, so that a match of any length is replayed in bounded memory.
 */
export function* stepsOf(
  source: HistorySource,
  onRead: (bytes: number) => void,
): Generator<ReplayStep & { readonly line: number }> {
  let line = 0
  for (const { bytes } of linesOf(source)) {
    line++
    const { b: body } = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')) as {
      readonly b: HistoryBody
    }
    if (body.k === 'input') yield { type: 'input', input: body.input, line }
    else if (body.k === 'checkpoint') yield { type: 'checkpoint', state: body.state, line }
    else if (body.k === 'outcome') {
      const { state, outcome, removals } = body
      yield { type: 'outcome', state, outcome, removals, line }
    }
    onRead(bytes.length + 1)
  }
}

/** Adds one line to the draft; returns the problem in words, or null. */
function take(draft: Draft, body: HistoryBody, digest: Sha256, h: Sha256): string | null {
  if (body.k === 'blob') return takeBlob(draft, body, digest, h)
  if (body.k === 'segment') return 'this is a segment of a contest: export its matches and verify those'
  if (body.k === 'seal' || body.k === 'void') {
    return `a ${body.k} line does not belong in an exported match`
  }
  if ((body.k === 'header') !== (draft.header === null)) {
    return draft.header === null ? `a ${body.k} line before the header` : 'a second header'
  }
  if ((body.k === 'proof') !== (draft.outcome !== null)) {
    return body.k === 'proof' ? 'a proof before the outcome' : 'the match continues after its outcome'
  }
  const linked = body.k === 'redacted' ? body.digest : digest
  if (h !== link(draft.h, tagOf(body.k), linked)) return 'the hash does not match the line and those before it'
  if (body.k === 'proof') {
    draft.proof = body
    const { contest, match } = draft.header!
    if (body.head !== draft.h) return 'the proof is for another head'
    return body.contest === contest && body.match === match ? null : 'the proof is for another match'
  }
  if (body.n !== draft.n || (draft.header !== null && body.r !== draft.header.r)) {
    return `record ${body.n} of run ${body.r} instead of record ${draft.n} of the match`
  }
  draft.n++
  draft.h = h
  return takeRecord(draft, body)
}

function takeBlob(draft: Draft, body: HistoryBody & { k: 'blob' }, digest: Sha256, h: Sha256): string | null {
  if (draft.header !== null) return 'a blob after the header'
  if (h !== link('', '-', digest)) return 'the hash does not match the line'
  if (hashOf(body.value) !== body.sha256) return 'the value does not match its hash'
  if (draft.blobs.has(body.sha256)) return 'the same blob twice'
  draft.blobs.set(body.sha256, body.value)
  return null
}

type RunBody = Exclude<HistoryBody, { k: 'blob' | 'segment' | 'seal' | 'void' | 'proof' }>

function takeRecord(draft: Draft, body: RunBody): string | null {
  const { line } = draft
  if (body.k === 'input' || body.k === 'checkpoint' || body.k === 'outcome') draft.begins ??= line
  switch (body.k) {
    case 'header': {
      draft.header = body
      const wanted = new Set([body.config, body.description])
      for (const name of wanted) if (!draft.blobs.has(name)) return `the blob ${name} is missing`
      return draft.blobs.size === wanted.size ? null : 'the file contains a blob to which its header does not refer'
    }
    case 'input':
      draft.inputs++
      if ((body.audience === 'public') !== (body.salt === undefined))
        return 'an input must have a salt if it is not public, and only then'
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
      return body.inputs === draft.inputs
        ? null
        : `the checkpoint counts ${body.inputs} inputs, but there are ${draft.inputs} before it`
    case 'outcome':
      draft.outcome = body
      if (body.inputs !== draft.inputs)
        return `the outcome counts ${body.inputs} inputs, but there are ${draft.inputs} before it`
      if (commit(body.seed, body.nonce) !== draft.header!.commitment)
        return 'seed and nonce do not match the commitment in the header'
      return null
  }
}
