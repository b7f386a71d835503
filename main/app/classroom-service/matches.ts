import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { ContestRecord } from '../../administrator/contests/record.ts'
import { matchFacts } from '../../contract/history.ts'
import type { ContestId, MatchNumber } from '../../contract/ids.ts'
import type { HistoryVerdict, MatchDetail, MatchEvent, MatchSource, Page } from '../../contract/procedures.ts'
import { Trouble } from '../../contract/trouble.ts'
import { createExporter, exportName, type Exporter } from '../../histories/export.ts'
import { keyText } from '../../histories/keys.ts'
import type { FinishedRun } from '../../histories/run-book.ts'
import { segmentName } from '../../histories/seal.ts'
import type { Contests } from './contests.ts'
import { eventPage } from './match-events.ts'
import { indexMatch, type EventKind, type MatchIndex, type MatchPlace } from './match-index.ts'
import { createOpenedFiles } from './opened-files.ts'
import { createVerifier } from './verifier.ts'

interface Paging {
  readonly offset: number
  readonly limit: number
}

/** Finished matches of an open classroom and of files that were opened, read from their histories. */
export interface Matches {
  detail(source: MatchSource): Promise<MatchDetail>
  events(source: MatchSource, page: Paging): Promise<Page<MatchEvent>>
  /** All events of one kind, where they are few: faults, console lines. Cut off at a page's bytes. */
  only(contest: ContestId, match: MatchNumber, kind: EventKind): Promise<readonly MatchEvent[]>
  verify(source: MatchSource): Promise<HistoryVerdict>
  open(fileName: string, content: Uint8Array): Promise<{ readonly file: string; readonly verdict: HistoryVerdict }>
  exported(
    contest: ContestId,
    match: MatchNumber,
  ): Promise<{ readonly fileName: string; readonly content: string; readonly publicKey: string }>
  close(): Promise<void>
}

/** Matches whose indices are kept: going back and forth between some costs nothing. */
const INDICES_MAX = 8

interface Located {
  readonly place: MatchPlace
  readonly name: string
}

export function openMatches(home: ClassFolder, contests: Contests): Matches {
  const opened = createOpenedFiles()
  const verifier = createVerifier()
  const indices = new Map<string, Promise<MatchIndex>>()

  const finished = async (contest: ContestId, match: MatchNumber): Promise<[ContestRecord, FinishedRun]> => {
    contests.entry(contest)
    const record = await contests.record(contest)
    const run = record.finished.get(match)
    if (run !== undefined) return [record, run]
    throw new Trouble('usage', `Match ${match} of ${contest} is not finished, or there is none of that number.`)
  }

  const locate = async (source: MatchSource): Promise<Located> => {
    if (source.from === 'file') {
      const { name, path, bytes } = opened.get(source.file)
      return { place: { run: null, stretches: [{ path, from: 0, to: bytes }] }, name }
    }
    const { contest, match } = source
    const [, run] = await finished(contest, match)
    return { place: placeOf(contests.folder(contest), run), name: `Match ${match} of ${contest}` }
  }

  const indexOf = (source: MatchSource, { place, name }: Located): Promise<MatchIndex> => {
    const id = source.from === 'file' ? source.file : `${source.contest} ${source.match}`
    const index = indices.get(id) ?? indexMatch(place, name)
    indices.delete(id)
    indices.set(id, index)
    index.catch(() => indices.delete(id))
    const [oldest] = indices.keys()
    if (indices.size > INDICES_MAX && oldest !== undefined) indices.delete(oldest)
    return index
  }

  const exporter = (contest: ContestId, { finished }: ContestRecord): Exporter =>
    createExporter({ contest, dir: contests.folder(contest), finished }, home.key)

  /** A file of this class must bear its key; of another class's file only the file itself can be examined. */
  const verifyFile = async (file: string): Promise<HistoryVerdict> => {
    const { path } = opened.get(file)
    const source = { from: 'file', file } as const
    const key = await locate(source)
      .then((located) => indexOf(source, located))
      .then(
        (index) => index.key,
        // What is wrong with it is for the verification to say, with its line.
        () => null,
      )
    return verifier.verify(path, key === home.key.publicKey ? key : null)
  }

  const verifyMatch = async (contest: ContestId, match: MatchNumber): Promise<HistoryVerdict> => {
    const [record] = await finished(contest, match)
    const file = await opened.scratch()
    try {
      await exporter(contest, record).write(match, 'none', file)
      return await verifier.verify(file, home.key.publicKey)
    } finally {
      await rm(file, { force: true })
    }
  }

  return {
    async detail(source) {
      const { header, config, outcome, kinds } = await indexOf(source, await locate(source))
      const facts = matchFacts.strip().parse(header)
      return { facts, config, seed: outcome.seed, outcome: outcome.outcome, events: kinds.length }
    },

    async events(source, page) {
      const located = await locate(source)
      return eventPage(located.place, await indexOf(source, located), null, page)
    },

    async only(contest, match, kind) {
      const source = { from: 'contest', contest, match } as const
      const located = await locate(source)
      const index = await indexOf(source, located)
      const chosen = index.kinds.flatMap((each, at) => (each === kind ? [at] : []))
      return (await eventPage(located.place, index, chosen, { offset: 0, limit: chosen.length })).items
    },

    verify: (source) => (source.from === 'file' ? verifyFile(source.file) : verifyMatch(source.contest, source.match)),

    async open(fileName, content) {
      const file = await opened.add(fileName, content)
      return { file, verdict: await verifyFile(file) }
    },

    async exported(contest, match) {
      const [record, run] = await finished(contest, match)
      let content = ''
      for await (const piece of exporter(contest, record).pieces(match, 'none')) content += piece
      return { fileName: `${contest}-${exportName(run)}`, content, publicKey: keyText(home.key.publicKey) }
    },

    async close() {
      verifier.close()
      await opened.close()
    },
  }
}

function placeOf(folder: string, { run, from, to }: FinishedRun): MatchPlace {
  const stretches = []
  for (let segment = from.segment; segment <= to.segment; segment++) {
    stretches.push({
      path: join(folder, segmentName(segment)),
      from: segment === from.segment ? from.byte : 0,
      to: segment === to.segment ? to.byte : Infinity,
    })
  }
  return { run, stretches }
}
