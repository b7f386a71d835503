import { randomBytes } from 'node:crypto'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Fault } from '../../contract/faults.ts'
import type { ErasedGame, Replayer } from '../../contract/game/game.ts'
import type { Post, SeatRecord } from '../../contract/game/table.ts'
import type { HistoryBody } from '../../contract/histories/history.ts'
import type { SeatId } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import type { IsolationTier, Limits } from '../../contract/limits.ts'
import type { Player, PlayerEvent } from '../../contract/players/player.ts'
import { hashOf, sha256 } from '../../histories/canonical.ts'
import type { UnkeptBody } from '../../histories/recorder.ts'
import { newNonce } from '../../histories/nonce.ts'
import { conductMatch } from '../../worker/conduct-match.ts'
import type { WorkerReport } from '../../worker/protocol.ts'
import type { MatchExport } from './match-export.ts'

/** One match that belongs to no class. */
export interface StandaloneMatch {
  readonly game: ErasedGame
  readonly config: Json
  readonly limits: Limits
  readonly isolation: IsolationTier
  /** Keeps the match. Absent: nothing of it is kept. */
  readonly exportTo?: MatchExport | undefined
  /** True if the agents run on other machines; the history says so. */
  readonly elsewhere?: true
  /** Names of the entrants. */
  readonly entrants: readonly string[]
  seatPlayer(seat: SeatRecord, seed: string, emit: (event: PlayerEvent) => void): Player
  /** Called as soon as there is an outcome, while the players are still seated. */
  onOver?(end: Replayer): void
  /** Called with each input that the rules have accepted, in order. */
  readonly onInput?: ((input: Json) => void) | undefined
  /** The output of a player, and remarks on its messages; perhaps some time after it happened. */
  readonly onPrinted?: ((seat: SeatId, text: string, body: number) => void) | undefined
  /** A fault of a player, in the order of the history; perhaps some time after it happened. */
  readonly onFault?: ((post: Post, fault: Fault) => void) | undefined
}

/** Plays one match in this process. Throws ExpectedError 'host' if a problem of the machine prevents it. */
export async function playStandaloneMatch(match: StandaloneMatch): Promise<void> {
  const { game, config, limits, isolation, exportTo } = match
  const seed = randomBytes(32).toString('hex')
  let end: WorkerReport | undefined
  const kept: string[] = []
  await conductMatch({
    setup: {
      contest: exportTo?.contest ?? 'single',
      contestHash: hashOf(exportTo?.description ?? null),
      configHash: hashOf(config),
      game: game.id,
      config,
      limits,
      isolation,
      clock: 'real',
      seeds: 'hmac',
      ...(exportTo === undefined ? { unkept: true } : {}),
      lanes: 1,
    },
    job: {
      run: 1,
      match: exportTo?.written() ?? 0,
      attempt: 1,
      seed,
      nonce: newNonce(),
      fresh: false,
      entrants: match.entrants.map((name, place) => ({ name, agent: sha256(String(place)) })),
    },
    game,
    seatPlayer: (seat, seedOf, emit) => match.seatPlayer(seat, seedOf(0), emit),
    ...(match.elsewhere === true ? { isElsewhere: () => true } : {}),
    onOver: (over) => match.onOver?.(over),
    tell: (body) => hear(body, match),
    report(report) {
      if (report.type === 'lines') {
        kept.push(report.text)
        readLines(report.text, match)
      } else end = report
    },
  })
  if (end?.type === 'finished') {
    exportTo?.write({ game, config, text: kept.join(''), head: end.head })
    return
  }
  const why = end !== undefined && 'reason' in end ? end.reason : 'it has no end'
  throw new ExpectedError('host', 'match-failed', `The match could not be played: ${why}`)
}

function readLines(lines: string, match: StandaloneMatch): void {
  for (const line of lines.split('\n').filter((each) => each !== '')) {
    // Trusted: our own recorder wrote these lines.
    const { b: body } = JSON.parse(line) as { readonly b: HistoryBody }
    hear(body, match)
  }
}

function hear(body: HistoryBody | UnkeptBody, { onInput, onPrinted, onFault }: StandaloneMatch): void {
  if (body.k === 'input') onInput?.(body.input)
  else if (body.k === 'console') onPrinted?.(body.post.seat, body.text, body.post.body)
  else if (body.k === 'fault') onFault?.(body.post, body.fault)
}
