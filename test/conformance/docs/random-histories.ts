import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Seat } from '../../../main/contract/game/table.ts'
import type { GameId } from '../../../main/contract/ids.ts'
import type { Json } from '../../../main/contract/json.ts'
import { canonicalText, hashOf, sha256 } from '../../../main/histories/canonical.ts'
import { chainLine, linkHash, tagOf, type ChainValue } from '../../../main/histories/chain.ts'
import { createExporter } from '../../../main/histories/export.ts'
import { createRecorder } from '../../../main/histories/recorder.ts'
import { scanContest } from '../../../main/histories/segments/contest-scan.ts'
import { openSegments } from '../../../main/histories/segments/writer.ts'
import { games } from '../../../main/referees/games.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { testKey } from '../../unit/histories/toy.ts'

/** A match that is played by the rules alone. `next`: the next input, given the saved state. */
export interface PlayedMatch {
  readonly config: Json
  readonly entrants: number
  next(saved: Json): Json
}

/** Draws for the players of a match. */
export interface Draws {
  chance(): number
  happens(likelihood: number): boolean
  below(count: number): number
  pick<T>(list: readonly T[]): T
}

const contest = 'replays'
const description = { title: 'Matches to replay' }
/** Inputs between two checkpoints. */
const CHECKPOINT_EVERY = 7

/** Plays the matches and exports each to a file; returns the names of the files. */
export async function exportMatches(game: GameId, matches: readonly PlayedMatch[]): Promise<readonly string[]> {
  const dir = temporaryFolder('histories')
  const key = testKey()
  const configs = new Map(matches.map(({ config }) => [hashOf(config), config]))
  const opened = await openSegments({ dir, contest, key, blobs: [description, ...configs.values()] })
  if (!opened.ok) throw new Error(opened.damage.message)
  for (const [number, match] of matches.entries()) opened.writer.append(record(game, match, number))
  await opened.writer.close()
  const scan = await scanContest({ dir, contest, key: key.publicKey })
  if (!scan.ok) throw new Error(scan.damage.message)
  const exporter = await createExporter(scan, key)
  const files: string[] = []
  for (const number of matches.keys()) {
    let text = ''
    for await (const piece of exporter.pieces(number, 'none')) text += piece
    files.push(join(dir, `match-${number}.jsonl`))
    writeFileSync(files.at(-1)!, text)
  }
  return files
}

/** Plays a match; returns the text of its run. */
function record(id: GameId, { config, entrants, next }: PlayedMatch, match: number): string {
  const game = games.get(id)!
  const seats = game.seats(config, entrants)
  if (typeof seats === 'string') throw new Error(seats)
  const seed = sha256(`${id} ${match}`)
  const facts = {
    ...{ contest, match, attempt: 1, game: id, version: game.version, config: hashOf(config) },
    description: hashOf(description),
    seats: seats.map((seat: Seat) => ({ ...seat, name: `agent-${seat.id}`, agent: sha256(`agent ${seat.id}`) })),
    limits: { startMs: 10_000, moveMs: 1_000, memoryMb: 512, messageBytes: 1_048_576, consoleBytes: 65_536 },
    ...({ isolation: 'none', clock: 'frozen', seeds: 'hmac' } as const),
    host: { node: 'v26.10.0', platform: 'linux', cores: 2 },
  }
  const recorder = createRecorder({ run: match + 1, facts, seed, nonce: sha256(`nonce ${match}`), secret: 'secret' })
  const fold = game.fold(config, seats, seed)
  for (;;) {
    const outcome = fold.outcome()
    if (outcome !== null) {
      recorder.finish(recorder.inputs, outcome, fold.save(), fold.removals())
      return recorder.lines()
    }
    const input = next(fold.save())
    const refusal = fold.apply(input)
    if (refusal !== null) throw new Error(`${id}, match ${match}: ${refusal}`)
    recorder.input(recorder.inputs, recorder.inputs % 2 === 0 ? 'public' : 'sealed', input, fold.findings())
    if (recorder.inputs % 5 === 0) recorder.console(recorder.inputs, { seat: 0, body: 0 }, 'é')
    if (recorder.inputs % CHECKPOINT_EVERY === 0) recorder.checkpoint(() => fold.save())
  }
}

type Body = { readonly k?: string; readonly digest?: string } & { readonly [member: string]: Json }

/** The text of a history with bodies changed and all hashes of the chain computed anew. */
export function forged(text: string, change: (body: Body, number: number) => Json): string {
  let head: ChainValue = ''
  return text
    .trimEnd()
    .split('\n')
    .map((line, number) => {
      const body = change((JSON.parse(line) as { b: Body }).b, number) as Body
      const canonical = canonicalText(body)
      const digest = body.k === 'redacted' ? (body.digest ?? '') : sha256(canonical)
      const h = linkHash(body.k === 'blob' ? '' : head, tagOf(body.k ?? ''), digest)
      if (body.k !== 'blob') head = h
      return chainLine(canonical, h)
    })
    .join('')
}
