import type { ErasedGame } from '../../contract/game/game.ts'
import type { HistoryBody, OutcomeBody } from '../../contract/histories/history.ts'
import type { GameId } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { canonicalText } from '../../histories/canonical.ts'
import { sourceLines, type HistorySource } from '../../histories/history-source.ts'
import { readExportedMatch } from '../../histories/match-file.ts'
import { readHistoryLine } from '../../histories/read-line.ts'
import { isEvent, kindOf, narratorOf, recorded, sentenceOf, shortened } from './told-lines.ts'

/** Inputs that would have followed the first `after` events of a match. */
export interface OtherCourse {
  readonly after: number
  readonly inputs: readonly { readonly input: Json; readonly isTold: boolean }[]
}

/**
 * Tells what would have followed instead, in the sentences of the game; each of at most `REFERENCE_SENTENCE_MAX` characters. Returns and
 * throws like `tellLines`.
 */
export function tellInstead(
  source: HistorySource,
  { after, inputs }: OtherCourse,
  games: (id: GameId) => ErasedGame | undefined,
  onProgress: () => void = () => undefined,
): readonly string[] | string {
  const read = readExportedMatch(source, onProgress)
  if (!read.ok) return `line ${read.line}: ${read.message}`
  const narrator = narratorOf(read.file, games)
  let events = 0
  for (const { bytes } of sourceLines(source)) {
    if (events >= after) break
    onProgress()
    const line = readHistoryLine(bytes)
    if (!line.ok || !('n' in line.body) || line.body.r === 0) continue
    if (isEvent(kindOf(line.body.k))) events++
    if (line.body.k === 'input') narrator(line.body.input, false)
  }
  return inputs.flatMap(({ input, isTold }) => {
    const sentences = narrator(input, isTold) ?? [recorded(input)]
    return isTold ? sentences.map(shortened) : []
  })
}

/** A match that was played again, beside the recorded one. */
export interface PlayedCourse {
  /** True if it ended with the same places, scores and state. */
  readonly same: boolean
  /** The new result in a sentence. */
  readonly result: string
  /** The number of the first event that is another one, with its sentences: as recorded, and as played now; null: all are the same. */
  readonly differs: {
    readonly move: number
    readonly recorded: readonly string[]
    readonly again: readonly string[]
  } | null
}

/** Compares the lines of a new run of a match with an exported one, input by input. Returns and throws like `tellLines`. */
export function tellPlayed(
  source: HistorySource,
  run: HistorySource,
  games: (id: GameId) => ErasedGame | undefined,
  onProgress: () => void = () => undefined,
): PlayedCourse | string {
  const read = readExportedMatch(source, onProgress)
  if (!read.ok) return `line ${read.line}: ${read.message}`
  const { file } = read
  // Each tells one of the two inputs that differ.
  const [asRecorded, asPlayed] = [narratorOf(file, games), narratorOf(file, games)]
  const again = bodiesOf(run)
  const next = (): HistoryBody | undefined => {
    for (let each = again.next(); each.done !== true; each = again.next())
      if (each.value.k === 'input' || each.value.k === 'outcome') return each.value
    return undefined
  }
  let events = 0
  let differs: PlayedCourse['differs'] = null
  let last: HistoryBody | undefined
  for (const body of bodiesOf(source)) {
    onProgress()
    if (isEvent(kindOf(body.k))) events++
    if (body.k !== 'input' && body.k !== 'outcome') continue
    last = next()
    const before = body.k === 'input' ? body.input : null
    const now = last?.k === 'input' ? last.input : null
    if (before === null && now === null) break
    if (before !== null && now !== null && canonicalText(before) === canonicalText(now)) {
      asRecorded(before, false)
      asPlayed(now, false)
      continue
    }
    differs = { move: Math.max(1, events), recorded: toldBy(asRecorded, before), again: toldBy(asPlayed, now) }
    break
  }
  while (last !== undefined && last.k !== 'outcome') last = next()
  if (last === undefined) return 'the new run has no outcome'
  const players = file.header.seats.map(({ name }) => name)
  return {
    same: isSameEnd(last, file.outcome),
    result: shortened(sentenceOf(last, file, players, games)),
    differs,
  }
}

/** The sentences about an input; none: the match had ended. */
function toldBy(narrator: ReturnType<typeof narratorOf>, input: Json | null): readonly string[] {
  return input === null ? [] : (narrator(input, true) ?? [recorded(input)]).map(shortened)
}

const isSameEnd = (one: OutcomeBody, other: OutcomeBody): boolean =>
  one.state === other.state && canonicalText(one.outcome) === canonicalText(other.outcome)

/** The lines of a run, as far as they can be read. */
function* bodiesOf(source: HistorySource): Generator<HistoryBody> {
  for (const { bytes } of sourceLines(source)) {
    const line = readHistoryLine(bytes)
    if (line.ok && 'n' in line.body && line.body.r !== 0) yield line.body
  }
}
