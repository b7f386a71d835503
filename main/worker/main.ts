import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ErasedGame } from '../contract/game/game.ts'
import type { Post, Seat, SeatRecord } from '../contract/game/table.ts'
import type { Sha256 } from '../contract/ids.ts'
import type { IsolationTier } from '../contract/limits.ts'
import type { Player, PlayerEvent } from '../contract/players/player.ts'
import type { LinePlace } from '../contract/players/seat-transport.ts'
import { fileSource } from '../histories/history-source.ts'
import { verifySource } from '../histories/verify.ts'
import { endGroup } from '../players/isolation/box-process.ts'
import { ownGroups } from '../players/isolation/groups/detect.ts'
import { createCommonFolder } from '../players/isolation/common-folder.ts'
import { spawnerIn } from '../players/isolation/runtime.ts'
import { declaredFolders, type ToolchainFolders } from '../players/isolation/declared-toolchains.ts'
import { createProgramHost, type ProgramHost } from '../players/program-player.ts'
import { playerOfBodies } from '../players/player-of-bodies.ts'
import { networkPlayer, type NetworkPlayer } from '../players/network/network-player.ts'
import { remotePlayer, type RemoteAgent, type RemotePlayer } from '../players/remote-player.ts'
import { createScriptPool, type ScriptPool } from '../players/scripts/script-pool.ts'
import { seatBudget, type SeatBudget } from '../players/printed-output.ts'
import type { WebAgent } from '../players/web/address.ts'
import { wireHost } from '../players/wires/wire-host.ts'
import { seatWeb } from '../players/web/web-player.ts'
import { games } from '../referees/games.ts'
import { checkRun } from './check-run.ts'
import { conductMatch } from './conduct-match.ts'
import {
  commandsOf,
  configOfJob,
  isRemote,
  isScript,
  type AgentCode,
  type CheckReport,
  type Commands,
  type ContestSetup,
  type FoldReport,
  type Folds,
  type GroupReport,
  type MatchJob,
  type OwnCode,
  type ReadReport,
  type Reports,
  type ScriptFile,
  type SwingsReport,
  type VerifyReport,
  type WorkerCommand,
  type WorkerReport,
  type FoldCommand,
} from './protocol.ts'
import { programOfRole } from './program-of-role.ts'
import { readMatch, reportSwings } from './read-match.ts'
import { otherAnswer, type OtherAnswerOrder, type OtherAnswerReport } from './replay/other-answer.ts'
import { toolchainsOf } from './program-toolchains.ts'
import { postWire, seatProgramAgent, seatScriptAgent } from './seating.ts'
import { createSpectators, type Spectators } from './spectators.ts'
import type { Json } from '../contract/json.ts'
import { eventsAt, type MatchPlace } from '../histories/segments/match-place.ts'

/** The maximum number of idle agent processes, which take about 50 MB each. */
const WARM_MAX = 24
/**
 * The number of matches, and of ms, after which an agent's process is replaced, so that leftovers of old realms end. To start
 * one and to compile what it runs takes as much computing time as hundreds of short matches.
 */
const RECYCLE_AFTER = 100
const RECYCLE_MS = 120_000
/** Matches that are over sooner are not offered to spectators. ms. */
const WATCHABLE_MS = 500

/**
 * A match worker: plays the matches that the engine sends, as many at a time as it has lanes, or verifies a history, or
 * replays one for a viewer. It writes no files and holds no private key; it exits with the engine, and its agents with
 * it.
 */
let setup: ContestSetup | null = null
let pool: ScriptPool | null = null
let programs: ProgramHost | null = null
/** The toolchains with which `programs` starts its programs. */
let declared: Promise<ToolchainFolders> | null = null
const agents = new Map<Sha256, Exclude<AgentCode, ScriptFile>>()
/** Jobs waiting for a lane. */
const waiting: MatchJob[] = []
let lanesUsed = 0
/** Remote players of the current runs, by `remoteName`. */
const remotes = new Map<string, RemotePlayer>()
const remoteName = (run: number, { seat, body }: Post): string => `${run} ${seat}.${body}`
/** Network players of the current runs, by `lineName`. */
const lines = new Map<string, NetworkPlayer>()
const lineName = ({ run, entrant, line }: LinePlace): string => `${run} ${line} ${entrant}`
/** The spectators of the current runs. */
const galleries = new Map<number, Spectators>()

/** Process groups of live agents. */
const groups = new Set<number>()

function report(
  message:
    Reports | CheckReport | VerifyReport | FoldReport<keyof Folds> | SwingsReport | OtherAnswerReport | GroupReport,
): void {
  // If the engine has exited, `disconnect` ends this process.
  if (process.connected) process.send?.(message)
}

let gathered: WorkerReport[] = []

/** Like `report`, batched with other reports of the same turn of the event loop. */
function gather(message: WorkerReport): void {
  if (gathered.push(message) > 1) return
  setImmediate(() => {
    const reports = gathered
    gathered = []
    report({ type: 'reports', reports })
  })
}

/** Like `report`, and resolves when the message has been sent, for flow control of large reports. */
function reported(message: ReadReport): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected || process.send === undefined) resolve()
    else process.send(message, () => resolve())
  })
}

/** The hosts of agents. `warmMax`: see ScriptPoolOptions. */
function openHosts(
  tier: IsolationTier,
  warmMax: number,
): { readonly programs: ProgramHost; readonly pool: ScriptPool; readonly declared: Promise<ToolchainFolders> } {
  const isolation = {
    tier,
    nodeBinary: process.execPath,
    onGroup(group: number, alive: boolean) {
      if (alive) groups.add(group)
      else groups.delete(group)
      report({ type: 'group', group, alive })
    },
  }
  const here = dirname(fileURLToPath(import.meta.url))
  const hostFile = join(here, 'host.cjs')
  const recycling = { recycleAfter: RECYCLE_AFTER, recycleMs: RECYCLE_MS }
  const folders = declaredFolders()
  // Programs tell what is wrong in the declaration; scripts play on.
  folders.catch(() => undefined)
  return {
    declared: folders,
    programs: createProgramHost({ ...isolation, spawner: spawnerIn(here), declared: folders }),
    pool: createScriptPool({ ...isolation, hostFile, warmMax, ...recycling }),
  }
}

function prepare(contest: ContestSetup): void {
  setup = contest
  const hosts = openHosts(contest.isolation, WARM_MAX)
  programs = hosts.programs
  declared = hosts.declared
  pool = hosts.pool
  gather({ type: 'ready' })
}

async function play(job: MatchJob): Promise<void> {
  if (setup === null || pool === null || programs === null || declared === null)
    throw new Error('a match arrived before its contest')
  const game = games.get(setup.game)
  if (game === undefined) throw new Error(`there is no game ${setup.game}`)
  const { limits, clock } = setup
  const { config } = configOfJob(setup, job)
  const [scripts, others] = [pool, programs]
  const seats = game.seats(config, job.entrants.length)
  if (typeof seats === 'string') throw new Error(seats)
  const common = setup.isolation === 'shared' ? await createCommonFolder() : undefined
  if (typeof common === 'string') {
    gather({ type: 'interrupted', run: job.run, reason: common })
    return
  }
  /** The network players of this match. */
  const connected: { readonly post: Post; readonly player: NetworkPlayer }[] = []
  const seatElsewhere = (
    code: RemoteAgent | WebAgent,
    seat: SeatRecord,
    post: Post,
    { seed, budget, emit }: { seed: string; budget: SeatBudget; emit: (event: PlayerEvent) => void },
  ): Player => {
    if (isRemote(code) && code.remote === 'human') {
      const player = remotePlayer({
        limits,
        emit,
        call(call) {
          gather({ type: 'remote', run: job.run, post, call })
          if (call.type === 'close') remotes.delete(remoteName(job.run, post))
        },
      })
      remotes.set(remoteName(job.run, post), player)
      return player
    }
    const wire = postWire(game, config, seats, post)
    if (!isRemote(code)) return seatWeb({ agent: code, wire, seed, limits, budget, emit })
    const place = { run: job.run, entrant: seat.name, line: lineOf(seat, post, seats) }
    const player = networkPlayer({
      match: job.match,
      seed,
      wire,
      native: game.dialogue.nativeWire?.(config, post, seats, wireHost()),
      rejoins: game.dialogue.network?.rejoins === true,
      limits,
      budget,
      emit,
      call(call) {
        gather({ type: 'line', run: job.run, place, call })
        if (call.type === 'shut') lines.delete(lineName(place))
      },
    })
    lines.set(lineName(place), player)
    connected.push({ post, player })
    return player
  }
  const { run } = job
  const names = seats.map(({ entrant }) => job.entrants[entrant]!.name)
  const spectators = createSpectators(names, (frame) => gather({ type: 'frame', run, frame }))
  galleries.set(run, spectators)
  const begun = setTimeout(() => gather({ type: 'begun', run }), WATCHABLE_MS)
  await conductMatch({
    setup,
    job,
    game,
    spectators,
    groups: (await ownGroups()).version ?? 'none',
    toolchains: await toolchainsOf(
      job.entrants.flatMap(({ agent }) => agents.get(agent) ?? []),
      setup.isolation,
      declared,
    ),
    onOver(end) {
      for (const { post, player } of connected) player.over(end.view(post.seat))
    },
    isElsewhere(agent) {
      const code = agents.get(agent)
      return typeof code === 'object' && (isRemote(code) || 'address' in code)
    },
    seatPlayer(seat, seedOf, emit) {
      const code = agents.get(seat.agent) ?? ''
      const seating = { game, config, seats, limits, clock, common, fresh: job.fresh }
      if (typeof code === 'string') return seatScriptAgent(scripts, code, seating, seat, seedOf(0), emit)
      if (!isRemote(code) && !('address' in code))
        return seatProgramAgent(others, programOfRole(code, seat.role), seating, seat, seedOf, emit)
      // One connection for each body.
      const budget = seatBudget(limits)
      return playerOfBodies(
        seat.bodies,
        (body, emitOfBody) =>
          seatElsewhere(code, seat, { seat: seat.id, body }, { seed: seedOf(body), budget, emit: emitOfBody }),
        emit,
      )
    },
    report: gather,
  }).finally(() => {
    clearTimeout(begun)
    spectators.close()
    galleries.delete(run)
    return common?.close()
  })
}

/** The index of a post among its entrant's posts in the match, from 0. */
function lineOf({ entrant }: SeatRecord, { seat, body }: Post, seats: readonly Seat[]): number {
  const before = seats.filter((each) => each.entrant === entrant && each.id < seat)
  return before.reduce((sum, { bodies }) => sum + bodies, body)
}

/** Starts waiting jobs in order while there are free lanes. A bug ends this process, which the engine notices. */
function fillLanes(): void {
  while (lanesUsed < (setup?.lanes ?? 1)) {
    const job = waiting.shift()
    if (job === undefined) return
    lanesUsed += 1
    void play(job).then(() => {
      lanesUsed -= 1
      fillLanes()
    })
  }
}

function check(job: MatchJob, lines: string): void {
  const game = games.get(setup?.game ?? '')
  if (setup === null || game === undefined) throw new Error('a history arrived before its contest')
  report({ type: 'checked', run: job.run, checked: checkRun(lines, setup, job, game) })
}

function verify(file: string, key: string | null): void {
  const onProgress = (part: number): void => report({ type: 'part', part })
  const options = { games: (id: string) => games.get(id), onProgress, ...(key === null ? {} : { keys: [key] }) }
  try {
    report({ type: 'verified', verdict: verifySource(fileSource(file), options) })
  } catch (error) {
    report({ type: 'gone', reason: String(error) })
  }
}

/** The text of a script. Throws if its file is not the one that was handed in. */
function textOf(code: string | ScriptFile, agent: Sha256): string {
  if (typeof code === 'string') return code
  const bytes = readFileSync(code.script)
  if (hash('sha256', bytes) !== agent)
    throw new Error(`the script ${agent.slice(0, 8)} in ${code.script} was changed after it was handed in`)
  // As in the original tools, invalid UTF-8 in scripts becomes replacement characters.
  return new TextDecoder().decode(bytes)
}

/** Asks one agent; the main process ends this one afterwards. */
async function askOther(order: OtherAnswerOrder, agent: OwnCode): Promise<void> {
  const hosts = openHosts(order.isolation, 0)
  const game = games.get(order.game)
  const { config, seats, limits, clock } = order
  try {
    const code = isScript(agent) ? textOf(agent, order.agent) : agent
    await otherAnswer(
      game,
      order,
      (seat, seedOf, emit) => {
        const seating = { game: game!, config, seats, limits, clock, common: undefined, fresh: true }
        return typeof code === 'string'
          ? seatScriptAgent(hosts.pool, code, seating, seat, seedOf(0), emit)
          : seatProgramAgent(hosts.programs, programOfRole(code, seat.role), seating, seat, seedOf, emit)
      },
      report,
    )
  } catch (error) {
    report({ type: 'unanswered', reason: `The agent could not be asked: ${messageOf(error)}` })
  }
  await Promise.all([hosts.pool.close(), hosts.programs.close()])
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

process.on('disconnect', () => {
  for (const group of groups) endGroup(group)
  process.exit(0)
})
/** Computes from a match's history what a fold of it gives. Never throws. */
function foldMatch(
  game: Pick<ErasedGame, 'analyses'> | undefined,
  { into, place, config, players }: Omit<FoldCommand, 'type' | 'game'>,
): FoldReport<keyof Folds> {
  try {
    return { type: 'folded', items: game?.analyses[into]?.(config, players, inputsAt(place)) ?? [], broken: null }
  } catch (error) {
    return { type: 'folded', items: [], broken: messageOf(error) }
  }
}

function* inputsAt(place: MatchPlace): Generator<Json> {
  for (const { line, kind } of eventsAt(place)) {
    if (kind !== 'input') continue
    const { b: body } = JSON.parse(line.toString('utf8')) as { readonly b: { readonly input: Json } }
    yield body.input
  }
}

process.on('message', (message: WorkerCommand | Commands) => commandsOf(message).forEach(obey))

function obey(command: WorkerCommand): void {
  if (command.type === 'contest') prepare(command.setup)
  else if (command.type === 'agent') {
    const { agent, code } = command
    agents.set(agent, isScript(code) ? textOf(code, agent) : code)
  } else if (command.type === 'play') {
    waiting.push(command.job)
    fillLanes()
  } else if (command.type === 'remote') remotes.get(remoteName(command.run, command.post))?.hear(command.event)
  else if (command.type === 'line') lines.get(lineName(command.place))?.hear(command.event)
  else if (command.type === 'check') check(command.job, command.lines)
  else if (command.type === 'watch') galleries.get(command.run)?.watch(command.wanted)
  else if (command.type === 'read') void readMatch(games.get(command.match.game), command.match, reported)
  else if (command.type === 'swings') void reportSwings(games.get(command.match.game), command.match, report)
  else if (command.type === 'ask-other') void askOther(command.order, command.code)
  else if (command.type === 'fold') report(foldMatch(games.get(command.game), command))
  else verify(command.file, command.key)
}
