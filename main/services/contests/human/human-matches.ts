import { randomBytes } from 'node:crypto'
import { storedAgentKind } from '../../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { HUMAN } from '../../../contract/players/agents.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { ErasedGame } from '../../../contract/game/game.ts'
import type { ContestId, GameId } from '../../../contract/ids.ts'
import type { TeamId } from '../../../contract/people/teams.ts'
import type { Json } from '../../../contract/json.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import type { Opponent, Play, PlayWish } from '../../../contract/procedures/human-match.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { games } from '../../../referees/games.ts'
import { completeConfig } from '../descriptions/contest-file.ts'
import { matchConditions } from '../descriptions/match-conditions.ts'
import { tierForContest } from '../../machine/toolchains.ts'
import type { Challenges } from '../../challenges/class-challenges.ts'
import type { TextSource } from '../../texts/named-texts.ts'
import type { ContestRunner } from '../running/contest-runner.ts'
import type { Contests } from '../kept/class-contests.ts'
import { checkScripts } from '../../agents/foreign-scripts.ts'
import { agentsByPackage, entrantsNamed, ownAgents, shippedByStrength } from '../../agents/opponents.ts'
import { createPersonSeat, type PersonSeat } from './human-seat.ts'

/** The matches that people play in windows of this classroom. */
export interface HumanMatches {
  /** `team`: whose agents are offered, beside those that ship; null: those of the whole class. */
  opponents(game: GameId, team?: TeamId | null): Promise<readonly Opponent[]>
  /**
   * `by`: the team of a student who plays; absent: an educator or assistant does. Throws ExpectedError 'usage' if such a match cannot be
   * played, 'host' if the class's isolation is not available.
   */
  begin(wish: PlayWish, by?: PlayingTeam): Promise<ContestId>
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

/** A team of which a student plays: they choose among what `opponents` offers it, and the match is for the team. */
export interface PlayingTeam {
  readonly id: TeamId
  /** For the settings of the match. */
  readonly texts: TextSource
}

export interface HumanMatchesOptions {
  readonly home: ClassFolder
  readonly contests: Contests
  readonly challenges: Challenges
  readonly runner: Pick<ContestRunner, 'play'>
  onChange(contest: ContestId): void
  onFatal(error: unknown): void
}

/** The maximum number of matches at a time, of students and of all others; each has a worker. A team plays one at a time. */
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
  /** null: an educator or assistant plays. */
  readonly team: TeamId | null
  result: Play['result']
}

/** The matches with a person in an open classroom. */
interface State extends HumanMatchesOptions {
  /** Those that are being played, and the newest `OVER_MAX` of those that are over. */
  readonly plays: Map<ContestId, Playing>
  /** The matches that are about to begin, by their teams; null: an educator or assistant plays. */
  beginning: (TeamId | null)[]
}

export function openHumanMatches(options: HumanMatchesOptions): HumanMatches {
  const state: State = {
    ...options,
    plays: new Map(),
    beginning: [],
  }
  return {
    opponents: (game, team = null) => opponentsFor(state.home, game, team),

    async begin(wish, by) {
      const team = by?.id ?? null
      checkRoom(state, team)
      state.beginning = [...state.beginning, team]
      // In turn, so that nobody removes the agents before the contest is added.
      return state.home
        .inTurn(() => start(state, wish, by))
        .finally(() => {
          const at = state.beginning.indexOf(team)
          state.beginning = state.beginning.filter((_, index) => index !== at)
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

async function opponentsFor(home: ClassFolder, game: GameId, team: TeamId | null): Promise<readonly Opponent[]> {
  const own = ownAgents(home, game, team)
  const shipped = (await shippedByStrength(game)).filter(({ agent }) => own.every((each) => each.agent !== agent))
  return [...own, ...shipped.map(({ name, agent }) => ({ name, agent, shipped: true, works: true }))]
}

/** Throws ExpectedError 'usage' if no more matches can be played now. */
function checkRoom({ plays, beginning }: State, team: TeamId | null): void {
  const going = [...[...plays.values()].filter(({ result }) => result === null).map((each) => each.team), ...beginning]
  if (going.filter((each) => (each === null) === (team === null)).length >= PLAYING_MAX)
    throw new ExpectedError(
      'usage',
      'limit-reached',
      `${PLAYING_MAX} matches are being played already: ${team === null ? 'end one of them first' : 'try again later'}.`,
    )
  if (team !== null && going.includes(team))
    throw new ExpectedError('usage', 'limit-reached', 'Somebody of your team is playing already: end that match first.')
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

/** The opponents of a match by their packages. Throws ExpectedError 'usage' if the player may not choose them, or there are none. */
async function chosenOpponents(
  home: ClassFolder,
  { game, opponents }: PlayWish,
  by: PlayingTeam | undefined,
): Promise<readonly Pick<Opponent, 'name' | 'agent'>[]> {
  if (by === undefined) return agentsByPackage(home, game, opponents)
  const offered = new Map((await opponentsFor(home, game, by.id)).map((each) => [each.agent, each.name]))
  if (opponents.some((agent) => !offered.has(agent)))
    throw new ExpectedError('usage', 'agent-unknown', `There is no such agent for ${game}.`)
  // Another team's agent of the same bytes has another name.
  return (await agentsByPackage(home, game, opponents)).map(({ agent }) => ({ agent, name: offered.get(agent)! }))
}

async function start(state: State, wish: PlayWish, by: PlayingTeam | undefined): Promise<ContestId> {
  const game = games.get(wish.game)
  if (game === undefined) throw new ExpectedError('usage', 'game-unknown', `There is no game "${wish.game}".`)
  const opponents = await chosenOpponents(state.home, wish, by)
  await checkScripts(state.home.folder, { game: wish.game, entrants: entrantsNamed(opponents) })
  const description = await described(state.home, by?.texts ?? state.challenges.texts, wish, opponents)
  const at = Math.min(wish.seat, opponents.length)
  const { entrants, config } = description
  const seats = game.seats(config, entrants.length)
  const own = typeof seats === 'string' ? [] : seats.filter(({ entrant }) => entrant === at)
  const [seat] = own
  if (typeof seats === 'string' || seat === undefined || own.length !== 1) {
    throw new ExpectedError('usage', 'not-supported', `${game.title} has no seat for one person.`)
  }
  const programs = opponents.some(({ agent }) => storedAgentKind(state.home.folder, agent) === 'program')
  const isolation = await tierForContest(description, programs)
  const { id } = await state.contests.add(description, by === undefined ? {} : { practiceOf: by.id })
  const names = seats.map(({ entrant }) => entrants[entrant]!.name)
  const person = createPersonSeat(game, seat.bodies, () => state.onChange(id))
  const play: Playing = {
    game,
    seat: person,
    told: { contest: id, game: game.id, seat: seat.id, names },
    presence: createPlayerPresence(AWAY_MS, () => person.leave('The player has left the window.')),
    team: by?.id ?? null,
    result: null,
  }
  state.plays.set(id, play)
  run(state, id, isolation, play).catch(state.onFatal)
  return id
}

/** The description of the contest that records such a match. */
async function described(
  home: ClassFolder,
  texts: TextSource,
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
  const complete = await completeConfig(description, null, 'The match', texts)
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
