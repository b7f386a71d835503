import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { passingFolder } from '../../administrator/classroom/scratch.ts'
import type { ContestId, MatchNumber } from '../../contract/ids.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { HistoryVerdict } from '../../contract/procedures/procedures.ts'
import { createExporter } from '../../histories/export.ts'
import { readKeys } from '../../histories/key-files.ts'
import { openedSeed } from '../../histories/seed-commitment.ts'
import { checkNewFile, writeNewFile } from '../files/output-file.ts'
import { knownSignersIn } from '../histories/known-signers.ts'
import { scanHistories } from '../histories/list-histories.ts'
import { createVerifier } from '../histories/verifications.ts'
import { verdictInWords } from '../histories/verify-histories.ts'
import { existingClass } from '../machine/existing-class.ts'
import { matchPage } from './match-page.ts'

/** A match of a data folder as a page. */
export interface PageOptions {
  /** The data folder, which is only read; a contest may be running in it. */
  readonly data: string
  readonly contest: ContestId
  readonly match: MatchNumber
  /** The page to write; it must not exist. */
  readonly html: string
}

/**
 * Exports a match of a data folder as a page that shows it without Tartaglia. Throws ExpectedError 'usage' if the match is not
 * finished, 'conflict' if the file exists, like `matchPage`, and MachineError; nothing is left of the file then.
 */
export async function exportPage(options: PageOptions): Promise<WrittenPage> {
  const { data, contest, match, html } = options
  checkNewFile(html)
  const scan = await scanHistories(data, contest)
  if (!scan.finished.has(match))
    throw new ExpectedError('usage', 'match-unknown', `Match ${match} of ${contest} is not finished or does not exist.`)
  const entry = (await existingClass(data)).contests.find(({ id }) => id === contest)
  const reveal = entry === undefined ? undefined : openedSeed(entry)
  const folder = passingFolder('export')
  try {
    const file = join(folder, 'match.jsonl')
    await (await createExporter({ ...scan, reveal }, readKeys(join(data, 'keys')))).write(match, 'none', file)
    return await pageOfFile({ file, data, html }, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** An exported match as a page. `data`: the data folder whose signers are known. Throws like `exportPage`. */
export async function exportFilePage(options: FilePage): Promise<WrittenPage> {
  checkNewFile(options.html)
  const folder = passingFolder('export')
  try {
    return await pageOfFile(options, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface FilePage {
  readonly file: string
  readonly data: string
  readonly html: string
}

interface WrittenPage {
  readonly bytes: number
  readonly verdict: HistoryVerdict
}

async function pageOfFile({ file, data, html }: FilePage, folder: string): Promise<WrittenPage> {
  const verifier = createVerifier()
  try {
    const following = { signal: new AbortController().signal, onPart: () => undefined }
    const verdict = verdictInWords(await verifier.verify(file, null, following), await knownSignersIn(data))
    const page = await matchPage({ file, verdict, scratch: async () => join(folder, 'states') })
    writeNewFile(html, page)
    return { bytes: Buffer.byteLength(page), verdict }
  } finally {
    verifier.close()
  }
}
