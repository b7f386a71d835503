import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { beginningOf } from '../../contract/beginning.ts'
import type { RerunOffer, RerunWish } from '../../contract/evidence/dossier-procedures.ts'
import { ASKED_MESSAGES_MAX, INSTEAD_SENTENCES_MAX, type DossierId } from '../../contract/evidence/dossiers.ts'
import type { EvidenceReference } from '../../contract/evidence/evidence-reference.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { QUOTED_CHARACTERS_MAX, type OtherAnswer } from '../../contract/histories/other-answers.ts'
import type { GameId, SeatId, Sha256 } from '../../contract/ids.ts'
import type { Opponent } from '../../contract/procedures/human-match.ts'
import type { MatchEvent } from '../../contract/procedures/match-answers.ts'
import { games } from '../../referees/games.ts'
import { createTasks, type Following, type Tasks } from '../background-tasks.ts'
import { readText } from '../machine/reading.ts'
import type { Matches } from '../matches/class-matches.ts'
import { askOther } from '../matches/replay/other-answers.ts'
import type { NewItem } from './class-dossiers.ts'
import { createTurns } from './in-turn.ts'
import { tellInsteadJob, tellLinesJob } from './jobs.ts'
import { playedAgain } from './kept-evidence.ts'
import { sentenceAt } from './told-lines.ts'

/** A decision to ask for again. */
export interface RerunOrder extends Pick<RerunWish, 'request' | 'dossier' | 'seat' | 'agent'> {
  /** For whom: each person has one at a time. */
  readonly who: string
  /** The event in question. */
  readonly event: EvidenceReference
  /** The seats of its match, and the agents that may be asked in their place. */
  readonly offer: RerunOffer
}

/** The decisions that agents are being asked for again; see Tasks. Each becomes an item of a dossier. */
export interface Reruns extends Omit<Tasks<RerunOrder, NewItem>, 'stop'> {
  /** Stops a request of a dossier; does nothing if there is none. */
  stop(dossier: DossierId, request: string): void
}

/**
 * The agents that can be asked again at an event. `others`: those that may be asked in place of the ones that played. Rejects with
 * ExpectedError 'usage' if there is no such match.
 */
export async function rerunOffer(
  matches: Pick<Matches, 'detail' | 'events'>,
  { contest, match, move }: EvidenceReference,
  others: (game: GameId) => Promise<readonly Opponent[]>,
): Promise<RerunOffer> {
  const source = { from: 'contest', contest, match } as const
  const { facts } = await matches.detail(source)
  const { items } = await matches.events(source, { offset: Math.max(0, move - 1), limit: 1 })
  const seats = facts.seats.map(({ name, agent }) => ({ name, agent }))
  return { seat: seatIn(facts.game, items[0]), seats, agents: await others(facts.game) }
}

/** The seat whose answer or fault an event records; 0: none. */
function seatIn(game: GameId, event: MatchEvent | undefined): SeatId {
  if (event === undefined) return 0
  if (event.kind !== 'input') return event.seat
  const actions = games.get(game)?.replay?.actions(event.input) ?? []
  return actions.find(({ ready }) => ready === undefined)?.seat ?? 0
}

/** One agent is asked at a time: contests want the cores. `onChange`: called with the id of a request when it progresses or ends. */
export function createReruns(
  home: ClassFolder,
  matches: Pick<Matches, 'within' | 'withExport'>,
  onChange: (request: string) => void,
): Reruns {
  const inTurn = createTurns('Another agent is still being asked for you: stop that first, or wait for it.')
  const running = new Map<string, RerunOrder>()
  const tasks = createTasks<RerunOrder, NewItem>(
    ({ request }) => request,
    async (order, following) => {
      running.set(order.request, order)
      try {
        return await inTurn(order.who, () => askedAgain(home, matches, order, following), following.signal)
      } finally {
        running.delete(order.request)
      }
    },
    onChange,
  )
  return {
    ...tasks,
    stop(dossier, request) {
      const order = running.get(request)
      if (order?.dossier === dossier) tasks.stop(order)
    },
  }
}

/** Asks an agent again, and tells what it answers beside what was recorded. Rejects with ExpectedError. */
async function askedAgain(
  home: ClassFolder,
  matches: Pick<Matches, 'within' | 'withExport'>,
  { event, seat, agent: wanted, offer }: RerunOrder,
  following: Following,
): Promise<NewItem> {
  const { contest, match, head } = event
  const { agent, name, isPinned } = agentIn(offer, seat, wanted)
  const source = { from: 'contest', contest, match } as const
  const answer = await askOther(home, matches, { source, position: event.move, seat, agent }, following)
  const { after, inputs } = { after: answer.first, inputs: answer.events }
  const shown = new Set(answer.same ? [] : answer.shown)
  const course = {
    after,
    inputs: inputs.flatMap((each, at) => (each.kind === 'input' ? { input: each.input, isTold: shown.has(at) } : [])),
  }
  const [told, instead] = await matches.withExport(contest, match, async (file) => [
    await readText(tellLinesJob, { file, wanted: [{ move: answer.event + 1 }] }),
    await readText(tellInsteadJob, { file, course }),
  ])
  const [line] = told.lines
  if (told.head !== head || line === undefined) throw playedAgain({ contest, match })
  const { line: number, move, hash, facts } = line
  const reference = { contest, match, line: number, move, part: null, head, hash, sentence: sentenceAt(line, null)! }
  return {
    ...{ kind: 'asked-again', reference, facts, seat, agent, name, isPinned, isolation: answer.isolation },
    moves: answer.moves,
    asked: answer.asked.slice(0, ASKED_MESSAGES_MAX),
    ...{ same: answer.same, differs: answer.differs === null ? null : answer.differs + 1, failed: failureOf(answer) },
    instead: instead.slice(0, INSTEAD_SENTENCES_MAX),
  }
}

function failureOf({ failed }: OtherAnswer): (NewItem & { readonly kind: 'asked-again' })['failed'] {
  if (failed === null) return null
  const { kind, text } = failed.fault
  return { move: failed.event + 1, text: beginningOf(`${kind}: ${text}`, QUOTED_CHARACTERS_MAX).toWellFormed() }
}

/** The agent that is wanted for a seat. Throws ExpectedError `seat-unknown` or `agent-unknown`. */
function agentIn(
  { seats, agents }: RerunOffer,
  seat: number,
  wanted: Sha256 | null,
): { readonly agent: Sha256; readonly name: string; readonly isPinned: boolean } {
  const played = seats[seat]
  if (played === undefined)
    throw new ExpectedError('usage', 'seat-unknown', `There is no seat ${seat}; the last is ${seats.length - 1}.`)
  if (wanted === null || wanted === played.agent) return { ...played, isPinned: true }
  const other = agents.find(({ agent }) => agent === wanted)
  if (other !== undefined) return { agent: wanted, name: other.name, isPinned: false }
  throw new ExpectedError('usage', 'agent-unknown', 'There is no such agent that you may ask: choose another one.')
}
