import { join } from 'node:path'
import type { ErasedGame } from '../../../contract/game/game.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { MatchSource } from '../../../contract/histories/match-source.ts'
import type { SeatId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import { makeFolder } from '../../../histories/durable.ts'
import { eventsAt, type MatchPlace } from '../../../histories/segments/match-place.ts'
import { games } from '../../../referees/games.ts'
import { dialogueBefore } from '../../../worker/replay/dialogue.ts'
import { writeOutFile } from '../../files/output-file.ts'
import type { Matches } from '../class-matches.ts'
import { asProgramsRead, type TestCase } from './replay.ts'

/** Inputs that are read beyond the move, for a referee that commits the answers of a round together. */
const AHEAD = 64
/** Characters of the name of a history file that names of cases begin with. */
const FILE_NAME_CHARACTERS = 64

/**
 * Saves a move of a finished match as a test case in a kit's folder: the messages that its seat had received, and what it answered.
 * `position`: the number of events that the viewer shows; the move is the one shown, or the next one. Returns the path in the kit. The
 * same move has the same file. Rejects with ExpectedError.
 */
export function saveCaseAt(
  matches: Pick<Matches, 'within'>,
  { source, position }: { readonly source: MatchSource; readonly position: number },
  kit: string,
): Promise<string> {
  return matches.within(source, async ({ place, name }, index) => {
    await index.whole
    const { config, outcome, header } = index
    const game = games.get(header.game)
    if (game === undefined || game.version !== header.version)
      throw new ExpectedError('usage', 'rules-version-differs', `The rules of ${header.game} have changed since.`)
    const { inputs, at, seat } = moveAt(game, place, position)
    const seats = header.seats.map(({ id, entrant, role, bodies }) => ({ id, entrant, role, bodies }))
    const told = await dialogueBefore({ game, config, seats, seed: outcome.seed, inputs }, seat, at)
    if (typeof told === 'string') throw new ExpectedError('usage', 'not-replayable', told)
    const reply = told.at(-1)?.reply ?? null
    if (reply === null || !('answer' in reply))
      throw new ExpectedError(
        'usage',
        'not-replayable',
        'In this move the agent had a fault, so a case has nothing to expect.',
      )
    const messages = (seats[seat]?.bodies ?? 1) > 1 ? told.map(asProgramsRead) : told.map(({ message }) => message)
    const testCase: TestCase = { game: header.game, messages, answer: reply.answer }
    const move = told.filter(({ wants }) => wants === 'move').length
    const path = `cases/${matchName(source, name)}-seat-${seat}-move-${move}.json`
    makeFolder(join(kit, 'cases'))
    writeOutFile({ path: join(kit, path), overwrite: true }, `${JSON.stringify(testCase, null, 2)}\n`)
    return path
  })
}

/** The beginning of the names of a match's cases. `file`: the name of its file if it is one. */
function matchName(source: MatchSource, file: string): string {
  if (source.from === 'contest') return `${source.contest}-${source.match}`
  const name = file.replace(/\.(history|jsonl)$/i, '').replaceAll(/[^A-Za-z0-9_-]+/g, '-')
  return name.slice(0, FILE_NAME_CHARACTERS)
}

/** The inputs of the match as far as they are needed, and the one that records the move. */
interface Move {
  readonly inputs: readonly Json[]
  readonly at: number
  readonly seat: SeatId
}

function moveAt(game: ErasedGame, place: MatchPlace, position: number): Move {
  const inputs: Json[] = []
  let found: Omit<Move, 'inputs'> | null = null
  let event = -1
  for (const { line, kind } of eventsAt(place)) {
    event++
    if (kind !== 'input') continue
    if (found !== null && inputs.length > found.at + AHEAD) break
    const { b: body } = JSON.parse(line.toString('utf8')) as { readonly b: { readonly input: Json } }
    inputs.push(body.input)
    if (found !== null || event < position - 1) continue
    const action = game.replay?.actions(body.input).find(({ ready }) => ready === undefined)
    if (action !== undefined) found = { at: inputs.length - 1, seat: action.seat }
  }
  if (found === null)
    throw new ExpectedError('usage', 'move-unknown', 'No agent moves here or later in this match: go back to a move.')
  return { inputs, ...found }
}
