import { rm } from 'node:fs/promises'
import type { ContestId, MatchNumber } from '../../contract/ids.ts'
import type {
  FileVerification,
  HistoryFilter,
  HistoryVerdict,
  VerifiedMany,
} from '../../contract/procedures/procedures.ts'
import { sourceName, type MatchSource } from '../../contract/histories/match-source.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Exporter } from '../../histories/export.ts'
import { passingKey, type PublicKey } from '../../histories/keys.ts'
import type { FinishedRow } from '../../histories/segments/finished-pages.ts'
import { verifyMatch as verifyBytes, type VerifyVerdict } from '../../histories/verify.ts'
import { verifyListed } from './listed-files.ts'
import type { OpenedFile } from './opened-files.ts'
import type { Following } from '../background-tasks.ts'
import { knownSigners } from '../histories/known-signers.ts'
import { verdictInWords } from '../histories/verify-histories.ts'
import type { Series } from '../histories/verifications.ts'
import { verifyMany, wantedMatches, type WantedMatch } from '../histories/verify-many.ts'
import { type OpenMatches, finished, reading, exporter, placeIn } from './open-matches.ts'

type FileSource = MatchSource & { readonly from: 'file' }

/** Verifies opened files in one process, and keeps the verdicts. */
export async function verifyFiles(state: OpenMatches, files: readonly string[]): Promise<readonly FileVerification[]> {
  const series = state.verifier.series()
  try {
    return await verifyListed(files, (file) => verifyFile(state, { from: 'file', file }, alone(), series))
  } finally {
    series.close()
  }
}

/** For a verification that nobody follows. */
export function alone(signal = new AbortController().signal): Following {
  return { signal, onPart: () => undefined }
}

/** The signer is looked up at each request, because the class may have come to trust its key meanwhile. */
function inWords(state: OpenMatches, verdict: VerifyVerdict): HistoryVerdict {
  return verdictInWords(verdict, knownSigners(state.home.key.publicKey, state.home.content.settings.trustedKeys))
}

/** Verifies an opened file, or returns the verdict that was kept. */
export async function verifyFile(
  state: OpenMatches,
  source: FileSource,
  following: Following,
  verifier: Pick<Series, 'verify'> = state.verifier,
): Promise<HistoryVerdict> {
  const file = state.opened.get(source.file)
  // Only after the read is it certain what was verified.
  file.verdict ??= await reading(state, source, () => verifyOpened(verifier, file, following))
  return inWords(state, file.verdict)
}

async function verifyOpened(
  verifier: Pick<Series, 'verify'>,
  file: OpenedFile,
  following: Following,
): Promise<VerifyVerdict> {
  await Promise.race([file.whole, stopped(following.signal)])
  if (file.bytes === 0) return verifyBytes(new Uint8Array())
  return verifier.verify(file.path, null, following)
}

/**
 * The matches of one contest of the class, as they would be exported. The seals of its segments, which the record was read by, prove
 * that the class has signed them, so its public key is enough: the root of these exports is signed with a key that nobody keeps.
 */
interface Exports {
  readonly contest: ContestId
  readonly exporter: Exporter
  /** The key of the root. */
  readonly key: PublicKey
}

async function exportsOf(state: OpenMatches, contest: ContestId): Promise<Exports> {
  const key = passingKey()
  const record = await state.contests.record(contest)
  return { contest, exporter: await exporter(state, contest, record, key), key: key.publicKey }
}

/** Verifies a match as it would be exported, and keeps the verdict. `verify` gets the key that must have signed the file. */
async function verifyExported(
  state: OpenMatches,
  { contest, exporter, key }: Exports,
  row: FinishedRow,
  verify: (file: string, key: PublicKey) => Promise<VerifyVerdict>,
): Promise<HistoryVerdict> {
  const file = await state.opened.scratch()
  const source = { from: 'contest', contest, match: row.match } as const
  try {
    return await state.keptVerdicts.following(sourceName(source), placeIn(state, contest, row), async () => {
      await exporter.write(row.match, 'none', file)
      return inWords(state, signedByClass(await verify(file, key), state.home.key.publicKey))
    })
  } finally {
    await rm(file, { force: true })
  }
}

/** The verdict on a match of the class, with the class as its signer. */
function signedByClass(verdict: VerifyVerdict, key: PublicKey): VerifyVerdict {
  return verdict.ok ? { ok: true, match: { ...verdict.match, key } } : verdict
}

/** Verifies a match of the class. Throws ExpectedError 'usage' if it is not finished. */
export async function verifyMatch(
  state: OpenMatches,
  contest: ContestId,
  match: MatchNumber,
  following: Following,
): Promise<HistoryVerdict> {
  const [, row] = await finished(state, contest, match)
  return verifyExported(state, await exportsOf(state, contest), row, (file, key) =>
    state.verifier.verify(file, key, following),
  )
}

/** Verifies all matches that a filter wants, in one process. */
export async function verifyWanted(
  state: OpenMatches,
  filter: HistoryFilter,
  following: Following,
): Promise<VerifiedMany> {
  const found = await wantedMatches(state.contests, state.home.content.contests.toReversed(), filter)
  const series = state.verifier.series()
  // Only the current contest's: an exporter holds its whole record, and matches come contest by contest.
  let current: Exports | null = null
  const verify = async ({ contest: { id }, row }: WantedMatch): Promise<HistoryVerdict> => {
    if (current?.contest !== id) current = await exportsOf(state, id)
    const unseen = alone(following.signal)
    return verifyExported(state, current, row, (file, key) => series.verify(file, key, unseen))
  }
  try {
    return await verifyMany(found, verify, following)
  } finally {
    series.close()
  }
}

/** Rejects when the signal aborts. */
function stopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new ExpectedError('stopped', 'stopped', 'The verification was stopped.'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
