import { open } from 'node:fs/promises'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import type { SeatRecord } from '../../../contract/game/table.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { MatchSource } from '../../../contract/histories/match-source.ts'
import type { SeatId, Sha256 } from '../../../contract/ids.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import { machineErrorFrom } from '../../../histories/machine-error.ts'
import { newNonce } from '../../../histories/nonce.ts'
import { games } from '../../../referees/games.ts'
import {
  isScript,
  type ContestSetup,
  type MatchJob,
  type OwnCode,
  type WorkerReport,
} from '../../../worker/protocol.ts'
import type { Following } from '../../background-tasks.ts'
import { chooseTier } from '../../machine/isolation.ts'
import { startReader } from '../../machine/reader.ts'
import type { Matches } from '../class-matches.ts'
import type { MatchIndex } from '../match-index.ts'
import { codeOfAgent, refuseShared, requireRoles, type LoadedAgent } from './agents-again.ts'
import { rerunLimit, withinTime } from './rerun-limit.ts'

/** Bytes of history that a match may write when it is played again. */
const LINES_BYTES_MAX = 256 * 1024 * 1024

/**
 * Plays a finished match again, isolated, with its settings, seed and limits, with one agent in all seats of the entrant that had this
 * one; the others are the versions that played. The lines of the new run, which does not belong to the contest, go to the file `into`. Rejects
 * with ExpectedError, and with MachineError.
 */
export function playAgain(
  home: ClassFolder,
  matches: Pick<Matches, 'within'>,
  { source, seat, agent }: { readonly source: MatchSource; readonly seat: SeatId; readonly agent: Sha256 },
  into: string,
  following: Following,
): Promise<IsolationTier> {
  return matches.within(source, async (_, index) => {
    await index.whole
    return play(home, index, { seat, agent }, into, following)
  })
}

async function play(
  home: ClassFolder,
  index: MatchIndex,
  { seat, agent }: { readonly seat: SeatId; readonly agent: Sha256 },
  into: string,
  following: Following,
): Promise<IsolationTier> {
  const { header, config, outcome } = index
  const { game, version, seats, limits, clock } = header
  refuseShared(header.isolation)
  if (games.get(game)?.version !== version)
    throw new ExpectedError(
      'usage',
      'rules-version-differs',
      `The rules of ${game}, version ${version}, are not available.`,
    )
  const exchanged = seats.map((each) => (each.entrant === seats[seat]?.entrant ? { ...each, agent } : each))
  const loaded: LoadedAgent[] = []
  try {
    const codes = new Map<Sha256, OwnCode>()
    for (const each of exchanged) {
      if (codes.has(each.agent)) continue
      const one = await codeOfAgent(home, game, config, each.agent)
      loaded.push(one)
      const own = exchanged.filter((other) => other.agent === each.agent)
      requireRoles(one.code, own)
      codes.set(each.agent, one.code)
    }
    const hasProgram = [...codes.values()].some((code) => !isScript(code))
    const isolation = await chooseTier(home.content.settings.isolation, hasProgram)
    const setup: ContestSetup = {
      ...{ contest: header.contest, contestHash: header.description, game, config, configHash: header.config },
      ...{ limits, isolation, clock, seeds: header.seeds ?? 'sha256', lanes: 1 },
    }
    const job: MatchJob = {
      ...{ run: 1, match: header.match, attempt: header.attempt, seed: outcome.seed, nonce: newNonce() },
      ...{ entrants: entrantsOf(exchanged), fresh: true },
    }
    await withinTime(rerunLimit(outcome.at), following, (limited) =>
      inWorker({ setup, job, codes }, into, index.events, limited),
    )
    return isolation
  } finally {
    for (const { remove } of loaded) await remove()
  }
}

function entrantsOf(seats: readonly SeatRecord[]): MatchJob['entrants'] {
  const count = Math.max(...seats.map(({ entrant }) => entrant)) + 1
  return Array.from({ length: count }, (_, entrant) => {
    const { name, agent } = seats.find((each) => each.entrant === entrant)!
    return { name, agent }
  })
}

interface PlayOrder {
  readonly setup: ContestSetup
  readonly job: MatchJob
  readonly codes: ReadonlyMap<Sha256, OwnCode>
}

/** Plays in a worker of its own, which is ended with its agents. `events`: those of the match as it was recorded, for the progress. */
async function inWorker(
  { setup, job, codes }: PlayOrder,
  into: string,
  events: number,
  { signal, onPart }: Following,
): Promise<void> {
  const file = await open(into, 'w', 0o600).catch((error: unknown) => {
    throw machineErrorFrom(error, 'write', into)
  })
  const worker = startReader<WorkerReport>()
  const ended = Promise.withResolvers<null>()
  const exited = new Promise<void>((resolve) => worker.onExit(() => resolve()))
  const stop = (): void => ended.reject(new ExpectedError('stopped', 'stopped', 'The match is not played any more.'))
  const failed = (how: string): void =>
    ended.reject(new ExpectedError('host', 'match-failed', `The match could not be played again: ${how}.`))
  let written: Promise<void> = Promise.resolve()
  let [bytes, lines] = [0, 0]
  const keep = (text: string): void => {
    bytes += Buffer.byteLength(text)
    lines += text.split('\n').length - 1
    if (bytes > LINES_BYTES_MAX) failed(`its history has more than ${LINES_BYTES_MAX >> 20} MB`)
    else written = written.then(() => file.appendFile(text))
    written.catch((error: unknown) => ended.reject(machineErrorFrom(error, 'write', into)))
    onPart(Math.min(0.99, lines / Math.max(1, events)))
  }
  worker.onReport((report) => {
    if (report.type === 'ready') {
      for (const [agent, code] of codes) worker.send({ type: 'agent', agent, code })
      worker.send({ type: 'play', job })
    } else if (report.type === 'lines') keep(report.text)
    else if (report.type === 'finished') ended.resolve(null)
    else if (report.type === 'interrupted' || report.type === 'void') failed(report.reason)
  })
  worker.onExit((how) => failed(`its process ended (${how})`))
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  else worker.send({ type: 'contest', setup })
  try {
    await ended.promise
    await written
  } finally {
    signal.removeEventListener('abort', stop)
    worker.kill()
    await exited
    await file.close()
  }
}
