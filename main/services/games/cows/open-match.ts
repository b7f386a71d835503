import { hash, timingSafeEqual } from 'node:crypto'
import { createDoor } from '../../../arenas/door.ts'
import type { Gate } from '../../../arenas/gate.ts'
import { createNoticeLimit } from '../../../arenas/rate-limit.ts'
import { createPostLine, type PostLine } from '../../../arenas/post-line.ts'
import type { SignIn } from '../../../arenas/sign-in.ts'
import { openTcpGate } from '../../../arenas/tcp-gate.ts'
import { eraseGame } from '../../../contract/game/erased-game.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { SeatId } from '../../../contract/ids.ts'
import { limits as limitsSchema, type Limits } from '../../../contract/limits.ts'
import { freeName, nameFrom, nameKey } from '../../../contract/names.ts'
import { networkPlayer, type NetworkPlayer } from '../../../players/network/network-player.ts'
import { playerOfBodies } from '../../../players/player-of-bodies.ts'
import { seatBudget } from '../../../players/printed-output.ts'
import { wireHost } from '../../../players/wires/wire-host.ts'
import { cows } from '../../../referees/cows/cows.ts'
import { pointsOf } from '../../../referees/cows/maps/tournament.ts'
import { jsonWire } from '../../../referees/json-wire.ts'
import { native } from '../../../referees/cows/wire/native.ts'
import { MESSAGE_BYTES } from '../../../referees/cows/wire/xml-message.ts'
import { xmlWire } from '../../../referees/cows/wire/xml-wire.ts'
import { openMatchExport, type MatchExport } from '../match-export.ts'
import { playStandaloneMatch } from '../standalone-match.ts'
import type { MatchFile, Team, User } from './match-file.ts'

export interface OpenMatch extends Pick<MatchFile, 'teams' | 'simulations' | 'timeoutMs'> {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** ms after which the match begins with those who have signed in. */
  readonly waitMs: number
  /** A folder for the histories and transcripts of the simulations. Absent: nothing is kept. */
  readonly exportTo?: string | undefined
  /** No further simulation begins when it aborts. */
  readonly signal: AbortSignal
  /** Called with the address for clients, such as `tcp://127.0.0.1:12300`. */
  onOpen(address: string): void
  onSimulation?(simulation: SimulationResult): void
  /** Events of connections, and mistakes of clients. */
  onNotice(text: string): void
  onUnexpected(error: unknown, doing: string): void
}

export interface SimulationResult {
  readonly name: string
  readonly steps: number
  /** Names of the teams, that with the first corral first. */
  readonly teams: readonly string[]
  /** Cows that each of them has caught. */
  readonly scores: readonly number[]
}

export interface TeamResult {
  readonly name: string
  /** 3 for each simulation won and 1 for each draw (spec 5.4). */
  readonly points: number
  /** The sum of all simulations. */
  readonly cows: number
}

export interface OpenMatchResult {
  readonly teams: readonly TeamResult[]
  /** The team with more points, with equal ones with more cows; null: neither has. */
  readonly winner: string | null
  readonly simulations: readonly SimulationResult[]
}

const game = eraseGame(cows)

/** Limits of connections, in ms and numbers. */
const gateLimits = { signInMs: 10_000, waiting: 64, heartbeatMs: 15_000, goodbyeMs: 500, graceMs: 0, strayMs: 0 }
const first = { bytes: 4_096, tooMuch: 'More than 4096 bytes have come before the sign-in.' }
/** ms for a connection that is missing when a simulation begins. */
const START_MS = 1_000

/** A user with the post that it connects to. */
interface SignedUser extends User {
  readonly team: Team
  readonly body: number
  readonly line: PostLine
}

/**
 * Plays a match with clients of 2008, each of which signs in once and stays for all simulations; teams swap corrals from one to
 * the next. It begins when all users are there, or after `waitMs` with those who are. null: the signal aborted before.
 * Throws ExpectedError if the port is not available or if nobody has signed in.
 */
export async function playOpenMatch(options: OpenMatch): Promise<OpenMatchResult | null> {
  const { teams, simulations, host, port, signal, onUnexpected } = options
  const exportTo =
    options.exportTo === undefined
      ? undefined
      : openMatchExport(options.exportTo, {
          title: `${teams[0].name} against ${teams[1].name}`,
          game: game.id,
          matches: simulations.length,
        })
  const notices = createNoticeLimit(options.onNotice)
  const waiting = createWaiting(options)
  let closing = false
  const users = teams.flatMap((team) =>
    team.users.map((user, body): SignedUser => ({
      ...user,
      team,
      body,
      line: createPostLine({
        rejoins: true,
        idleBytes: MESSAGE_BYTES,
        strayMs: gateLimits.strayMs,
        onChange(change) {
          if (closing) return
          const what = change.came ? 'has signed in.' : `has gone: it ${change.text}`
          notices.notice(user.username, `${user.username} (team ${team.name}) ${what}`)
          waiting.look()
        },
      }),
    })),
  )
  const gate: Gate = await openTcpGate({
    host,
    port,
    posts: users.length,
    messageBytes: MESSAGE_BYTES,
    door: createDoor({
      dialogue: { ...native, first },
      way: native.connection,
      desk: deskOf(users),
      messageBytes: MESSAGE_BYTES,
      limits: gateLimits,
      onRefused: (address, text) => notices.notice(address, `A connection from ${address} was sent away: ${text}`),
    }),
    limits: gateLimits,
    onUnexpected,
  })
  try {
    options.onOpen(gate.address)
    const begins = await waiting.everybody(users)
    if (!begins) return null
    const played: SimulationResult[] = []
    for (const number of simulations.keys()) {
      if (signal.aborted) break
      played.push(await playSimulation(options, number, users, exportTo, notices.notice))
      options.onSimulation?.(played.at(-1)!)
    }
    return resultOf(teams, played)
  } finally {
    closing = true
    notices.close()
    for (const { line } of users) line.close('The match is over.')
    await gate.close()
  }
}

/** Waits for users. `everybody`: whether the match can begin; false: the signal aborted. */
function createWaiting({ waitMs, signal }: OpenMatch) {
  let look = (): void => undefined
  const isHere = ({ line }: SignedUser): boolean => line.state() === 'here'
  return {
    look: () => look(),
    everybody(users: readonly SignedUser[]): Promise<boolean> {
      return new Promise((resolve, reject) => {
        const end = (how: () => void): void => {
          look = () => undefined
          clearTimeout(late)
          signal.removeEventListener('abort', stop)
          how()
        }
        const stop = (): void => end(() => resolve(false))
        const late = setTimeout(() => {
          const seconds = Math.round(waitMs / 1_000)
          if (users.some(isHere)) end(() => resolve(true))
          else
            end(() => reject(new ExpectedError('host', 'sign-in-timeout', `Nobody has signed in within ${seconds} s.`)))
        }, waitMs)
        signal.addEventListener('abort', stop)
        look = () => {
          if (users.every(isHere)) end(() => resolve(true))
        }
        if (signal.aborted) stop()
        else look()
      })
    },
  }
}

function deskOf(users: readonly SignedUser[]): SignIn {
  return {
    signIn(claim, _address, way, guest) {
      if (claim.by === 'arrival') return 'A user name and a password are needed.'
      const user = users.find(({ username }) => username === claim.user)
      // A comparison in any case, so that the time taken reveals nothing about names.
      const isRight = isSame(user?.password ?? '', claim.password)
      if (user === undefined || !isRight) return 'The user is not one of this match, or the password is wrong.'
      return user.line.join(way, () => guest({ entrant: user.team.name, line: user.body }))
    },
  }
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer')
  return timingSafeEqual(digest(one), digest(other))
}

async function playSimulation(
  { teams, simulations, timeoutMs }: OpenMatch,
  number: number,
  users: readonly SignedUser[],
  exportTo: MatchExport | undefined,
  notice: (about: string, text: string) => void,
): Promise<SimulationResult> {
  const { name, config } = simulations[number]!
  const seated = number % 2 === 0 ? teams : ([teams[1], teams[0]] as const)
  const limits: Limits = limitsSchema.parse({ startMs: START_MS, moveMs: timeoutMs, messageBytes: MESSAGE_BYTES })
  const userAt = (seat: SeatId, body: number): SignedUser =>
    users.find((user) => user.team === seated[seat] && user.body === body)!
  const requestsBefore = simulations.slice(0, number).reduce((sum, before) => sum + before.config.steps, 0)
  const players: { readonly seat: SeatId; readonly player: NetworkPlayer }[] = []
  let scores: readonly number[] = []
  await playStandaloneMatch({
    game,
    config,
    limits,
    isolation: 'none',
    exportTo,
    elsewhere: true,
    entrants: entrantsOf(seated),
    onOver(end) {
      scores = (end.outcome()?.places ?? []).map(({ score }) => score)
      for (const { seat, player } of players) player.over(end.view(seat))
    },
    seatPlayer({ id, bodies }, seed, emit) {
      const budget = seatBudget(limits)
      return playerOfBodies(
        bodies,
        (body, emitOfBody) => {
          const { line } = userAt(id, body)
          const player: NetworkPlayer = networkPlayer({
            match: number,
            seed,
            wire: jsonWire(),
            native: xmlWire({
              seat: id,
              profile: config.profile,
              host: wireHost(),
              names: { simulation: String(number), opponent: seated[1 - id]!.name },
              requestsBefore,
            }),
            rejoins: true,
            limits,
            budget,
            emit: emitOfBody,
            call: (call) => line.transport(number + 1, call, (event) => player.hear(event)),
          })
          players.push({ seat: id, player })
          return player
        },
        emit,
      )
    },
    onFault({ seat, body }, { text }) {
      const { username } = userAt(seat, body)
      notice(`fault ${username}`, `${username}: ${text}`)
    },
    onPrinted(seat, text, body) {
      const { username } = userAt(seat, body)
      for (const line of text.split('\n')) if (line !== '') notice(`console ${username}`, `${username}: ${line}`)
    },
  })
  return { name, steps: config.steps, teams: seated.map((team) => team.name), scores }
}

/** Names of teams as histories have them. */
function entrantsOf(teams: MatchFile['teams']): readonly string[] {
  const [one, other] = teams.map(({ name }) => nameFrom(name)) as [string, string]
  return [one, freeName(other, (name) => nameKey(name) === nameKey(one))]
}

function resultOf(teams: MatchFile['teams'], simulations: readonly SimulationResult[]): OpenMatchResult {
  const results = teams.map(({ name }): TeamResult => {
    const own = simulations.map(({ teams: seated, scores }) => {
      const seat = seated.indexOf(name)
      return { cows: scores[seat]!, points: pointsOf(scores)[seat]! }
    })
    const sum = (of: 'cows' | 'points'): number => own.reduce((total, each) => total + each[of], 0)
    return { name, points: sum('points'), cows: sum('cows') }
  })
  const [one, other] = results as [TeamResult, TeamResult]
  const lead = one.points - other.points || one.cows - other.cows
  return { teams: results, winner: lead === 0 ? null : (lead > 0 ? one : other).name, simulations }
}
