import type { Fault, FaultKind } from '../../../main/contract/faults.ts'
import type { ErasedGame, Replayer } from '../../../main/contract/game/game.ts'
import type { Audience, Post, SeatRecord } from '../../../main/contract/game/table.ts'
import { historyBody, type HistoryBody, type OutcomeBody } from '../../../main/contract/histories/history.ts'
import type { Json } from '../../../main/contract/json.ts'
import { limits as limitsSchema, type Limits } from '../../../main/contract/limits.ts'
import type { Player, PlayerEvent } from '../../../main/contract/players/player.ts'
import { hashOf, sha256 } from '../../../main/histories/canonical.ts'
import { blobLine, chained } from '../../../main/histories/chain.ts'
import { generateKey, signingKey } from '../../../main/histories/keys.ts'
import { merkleTree } from '../../../main/histories/merkle.ts'
import { rootText } from '../../../main/histories/segments/seal-texts.ts'
import { verifyMatch } from '../../../main/histories/verify.ts'
import { playerOfBodies } from '../../../main/players/player-of-bodies.ts'
import { conductMatch } from '../../../main/worker/conduct-match.ts'
import type { WorkerReport } from '../../../main/worker/protocol.ts'

/** Makes the player of a post: a mind, a connection or a process of its own. */
type SeatPlayer = (seat: SeatRecord, post: Post, emit: (event: PlayerEvent) => void, game: ErasedGame) => Player

export interface Match {
  readonly game: ErasedGame
  readonly config?: Json
  readonly entrants: number
  readonly limits?: Partial<Limits>
  readonly seed?: string
  readonly seatPlayer: SeatPlayer
  /** As the worker does it for players who are elsewhere. */
  readonly onOver?: (end: Replayer) => void
  /** Makes one player for all bodies of a seat instead, as a worker does for scripts and programs. */
  readonly seatBodies?: (seat: SeatRecord, emit: (event: PlayerEvent) => void, game: ErasedGame) => Player
}

/** The messages to a post, in order. */
interface Heard {
  readonly seat: number
  readonly body: number
  /** null: told, not asked. */
  readonly question: number | null
  readonly message: Json
}

export interface Played {
  readonly match: Match
  readonly config: Json
  readonly seats: readonly SeatRecord[]
  readonly seed: string
  readonly text: string
  readonly body: readonly HistoryBody[]
  readonly inputs: readonly { readonly audience: Audience; readonly input: Json }[]
  readonly faults: readonly { readonly seat: number; readonly question: number | null; readonly kind: FaultKind }[]
  readonly outcome: OutcomeBody
  /** Everything that left the table for a player, and everything that players reported, in the order in which it happened. */
  readonly heard: readonly Heard[]
  readonly reported: readonly { readonly seat: number; readonly event: PlayerEvent }[]
}

const contest = 'toy-1'
const description = { title: 'One match of a toy' }

/** Plays a match as a worker does, with the real table and the real recorder. */
export async function play(match: Match): Promise<Played> {
  const { game, entrants } = match
  const parsed = game.config(match.config ?? {})
  if (!parsed.ok) throw new Error(parsed.error)
  const config = parsed.value
  const seed = sha256(match.seed ?? 'toy')
  const heard: Heard[] = []
  const reported: { seat: number; event: PlayerEvent }[] = []
  const seats: SeatRecord[] = []
  let text = ''
  let last: WorkerReport | undefined
  await conductMatch({
    setup: {
      contest,
      contestHash: hashOf(description),
      configHash: hashOf(config),
      game: game.id,
      config,
      limits: limitsSchema.parse(match.limits ?? {}),
      isolation: 'none',
      clock: 'frozen',
      seeds: 'hmac',
      lanes: 1,
    },
    job: {
      run: 1,
      match: 0,
      attempt: 1,
      seed,
      nonce: sha256('nonce'),
      fresh: false,
      entrants: Array.from({ length: entrants }, (_, i) => ({
        name: `agent-${String(i)}`,
        agent: sha256(`agent ${String(i)}`),
      })),
    },
    game,
    ...(match.onOver === undefined ? {} : { onOver: match.onOver }),
    seatPlayer(seat, _seedOf, emit) {
      if (!seats.includes(seat)) seats.push(seat)
      const tap = (event: PlayerEvent): void => {
        reported.push({ seat: seat.id, event })
        emit(event)
      }
      const player =
        match.seatBodies?.(seat, tap, game) ??
        playerOfBodies(seat.bodies, (body, tell) => match.seatPlayer(seat, { seat: seat.id, body }, tell, game), tap)
      const listen = (question: number | null, message: Json, body = 0): void => {
        heard.push({ seat: seat.id, body, question, message: structuredClone(message) })
      }
      return {
        ...player,
        ask(question, message, limitMs, bank, body) {
          listen(question, message, body)
          player.ask(question, message, limitMs, bank, body)
        },
        tell(message, body) {
          listen(null, message, body)
          player.tell(message, body)
        },
      }
    },
    report(report) {
      if (report.type === 'lines') text += report.text
      last = report
    },
  })
  if (last?.type !== 'finished') throw new Error(`the match did not finish: ${JSON.stringify(last)}`)
  const body = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => historyBody.parse((JSON.parse(line) as { b: unknown }).b))
  const end = body.at(-1)
  if (end?.k !== 'outcome') throw new Error('the history does not end with an outcome')
  return {
    match,
    config,
    seats,
    seed,
    text,
    body,
    inputs: body.flatMap((line) => (line.k === 'input' ? [{ audience: line.audience, input: line.input }] : [])),
    faults: body.flatMap((line) =>
      line.k === 'fault' ? [{ seat: line.post.seat, question: line.question, kind: line.fault.kind }] : [],
    ),
    outcome: end,
    heard,
    reported,
  }
}

/** The reaction of a toy's player to a message. */
export interface Act {
  /** Unasked speech, before all else. */
  readonly says?: readonly Json[]
  readonly answer?: Json
  /** Answers the question with a fault. */
  readonly fault?: FaultKind
  readonly gone?: boolean
  /** Kept back until the next question is put, then answers the old one. */
  readonly late?: Json
  /** Acts only once this has resolved. */
  readonly after?: Promise<void>
}

/** A player of a toy: a mind of its own for each post. */
export function actingPlayer(
  mind: (message: Json, asked: boolean) => Act | undefined,
  emit: (event: PlayerEvent) => void,
): Player {
  let open = true
  let kept: { readonly to: number; readonly value: Json } | null = null
  const report = (event: PlayerEvent): void => {
    if (open) emit(event)
  }
  const act = (question: number | null, message: Json): void => {
    if (kept !== null && question !== null) {
      report({ type: 'answer', to: kept.to, value: kept.value, tookMs: 1 })
      kept = null
    }
    const { says = [], answer, fault, gone = false, late, after } = mind(message, question !== null) ?? {}
    const go = (): void => {
      for (const value of says) report({ type: 'said', value })
      if (fault !== undefined) {
        const said: Fault = { kind: fault, text: `A ${fault}, as it was told to.` }
        report({ type: 'fault', ...(question === null ? {} : { to: question }), fault: said, gone })
      }
      if (question === null) return
      if (answer !== undefined) report({ type: 'answer', to: question, value: answer, tookMs: 1 })
      if (late !== undefined) kept = { to: question, value: late }
    }
    if (after === undefined) queueMicrotask(go)
    else void after.then(go)
  }
  return {
    ready: () => Promise.resolve(),
    ask: (question, message) => act(question, message),
    tell: (message) => act(null, message),
    withdraw: () => undefined,
    close() {
      open = false
    },
  }
}

/**
 * Exports the match as the one of its contest, signed, and verifies the file with nothing but the class's key and the
 * rules: chain, commitment, salts, every input folded again, every state hash, the outcome. Throws the verdict's words.
 */
export function verifies({ match, config, text, outcome, faults }: Played): void {
  const key = signingKey(generateKey())
  const head = lastHash(text)
  if (key === null) throw new Error('no key')
  const tree = merkleTree([head])
  const { root, count } = tree
  const signature = key.sign(rootText(contest, count, root))
  const proof = {
    k: 'proof',
    contest,
    match: 0,
    head,
    index: 0,
    count,
    path: tree.path(0),
    root,
    key: key.publicKey,
    signature,
  }
  const lines = [blobLine(config).line, blobLine(description).line, text, chained(head, '-', proof).line]
  const verdict = verifyMatch(Buffer.from(lines.join('')), { keys: [key.publicKey], games: () => match.game })
  if (!verdict.ok) throw new Error(`line ${String(verdict.line)}: ${verdict.message}`)
  const { replayed, outcome: claimed, faults: counted } = verdict.match
  if (!replayed) throw new Error('the match was not replayed')
  if (hashOf(claimed) !== hashOf(outcome.outcome)) throw new Error('the verified outcome is another')
  if (counted !== faults.length) throw new Error('the verified faults are others')
}

const lastHash = (text: string): string => (JSON.parse(text.trimEnd().split('\n').at(-1)!) as { h: string }).h
