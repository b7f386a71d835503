import { beginningOf } from '../../contract/beginning.ts'
import { REFERENCE_SENTENCE_MAX } from '../../contract/evidence/evidence-reference.ts'
import { RECORD_CHARACTERS_MAX, type LineFacts } from '../../contract/evidence/dossiers.ts'
import type { ErasedGame, Replayer } from '../../contract/game/game.ts'
import type { HistoryBody } from '../../contract/histories/history.ts'
import type { GameId, Sha256 } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { canonicalText } from '../../histories/canonical.ts'
import { sourceLines, type HistorySource } from '../../histories/history-source.ts'
import { readExportedMatch, type ExportedMatch } from '../../histories/match-file.ts'
import { readHistoryLine } from '../../histories/read-line.ts'

/** A line of a history that is told. */
export interface ToldLine {
  /** Its number in the chain; the header is 0. */
  readonly line: number
  readonly hash: Sha256
  /** The number of events up to and including it. */
  readonly move: number
  readonly facts: LineFacts
  /** Its sentences, at least one. */
  readonly sentences: readonly string[]
}

export interface ToldMatch {
  readonly head: Sha256
  /** The version that played each seat. */
  readonly agents: readonly Sha256[]
  readonly lines: readonly ToldLine[]
}

/** A line that is wanted: by its number in the chain, or by its number among the events (`move`; null: the outcome). */
export type WantedLine = { readonly line: number } | { readonly move: number | null }

/**
 * Tells lines of an exported match in the sentences of its game, in one pass and bounded memory. Lines that do not exist are left out. A
 * text: why the file is not a consistent history. Throws only the source's own error, whatever the bytes. `onProgress`: called after each
 * line.
 */
export function tellLines(
  source: HistorySource,
  wanted: readonly WantedLine[],
  games: (id: GameId) => ErasedGame | undefined,
  onProgress: () => void = () => undefined,
): ToldMatch | string {
  const read = readExportedMatch(source, onProgress)
  if (!read.ok) return `line ${read.line}: ${read.message}`
  const { file } = read
  const told: ToldLine[] = []
  const narrator = narratorOf(file, games)
  const players = file.header.seats.map(({ name }) => name)
  let move = 0
  for (const { bytes } of sourceLines(source)) {
    onProgress()
    const line = readHistoryLine(bytes)
    if (!line.ok || !('n' in line.body) || line.body.r === 0) continue
    const { body, h } = line
    const kind = kindOf(body.k)
    const counts = isEvent(kind)
    if (counts) move++
    const isWanted = wanted.some((each) =>
      'line' in each ? each.line === body.n : each.move === null ? kind === 'outcome' : counts && each.move === move,
    )
    const sentences = body.k === 'input' ? narrator(body.input, isWanted) : null
    if (!isWanted || kind === null) continue
    const record = kind === 'console' ? '' : recordOf(body)
    const facts: LineFacts = { kind, at: 'at' in body ? body.at : null, record, players }
    const all = sentences ?? [sentenceOf(body, file, players, games)]
    told.push({ line: body.n, hash: h, move, facts, sentences: all.map(shortened) })
  }
  return { head: file.head, agents: file.header.seats.map(({ agent }) => agent), lines: told }
}

/** The sentence of a told line that a reference names. */
export function sentenceAt({ sentences }: ToldLine, part: number | null): string | null {
  const text = part === null ? sentences.join(' ') : sentences[part - 1]
  return text === undefined ? null : shortened(text)
}

export function shortened(text: string): string {
  return text.length <= REFERENCE_SENTENCE_MAX ? text : `${beginningOf(text, REFERENCE_SENTENCE_MAX - 1)}…`
}

/** The beginning of the text of a line. */
export function recordOf(body: HistoryBody): string {
  return beginningOf(canonicalText(body), RECORD_CHARACTERS_MAX)
}

export function kindOf(kind: HistoryBody['k']): LineFacts['kind'] | null {
  if (kind === 'redacted') return 'console'
  return kind === 'header' || kind === 'input' || kind === 'fault' || kind === 'console' || kind === 'outcome'
    ? kind
    : null
}

/** True for a line that the screen of a match counts as an event. */
export const isEvent = (kind: LineFacts['kind'] | null): boolean =>
  kind === 'input' || kind === 'fault' || kind === 'console'

export const recorded = (input: Json): string => `Recorded: ${canonicalText(input)}`.toWellFormed()

/** Folds the inputs one after the other; returns the sentences of one that is wanted, null: the game has none. */
export function narratorOf(
  { header, config, outcome }: ExportedMatch,
  games: (id: GameId) => ErasedGame | undefined,
): (input: Json, isWanted: boolean) => readonly string[] | null {
  const game = games(header.game)
  if (game?.version !== header.version) return () => null
  const names = header.seats.map(({ name }) => name)
  const seats = header.seats.map(({ id, entrant, role, bodies }) => ({ id, entrant, role, bodies }))
  let replayer: Replayer | null = null
  try {
    replayer = game.fold(config, seats, outcome.seed)
  } catch {
    // The rules do not accept the config: inputs are told as they are recorded.
  }
  return (input, isWanted) => {
    if (replayer === null) return null
    try {
      const told = isWanted ? replayer.narrate(input, names) : replayer.apply(input)
      if (told === null) return null
      if (typeof told !== 'string') {
        const lines = told.lines.map(({ text, rule }) => (rule === null ? text : `${text} (${rule})`).toWellFormed())
        return lines.length === 0 ? null : lines
      }
    } catch {
      // The rules refuse an input, so that nothing after it can be told either.
    }
    replayer = null
    return null
  }
}

/** The sentence of a line that its game does not tell. */
export function sentenceOf(
  body: HistoryBody,
  { header }: ExportedMatch,
  players: readonly string[],
  games: (id: GameId) => ErasedGame | undefined,
): string {
  switch (body.k) {
    case 'header':
      return `Match ${body.match} of ${body.contest} begins: ${players.join(', ')}.`
    case 'fault':
      return `${players[body.post.seat] ?? 'A player'} fails (${body.fault.kind}): ${body.fault.text}`
    case 'outcome': {
      const scoreText = games(header.game)?.scoreText ?? String
      const places = [...body.outcome.places]
        .sort((a, b) => a.rank - b.rank)
        .map(({ seat, rank, score, removed }) => {
          const name = players[seat] ?? `seat ${seat}`
          return `${rank}. ${name} (${scoreText(score)}${removed ? ', removed' : ''})`
        })
      return `The match ends: ${places.join(', ')}.`
    }
    case 'input':
      return recorded(body.input)
    default:
      return 'An agent printed a line, which is for its team alone.'
  }
}
