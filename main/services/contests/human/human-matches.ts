import { randomBytes } from 'node:crypto'
import { storedAgentKind } from '../../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { HUMAN } from '../../../contract/players/agents.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { ErasedGame } from '../../../contract/game/game.ts'
import type { ContestId, GameId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import type { Opponent, Play, PlayWish } from '../../../contract/procedures/human-match.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { games } from '../../../referees/games.ts'
import { completeConfig } from '../descriptions/contest-file.ts'
import { matchConditions } from '../descriptions/match-conditions.ts'
import { chooseTier } from '../../machine/isolation.ts'
import type { Challenges } from '../../challenges/class-challenges.ts'
import type { ContestRunner } from '../running/contest-runner.ts'
import type { Contests } from '../kept/class-contests.ts'
import { checkScripts } from '../../agents/foreign-scripts.ts'
import { agentsByPackage, entrantsNamed, ownAgents, shippedAgents } from '../../agents/opponents.ts'
import { createPersonSeat, type PersonSeat } from './human-seat.ts'

/** The matches that people play in windows of this classroom. */
export interface HumanMatches {
  opponents(game: GameId): Promise<readonly Opponent[]>
  /**
   * Throws ExpectedError 'usage' if such a match cannot be played, 'host' if the class's isolation is not available.
   */
  begin(wish: PlayWish): Promise<ContestId>
  /** These throw ExpectedError 'usage' if the match was not played since the classroom was opened. */
  get(contest: ContestId): Play
  answer(contest: ContestId, question: number | null, value: Json): void
  leave(contest: ContestId): void
  /**
   * Registers a window of the person until the returned function is called. A person without a window for `AWAY_MS` has
   * left.
   */
  attend(contest: ContestId): () => void
  close(): void
}

export interface HumanMatchesOptions {
  readonly home: ClassFolder
  readonly contests: Contests
  readonly challenges: Challenges
  readonly runner: Pick<ContestRunner, 'play'>
  onChange(contest: ContestId): void
  onFatal(error: unknown): void
}

/** The maximum number of matches at a time; each has a worker. */
const PLAYING_MAX = 8
/** Longer than a page takes to reload or a connection to recover. */
const AWAY_MS = 10_000
/** The maximum number of finished matches that stay available with their dialogue. */
const OVER_MAX = 50

interface Playing {
  readonly game: ErasedGame
  readonly seat: PersonSeat
  readonly told: Pick<Play, 'contest' | 'game' | 'seat' | 'names'>
  readonly presence: PlayerPresence
  result: Play['result']
}

/** The matches with a person in an open classroom. */
interface State extends HumanMatchesOptions {
  /** Those that are being played, and the newest `OVER_MAX` of those that are over. */
  readonly plays: Map<ContestId, Playing>
  /** The number of matches that are about to begin. */
  beginning: number
}

export function openHumanMatches(options: HumanMatchesOptions): HumanMatches {
  const state: State = {
    ...options,
    plays: new Map(),
    beginning: 0,
  }
  return {
    async opponents(game) {
      const own = ownAgents(state.home, game)
      const shipped = (await shippedAgents(game)).filter(({ agent }) => own.every((each) => each.agent !== agent))
      return [...own, ...shipped.map(({ name, agent }) => ({ name, agent, shipped: true, works: true }))]
    },

    async begin(wish) {
      const going = [...state.plays.values()].filter(({ result }) => result === null).length
      if (going + state.beginning >= PLAYING_MAX) {
        throw new ExpectedError(
          'usage',
          'limit-reached',
          `${PLAYING_MAX} matches are being played already: end one of them first.`,
        )
      }
      state.beginning += 1
      // In turn, so that nobody removes the agents before the contest is added.
      return state.home
        .inTurn(() => start(state, wish))
        .finally(() => {
          state.beginning -= 1
        })
    },

    get(contest) {
      const { told, seat, result } = playing(state, contest)
      const questions = result === null ? seat.questions() : []
      return { ...told, dialogue: seat.dialogue(), question: questions[0] ?? null, questions, result }
    },

    answer(contest, question, value) {
      const { game, seat, result } = playing(state, contest)
      if (result !== null) throw new ExpectedError('usage', 'match-over', 'The match is over.')
      const problem = game.unreadable(value)
      if (problem !== null)
        throw new ExpectedError('usage', 'answer-refused', `${game.title} does not allow this answer: ${problem}.`)
      if (!seat.answer(question, value))
        throw new ExpectedError('usage', 'question-closed', 'This question is no longer open.')
    },

    leave: (contest) => playing(state, contest).seat.leave('The player has left the match.'),

    attend: (contest) => playing(state, contest).presence.come(),

    close() {
      for (const { presence } of state.plays.values()) presence.end()
    },
  }
}

function playing(state: State, contest: ContestId): Playing {
  const found = state.plays.get(contest)
  if (found !== undefined) return found
  throw new ExpectedError(
    'usage',
    'match-not-played',
    `No match of ${contest} is being played here. Finished matches are among the histories.`,
  )
}

function forget(state: State): void {
  const over = [...state.plays].filter(([, { result }]) => result !== null)
  for (const [contest] of over.slice(0, Math.max(0, over.length - OVER_MAX))) state.plays.delete(contest)
}

async function run(state: State, contest: ContestId, isolation: IsolationTier, play: Playing): Promise<void> {
  const why = await state.runner
    .play(contest, isolation, play.seat.seatTransport)
    .catch((error: unknown) => {
      if (error instanceof ExpectedError) return error.message
      throw error
    })
    .finally(() => {
      play.presence.end()
      play.seat.close()
    })
  const finished = why === null ? (await state.contests.record(contest)).recent.at(-1) : undefined
  play.result = finished === undefined ? { stopped: why ?? 'The match does not count.' } : { outcome: finished.outcome }
  forget(state)
  state.onChange(contest)
}

async function start(state: State, wish: PlayWish): Promise<ContestId> {
  const game = games.get(wish.game)
  if (game === undefined) throw new ExpectedError('usage', 'game-unknown', `There is no game "${wish.game}".`)
  const opponents = await agentsByPackage(state.home, wish.game, wish.opponents)
  await checkScripts(state.home.folder, { game: wish.game, entrants: entrantsNamed(opponents) })
  const description = await described(state.home, state.challenges, wish, opponents)
  const at = Math.min(wish.seat, opponents.length)
  const { entrants, config } = description
  const seats = game.seats(config, entrants.length)
  const own = typeof seats === 'string' ? [] : seats.filter(({ entrant }) => entrant === at)
  const [seat] = own
  if (typeof seats === 'string' || seat === undefined || own.length !== 1) {
    throw new ExpectedError('usage', 'not-supported', `${game.title} has no seat for one person.`)
  }
  const programs = opponents.some(({ agent }) => storedAgentKind(state.home.folder, agent) === 'program')
  const isolation = await chooseTier(description.isolation, programs)
  const { id } = await state.contests.add(description)
  const names = seats.map(({ entrant }) => entrants[entrant]!.name)
  const person = createPersonSeat(game, seat.bodies, () => state.onChange(id))
  const play: Playing = {
    game,
    seat: person,
    told: { contest: id, game: game.id, seat: seat.id, names },
    presence: createPlayerPresence(AWAY_MS, () => person.leave('The player has left the window.')),
    result: null,
  }
  state.plays.set(id, play)
  run(state, id, isolation, play).catch(state.onFatal)
  return id
}

/** The description of the contest that records such a match. */
async function described(
  home: ClassFolder,
  challenges: Challenges,
  { game, config, seat, moveMs, seed }: PlayWish,
  opponents: readonly Pick<Opponent, 'name' | 'agent'>[],
): Promise<ContestDescription> {
  const entrants = entrantsNamed(opponents, ['Human'])
  entrants.splice(seat, 0, { name: 'Human', agent: HUMAN })
  const description: ContestDescription = {
    title: Array.from(`Human against ${opponents.map(({ name }) => name).join(', ')}`)
      .slice(0, 200)
      .join(''),
    game,
    format: { type: 'single' },
    seed: seed === '' ? randomBytes(32).toString('hex') : seed,
    ...matchConditions(game, {
      config,
      limits: { moveMs, ...(choosesAtStart(game) ? { startMs: moveMs } : {}) },
      isolation: home.content.settings.isolation,
    }),
    entrants,
  }
  const complete = await completeConfig(description, null, 'The match', challenges.texts)
  // `Json` is readonly and the schema's type is not; nothing modifies the value.
  return { ...description, config: complete as ContestDescription['config'] }
}

/** True if a person may have something to choose before the first move. */
const choosesAtStart = (game: GameId): boolean => games.get(game)?.replay?.asksPerson !== undefined

/** The presence of the player at the window, which may be open in several places. */
export interface PlayerPresence {
  /** Registers a presence until the returned function is called; further calls of that have no effect. */
  come(): () => void
  /** Stops watching. */
  end(): void
}

/** `gone` is called when nobody has been present for `awayMs` without interruption, counted from the start. */
export function createPlayerPresence(awayMs: number, gone: () => void): PlayerPresence {
  let here = 0
  let ended = false
  let away = setTimeout(gone, awayMs)
  return {
    come() {
      let stays = true
      here += 1
      clearTimeout(away)
      return () => {
        if (!stays) return
        stays = false
        here -= 1
        if (here === 0 && !ended) away = setTimeout(gone, awayMs)
      }
    },
    end() {
      ended = true
      clearTimeout(away)
    },
  }
}
