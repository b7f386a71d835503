import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { dossierReport, type DossierReport } from '../../contract/evidence/dossier-report.ts'
import { lineFacts } from '../../contract/evidence/dossiers.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { sha256Hex, type Sha256 } from '../../contract/ids.ts'
import { sha256 } from '../../histories/canonical.ts'
import { fileSource } from '../../histories/history-source.ts'
import { readExportedMatch } from '../../histories/match-file.ts'
import { games } from '../../referees/games.ts'
import { readingJob } from '../machine/reading.ts'
import { zipPieces } from '../packages/zip.ts'
import { checkDossier } from './check-dossier.ts'
import type { CopiedHistory, WrittenFiles } from './dossier-files.ts'
import { openDossier } from './open-dossier.ts'
import { tellInstead, tellPlayed, type OtherCourse, type PlayedCourse } from './other-courses.ts'
import { tellLines, type ToldMatch, type WantedLine } from './told-lines.ts'

// The files of strangers, and matches that have to be played again through the rules, are read in another process.

const whole = z.int().min(0)
const told = z.strictObject({
  head: sha256Hex,
  agents: z.array(sha256Hex),
  lines: z.array(
    z.strictObject({ line: whole, hash: sha256Hex, move: whole, facts: lineFacts, sentences: z.array(z.string()) }),
  ),
})

/** Tells lines of an exported match, a file. */
export const tellLinesJob = readingJob<{ readonly file: string; readonly wanted: readonly WantedLine[] }, ToldMatch>({
  name: 'tell-lines',
  what: 'the match',
  result: told,
  read({ file, wanted }, onProgress) {
    return undamaged(tellLines(fileSource(file), wanted, (id) => games.get(id), onProgress))
  },
})

/** Tells what would have followed in an exported match, a file. */
export const tellInsteadJob = readingJob<{ readonly file: string; readonly course: OtherCourse }, readonly string[]>({
  name: 'tell-instead',
  what: 'the match',
  result: z.array(z.string()),
  read({ file, course }, onProgress) {
    return undamaged(tellInstead(fileSource(file), course, (id) => games.get(id), onProgress))
  },
})

const sentences = z.array(z.string())

/** Compares the lines of a new run of a match, a file, with the exported match. */
export const tellPlayedJob = readingJob<{ readonly file: string; readonly run: string }, PlayedCourse>({
  name: 'tell-played',
  what: 'the match',
  result: z.strictObject({
    same: z.boolean(),
    result: z.string(),
    differs: z.strictObject({ move: whole, recorded: sentences, again: sentences }).nullable(),
  }),
  read({ file, run }, onProgress) {
    return undamaged(tellPlayed(fileSource(file), fileSource(run), (id) => games.get(id), onProgress))
  },
})

function undamaged<T>(found: T | string): T {
  if (typeof found === 'string')
    throw new ExpectedError('verdict', 'history-invalid', `The history is damaged: ${found}.`)
  return found
}

/** Copies an exported match whose chain has this head; null: it has another one. */
export const copyHistoryJob = readingJob<
  { readonly file: string; readonly head: Sha256; readonly into: string },
  CopiedHistory | null
>({
  name: 'copy-history',
  what: 'the match',
  result: z.strictObject({ sha256: sha256Hex, bytes: whole }).nullable(),
  async read({ file, head, into }, onProgress) {
    const found = readExportedMatch(fileSource(file), onProgress)
    if (!found.ok)
      throw new ExpectedError(
        'verdict',
        'history-invalid',
        `The history is damaged: line ${found.line}: ${found.message}.`,
      )
    if (found.file.head !== head) return null
    await copyFile(file, into)
    const bytes = await readFile(into)
    return { sha256: sha256(bytes), bytes: bytes.length }
  },
})

/** Packs the files of a dossier, which lie in a folder, into a zip with one folder. */
export const zipDossierJob = readingJob<
  { readonly folder: string; readonly files: WrittenFiles; readonly into: string },
  null
>({
  name: 'zip-dossier',
  what: 'the dossier',
  result: z.null(),
  read({ folder, files, into }) {
    function* contents(): Generator<readonly [string, Uint8Array]> {
      for (const [path, name] of files) yield [`dossier/${path}`, readFileSync(join(folder, name))]
    }
    const zip = openSync(into, 'w', 0o600)
    try {
      for (const piece of zipPieces(contents())) for (let at = 0; at < piece.length;) at += writeSync(zip, piece, at)
    } finally {
      closeSync(zip)
    }
    return null
  },
})

interface DossierOrder {
  readonly path: string
  /** Its name for people. */
  readonly name: string
  /** The names of signers by their keys as text. */
  readonly known: readonly (readonly [key: string, name: string])[]
  /** The folder for its histories: `0.jsonl` and so on, in the order of the report. */
  readonly into: string
}

/** Checks a downloaded dossier, and unpacks its histories under names of ours. */
export const dossierJob = readingJob<DossierOrder, DossierReport>({
  name: 'dossier',
  what: 'the dossier',
  // Up to 60 MB of matches are played again through the rules.
  long: true,
  result: dossierReport,
  async read({ path, name, known, into }, onProgress) {
    const files = await openDossier(path, name)
    const report = checkDossier(files, { known: new Map(known), games: (id) => games.get(id), onProgress })
    for (const [index, history] of report.histories.entries())
      await writeFile(join(into, `${index}.jsonl`), files.get(history.path)!, { mode: 0o600 })
    return report
  },
})
