import type { ErasedGame, Replayer } from '../contract/game/game.ts'
import type { NarratedInput } from '../contract/game/narration.ts'
import type { HeaderBody, HistoryBody, OutcomeBody } from '../contract/histories/history.ts'
import type { GameId, Sha256 } from '../contract/ids.ts'
import type { GroupsVersion } from '../contract/limits.ts'
import { toolchainKinds, toolchainName, type ToolchainVersions } from '../contract/players/toolchains.ts'
import type { Json } from '../contract/json.ts'
import { canonicalText } from './canonical.ts'
import { glanceAtInput, readHistoryLine } from './read-line.ts'
import { sourceLines, type HistorySource } from './history-source.ts'

/** Maximum characters shown of an input or a console line. */
const shownChars = 400

/** The number of invalid lines after which a file is not read any further. */
const INVALID_LINES_MAX = 1_000

/**
 * Formats an exported match (or a segment) for people, one line for each event, without verifying it and in bounded memory. With `games`, the
 * inputs of an exported match are replayed and described in sentences of its game, as far as the rules accept them;
 * otherwise, and in segments, they are shown as JSON. Invalid lines are shown with the problem. Control characters and
 * others that could affect a terminal are shown as escapes. It ends after `INVALID_LINES_MAX` invalid lines. Throws only the source's own
 * error, whatever the bytes.
 */
export function* showMatch(
  source: HistorySource,
  games?: (id: GameId) => ErasedGame | undefined,
): Generator<string, undefined> {
  const narrator = games === undefined ? null : lineNarratorOf(source, games)
  let number = 0
  let invalid = 0
  for (const { bytes } of sourceLines(source)) {
    const read = readHistoryLine(bytes)
    number++
    if (!read.ok) invalid++
    const texts = read.ok ? (narrator?.(read.body) ?? describe(read.body)) : [`line ${number}: ${read.message}`]
    for (const text of texts) yield plainText(text)
    if (invalid === INVALID_LINES_MAX) {
      yield `The rest is not shown, after ${INVALID_LINES_MAX} lines that are not valid.`
      return
    }
  }
}

/** Returns the texts of a line in the sentences of the game; null: use those of `describe`. */
type LineNarrator = (body: HistoryBody) => readonly string[] | null

/**
 * The narrator of a match; null: the file is a segment, its beginning or end is missing, or no rules are available.
 */
function lineNarratorOf(source: HistorySource, games: (id: GameId) => ErasedGame | undefined): LineNarrator | null {
  const blobs = new Map<Sha256, Json>()
  let header: HeaderBody | undefined
  let seed: Sha256 | undefined
  let invalid = 0
  for (const { bytes } of sourceLines(source)) {
    // Inputs are most of a history, and say nothing here.
    if (glanceAtInput(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)) !== null) continue
    const read = readHistoryLine(bytes)
    if (!read.ok) {
      if (++invalid === INVALID_LINES_MAX) break
      continue
    }
    const { body } = read
    if (body.k === 'segment') return null
    if (body.k === 'blob') blobs.set(body.sha256, body.value)
    if (body.k === 'header') header ??= body
    if (body.k === 'outcome') seed ??= body.seed
  }
  const config = header === undefined ? undefined : blobs.get(header.config)
  const game = header === undefined ? undefined : games(header.game)
  if (header === undefined || seed === undefined || config === undefined) return null
  return game?.version === header.version ? lineNarratorWith(game, header, config, seed) : null
}

function lineNarratorWith(game: ErasedGame, header: HeaderBody, config: Json, seed: Sha256): LineNarrator {
  const names = header.seats.map(({ name }) => name)
  const seats = header.seats.map(({ id, entrant, role, bodies }) => ({ id, entrant, role, bodies }))
  let replayer: Replayer | null = null
  try {
    replayer = game.fold(config, seats, seed)
  } catch {
    // The rules do not accept the config: inputs are shown as JSON.
  }
  let standing: readonly string[] = []
  return (body) => {
    // The settings after the header show the contents of the blobs.
    if (body.k === 'blob') return []
    if (body.k === 'header') return [...describe(body), `${gap}settings: ${short(canonicalText(withoutTexts(config)))}`]
    if (body.k === 'outcome') return describe(body, game.scoreText)
    if (body.k !== 'input' || replayer === null) return null
    let described: NarratedInput | string | null
    try {
      described = replayer.narrate(body.input, names)
    } catch (error) {
      described = error instanceof Error ? error.message : String(error)
    }
    if (described === null) return null
    if (typeof described === 'string') {
      replayer = null
      return [...describe(body), `${gap}the rules refuse this input: ${short(described)}`]
    }
    const first = `${clock(body.at)}${to(body.audience)}`
    const lines = described.lines.map(({ text, rule }) => `${short(text)}${rule === null ? '' : ` (${rule})`}`)
    const after = changedLines(standing, described.standing).map((text) => `  ${text}`)
    standing = described.standing
    return [...lines, ...after].map((text, at) => `${at === 0 ? first : gap}${text}`)
  }
}

/** The lines of a standing that differ from those before it; all of them if there are more or fewer. */
const changedLines = (before: readonly string[], after: readonly string[]): readonly string[] =>
  after.length === before.length ? after.filter((text, at) => text !== before[at]) : after

/** The config with texts of several lines, such as a challenge, shortened to their first line. */
function withoutTexts(config: Json): Json {
  if (config === null || typeof config !== 'object' || Array.isArray(config)) return config
  const named = Object.entries(config).map(([field, value]) =>
    typeof value === 'string' && value.includes('\n')
      ? [field, `${value.slice(0, value.indexOf('\n'))}...`]
      : [field, value],
  )
  return Object.fromEntries(named) as Json
}

/** Why a file is not a history, not even a damaged one: none of its first lines can be read. Null: at least one can. */
export function whyNoHistory(source: HistorySource): string | null {
  let first: string | null = null
  let lines = 0
  for (const { bytes } of sourceLines(source)) {
    const read = readHistoryLine(bytes)
    if (read.ok) return null
    first ??= `line 1: ${read.message}`
    if (++lines === INVALID_LINES_MAX) break
  }
  return first ?? 'it is empty'
}

/** Text that is safe to print in a terminal: control, format and unpaired characters become `\u{...}`. */
function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`)
}

/** The toolchains of programs: ", Python 3.11.2"; '' if there are none. */
const toolchainsText = (versions: ToolchainVersions = {}): string =>
  toolchainName.options
    .filter((name) => versions[name] !== undefined)
    .map((name) => `, ${toolchainKinds[name].title} ${versions[name]!}`)
    .join('')

/** Says what was counted beyond each process. */
function groupsText(groups: GroupsVersion = 'none'): string {
  return groups === 'none' ? 'no control groups' : `control groups ${groups}`
}

function describe(body: HistoryBody, scoreText: (score: number) => string = String): string[] {
  switch (body.k) {
    case 'segment':
      return [`segment ${body.segment} of ${body.contest}`]
    case 'seal':
      return [`${gap}sealed: ${body.lines} lines, ${body.bytes} bytes`]
    case 'decision':
      return [`${gap}decision of the educator before stage ${body.stage + 1}: ${short(canonicalText(body.decision))}`]
    case 'blob':
      return [`value ${body.sha256.slice(0, 12)}: ${short(canonicalText(body.value))}`]
    case 'header':
      return [
        `match ${body.match} of ${body.contest}, attempt ${body.attempt}: ${body.game}, rules ${body.version}`,
        `${gap}${body.isolation} isolation, ${groupsText(body.groups)}, ${body.clock} clock, Node ${body.host.node}${toolchainsText(body.host.toolchains)} on ${body.host.platform}`,
        ...body.seats.map(
          (seat) => `${gap}seat ${seat.id}: ${seat.name} (${seat.role}), agent ${seat.agent.slice(0, 12)}`,
        ),
      ]
    case 'input':
      return [`${clock(body.at)}${to(body.audience)}${short(canonicalText(body.input))}`]
    case 'fault': {
      const asked = body.question === null ? '' : `, question ${body.question}`
      const { kind, text } = body.fault
      return [`${clock(body.at)}${posted(body.post)}${asked}: ${kind}: ${short(text)}`]
    }
    case 'console':
      return [`${clock(body.at)}${posted(body.post)} ${body.stream}: ${short(body.text)}`]
    case 'checkpoint':
      return [`${gap}state after ${body.inputs} inputs: ${body.state.slice(0, 12)}`]
    case 'outcome': {
      const places = body.outcome.places.map(
        ({ seat, rank, score, removed }) =>
          `seat ${seat} rank ${rank} (${scoreText(score)}${removed ? ', removed' : ''})`,
      )
      return [`${clock(body.at)}over: ${places.join(', ')}`, ...removalsOf(body), `${gap}seed ${body.seed}`]
    }
    case 'void':
      return [`${gap}void: ${short(body.reason)}`]
    case 'redacted':
      return [`${gap}(a private line)`]
    case 'proof':
      return [`${gap}match ${body.index + 1} of ${body.count} under root ${body.root.slice(0, 12)}`]
  }
}

/** The removed seats and why they were removed. Older histories contain only the sentence. */
function removalsOf({ outcome, removals = [] }: OutcomeBody): readonly string[] {
  const explained = new Set(removals.map(({ seat }) => seat))
  const sentences = outcome.places.flatMap(({ seat, reason }) =>
    reason === undefined || explained.has(seat) ? [] : [`${gap}seat ${seat} was removed: ${short(reason)}`],
  )
  const typed = removals.map(({ seat, round, rule, action, values, text }) => {
    const where = action === null ? '' : `, action ${action}`
    return `${gap}seat ${seat} was removed in round ${round}, ${rule}${where}: ${short(text)} ${short(canonicalText(values))}`
  })
  return [...typed, ...sentences]
}

const gap = ' '.repeat(12)

/** `   12.345 s  ` */
function clock(at: number): string {
  return `${(at / 1000).toFixed(3).padStart(8)} s  `
}

function posted(post: { readonly seat: number; readonly body: number }): string {
  return post.body === 0 ? `seat ${post.seat}` : `seat ${post.seat}.${post.body}`
}

function to(audience: 'public' | 'sealed' | readonly number[]): string {
  if (audience === 'public') return ''
  if (audience === 'sealed') return '[sealed] '
  return `[${audience.length === 1 ? 'seat' : 'seats'} ${audience.join(', ')}] `
}

function short(text: string): string {
  return text.length <= shownChars ? text : `${text.slice(0, shownChars)}... (${text.length} characters)`
}
