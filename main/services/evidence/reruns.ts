import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { passingFolder } from '../../administrator/classroom/scratch.ts'
import { beginningOf } from '../../contract/beginning.ts'
import type { RerunOffer, RerunWish } from '../../contract/evidence/dossier-procedures.ts'
import {
  ASKED_MESSAGES_MAX,
  INSTEAD_SENTENCES_MAX,
  type DossierId,
  type LineFacts,
} from '../../contract/evidence/dossiers.ts'
import type { EvidenceReference } from '../../contract/evidence/evidence-reference.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { QUOTED_CHARACTERS_MAX, type OtherAnswer } from '../../contract/histories/other-answers.ts'
import type { ContestId, GameId, MatchNumber, SeatId, Sha256 } from '../../contract/ids.ts'
import type { PersonId } from '../../contract/people/people.ts'
import type { MatchEvent } from '../../contract/procedures/match-answers.ts'
import { games } from '../../referees/games.ts'
import { createTasks, type Following, type Tasks } from '../background-tasks.ts'
import { readText } from '../machine/reading.ts'
import type { Matches } from '../matches/class-matches.ts'
import { askOther } from '../matches/replay/other-answers.ts'
import { playAgain } from '../matches/replay/played-again.ts'
import type { NewItem } from './class-dossiers.ts'
import { createTurns } from './in-turn.ts'
import { tellInsteadJob, tellLinesJob, tellPlayedJob } from './jobs.ts'
import { anotherMatch } from './kept-evidence.ts'
import { sentenceAt, type ToldMatch } from './told-lines.ts'

/** A decision to ask for again, or a match to play again. */
interface RerunOrder extends Omit<RerunWish, 'item'> {
  /** For whom: each person has one at a time. */
  readonly who: string
  /** null: the person at this machine. */
  readonly person: PersonId | null
  /** The event in question. */
  readonly event: EvidenceReference
  /** The seats of its match, and the agents that may be asked in their place. */
  readonly offer: RerunOffer
}

/** Decisions and matches that are being run again; see Tasks. Each becomes an item of a dossier. */
export interface Reruns extends Omit<Tasks<RerunOrder, NewItem>, 'stop'> {
  /** Stops a request, of a dossier or (null) whatever it is for; does nothing if it is not running. */
  stop(dossier: DossierId | null, request: string): void
  /** Those that run or wait, the first one first. */
  list(): readonly RunningRerun[]
}

/** A request that runs or waits. */
export interface RunningRerun extends Pick<RerunOrder, 'request' | 'again' | 'person'> {
  readonly contest: ContestId
  readonly match: MatchNumber
}

/**
 * The agents that can be asked again at an event. `others`: those that may be run in place of the ones that played. Rejects with
 * ExpectedError 'usage' for an unknown match.
 */
export async function rerunOffer(
  matches: Pick<Matches, 'detail' | 'events'>,
  { contest, match, move }: EvidenceReference,
  others: (game: GameId) => Promise<RerunOffer['agents']>,
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

/**
 * One of them is run at a time: contests want the cores. `onChange`: called with the id of a request when it progresses or ends; `onList`:
 * when one begins or has ended.
 */
export function createReruns(
  home: ClassFolder,
  matches: Pick<Matches, 'within' | 'withExport'>,
  onChange: (request: string) => void,
  onList: () => void,
): Reruns {
  const inTurn = createTurns('Something else is still being run again for you: stop that first, or wait for it.')
  const running = new Map<string, RerunOrder>()
  const tasks = createTasks<RerunOrder, NewItem>(
    ({ request }) => request,
    async (order, following) => {
      running.set(order.request, order)
      onList()
      try {
        return await inTurn(order.who, () => rerun(home, matches, order, following), following.signal)
      } finally {
        running.delete(order.request)
        onList()
      }
    },
    onChange,
  )
  return {
    ...tasks,
    stop(dossier, request) {
      const order = running.get(request)
      if (order !== undefined && (dossier === null || order.dossier === dossier)) tasks.stop(order)
    },
    list: () =>
      [...running.values()].map(({ request, again, person, event: { contest, match } }) => ({
        ...{ request, again, person, contest, match },
      })),
  }
}

function rerun(
  home: ClassFolder,
  matches: Pick<Matches, 'within' | 'withExport'>,
  order: RerunOrder,
  following: Following,
): Promise<NewItem> {
  return (order.again === 'decision' ? askedAgain : playedAgain)(home, matches, order, following)
}

/** Asks an agent again, and tells what it answers beside what was recorded. Rejects with ExpectedError. */
async function askedAgain(
  home: ClassFolder,
  matches: Pick<Matches, 'within' | 'withExport'>,
  order: RerunOrder,
  following: Following,
): Promise<NewItem> {
  const { source, event, who, run } = subjectOf(order)
  const { seat, agent } = run
  const answer = await askOther(home, matches, { source, position: event.move, seat, agent }, following)
  const shown = new Set(answer.same ? [] : answer.shown)
  const inputs = answer.events.flatMap((each, at) =>
    each.kind === 'input' ? { input: each.input, isTold: shown.has(at) } : [],
  )
  const [told, instead] = await matches.withExport(
    source.contest,
    source.match,
    async (file) =>
      [
        await readText(tellLinesJob, { file, wanted: [{ move: answer.event + 1 }] }, who),
        await readText(tellInsteadJob, { file, course: { after: answer.first, inputs } }, who),
      ] as const,
  )
  return {
    ...{ kind: 'asked-again', ...recordedLine(event, told), ...run, isolation: answer.isolation },
    moves: answer.moves,
    asked: answer.asked.slice(0, ASKED_MESSAGES_MAX),
    ...{ same: answer.same, differs: answer.differs === null ? null : answer.differs + 1, failed: failureOf(answer) },
    instead: instead.slice(0, INSTEAD_SENTENCES_MAX),
  }
}

/** Plays the match again, and tells its result beside the recorded one. Rejects with ExpectedError, and with MachineError. */
async function playedAgain(
  home: ClassFolder,
  matches: Pick<Matches, 'within' | 'withExport'>,
  order: RerunOrder,
  following: Following,
): Promise<NewItem> {
  const { source, event, who, run } = subjectOf(order)
  const folder = passingFolder('rerun')
  try {
    const history = join(folder, 'run.jsonl')
    const { seat, agent } = run
    const isolation = await playAgain(home, matches, { source, seat, agent }, history, following)
    const [told, course] = await matches.withExport(
      source.contest,
      source.match,
      async (file) =>
        [
          await readText(tellLinesJob, { file, wanted: [{ move: null }] }, who),
          await readText(tellPlayedJob, { file, run: history }, who),
        ] as const,
    )
    const { same, result, differs } = course
    return {
      ...{ kind: 'played-again', ...recordedLine(event, told), ...run, isolation, same, result },
      differs:
        differs === null
          ? null
          : {
              move: differs.move,
              recorded: differs.recorded.slice(0, INSTEAD_SENTENCES_MAX),
              again: differs.again.slice(0, INSTEAD_SENTENCES_MAX),
            },
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** An order as far as both kinds have it: the match, the event, and the agent that is run in a seat. Throws like `agentOf`. */
function subjectOf(order: RerunOrder) {
  const { event, seat, who } = order
  const source = { from: 'contest', contest: event.contest, match: event.match } as const
  return { source, event, who, run: { seat, ...agentOf(order) } }
}

/** The line that was told of the match of an event, as an item refers to it. Throws ExpectedError if the match is another one now. */
function recordedLine(
  { contest, match, head }: EvidenceReference,
  told: ToldMatch,
): { readonly reference: EvidenceReference; readonly facts: LineFacts } {
  const [line] = told.lines
  if (told.head !== head || line === undefined) throw anotherMatch({ contest, match })
  const { line: number, move, hash, facts } = line
  const place = { contest, match, line: number, move, part: null }
  return { reference: { ...place, head, hash, sentence: sentenceAt(line, null)! }, facts }
}

function failureOf({ failed }: OtherAnswer): (NewItem & { readonly kind: 'asked-again' })['failed'] {
  if (failed === null) return null
  const { kind, text } = failed.fault
  return { move: failed.event + 1, text: beginningOf(`${kind}: ${text}`, QUOTED_CHARACTERS_MAX).toWellFormed() }
}

/** The agent that is wanted. Throws ExpectedError `seat-unknown` or `agent-unknown`. */
function agentOf({ again, seat, agent: wanted, offer: { seats, agents } }: RerunOrder): {
  readonly agent: Sha256
  readonly name: string
  readonly isPinned: boolean
} {
  const played = seats[seat]
  if (played === undefined)
    throw new ExpectedError('usage', 'seat-unknown', `There is no seat ${seat}; the last is ${seats.length - 1}.`)
  if (wanted === null || wanted === played.agent) return { agent: played.agent, name: played.name, isPinned: true }
  const other = agents[again].find(({ agent }) => agent === wanted)
  if (other !== undefined) return { agent: wanted, name: other.name, isPinned: false }
  throw new ExpectedError('usage', 'agent-unknown', 'You may not run this agent again here: choose another one.')
}
