import { stat, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ExpectedError } from '../../contract/expected-error.ts'
import { matchFacts } from '../../contract/histories/history.ts'
import { exportName } from '../../contract/histories/match-link.ts'
import { RECORDED_MATCH, REPLAY_BYTES_MAX, type RecordedMatch } from '../../contract/histories/recorded-match.ts'
import type { HistoryVerdict, OutlinePage } from '../../contract/procedures/procedures.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import type { ReadReport } from '../../worker/protocol.ts'
import { verdictForStrangers } from '../histories/verify-histories.ts'
import { startReader } from '../machine/reader.ts'
import { resources } from '../machine/resources.ts'
import { indexMatch } from './match-index.ts'
import { startReading, type MatchReading } from './match-reader.ts'

/** The maximum bytes of a history for which a page is tried at all: a longer one does not fit, however well it compresses. */
const HISTORY_BYTES_MAX = 32 * 1024 * 1024
/** The maximum number of saved states in a page. Between two of them a viewer applies all events. */
const STATES_MAX = 64

/** An exported match, without the output of agents: the page holds all that the file does. */
export interface ExportedMatch {
  readonly file: string
  readonly verdict: HistoryVerdict
  /** Returns a path for a temporary file. */
  readonly scratch: () => Promise<string>
}

/**
 * A page with the match in it, which shows it without Tartaglia and without a network. Rejects with ExpectedError `too-large` if it
 * would exceed `bytesMax`, 'host' if the history cannot be read, and MachineError.
 */
export async function matchPage(
  { file, verdict, scratch }: ExportedMatch,
  bytesMax = REPLAY_BYTES_MAX,
): Promise<string> {
  const { size: bytes } = await stat(file)
  const template = await readFile(resources.replay, 'utf8').catch((error: unknown) => {
    throw machineErrorFrom(error, 'read', resources.replay)
  })
  const place = { run: null, stretches: [{ path: file, from: 0, to: bytes }] }
  const { header, config, outcome, whole } = await indexMatch({ place, name: 'The match' })
  const facts = matchFacts.strip().parse(header)
  const name = `Match ${facts.match} of ${facts.contest}`
  if (bytes > HISTORY_BYTES_MAX) throw tooLarge(name, bytesMax)
  await whole
  const { game, version, seats } = header
  const match = { place, grows: false, game, version, config, seats, seed: outcome.seed }
  const reading = startReading(startReader<ReadReport>(), match, scratch)
  try {
    const outline = await wholeOutline(reading)
    const recorded = {
      detail: {
        fileName: `${facts.contest}-${exportName(facts)}`,
        facts,
        config,
        seed: outcome.seed,
        outcome: outcome.outcome,
        events: outline.at.length,
      },
      history: await readFile(file, 'utf8'),
      verdict: verdictForStrangers(verdict),
    }
    for (let states = evenly(outline.states, STATES_MAX); ; states = evenly(states, states.length >> 1)) {
      const page = await pageOf(template, await withStates({ ...recorded, outline }, states, reading))
      if (Buffer.byteLength(page) <= bytesMax) return page
      if (states.length === 0) throw tooLarge(name, bytesMax)
    }
  } finally {
    await reading.close()
  }
}

function tooLarge(name: string, bytesMax: number): ExpectedError {
  return new ExpectedError(
    'usage',
    'too-large',
    `${name} is too long for a page of ${bytesMax / 1_000_000} MB; export its history instead.`,
  )
}

/** The outline of a whole match, as one page. */
async function wholeOutline(reading: MatchReading): Promise<OutlinePage> {
  let all = await reading.outline(0)
  while (!all.last) {
    const next = await reading.outline(all.at.length)
    all = {
      ...next,
      from: 0,
      at: [...all.at, ...next.at],
      round: [...all.round, ...next.round],
      seat: [...all.seat, ...next.seat],
      lines: [...all.lines, ...next.lines],
      levels: [...all.levels, ...next.levels],
      marks: [...all.marks, ...next.marks],
      swings: [...all.swings, ...next.swings],
      restricted: [...all.restricted, ...next.restricted],
      states: [...all.states, ...next.states],
    }
  }
  return all
}

/** At most `most` of the items, evenly spread. */
function evenly<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items
  return Array.from({ length: most }, (_, i) => items[Math.floor(((i + 1) * items.length) / (most + 1))]!)
}

async function withStates(
  match: Omit<RecordedMatch, 'states'>,
  positions: readonly number[],
  reading: MatchReading,
): Promise<RecordedMatch> {
  const states = []
  for (const position of positions) states.push((await reading.state(position))!)
  return { ...match, outline: { ...match.outline, states: positions }, states }
}

/** The page with the match as the text of an element: base64, in which nothing can end the element. */
async function pageOf(template: string, recorded: RecordedMatch): Promise<string> {
  const packed = await promisify(gzip)(JSON.stringify(recorded), { level: 9 })
  const opening = `<script type="text/plain" id="${RECORDED_MATCH}">`
  const [before, after, ...more] = template.split(`${opening}</script>`)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error('The page of a match has no place for it.')
  return `${before}${opening}${packed.toString('base64')}</script>${after}`
}
