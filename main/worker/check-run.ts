import type { ErasedGame } from '../contract/game/game.ts'
import type { HeaderBody } from '../contract/histories/history.ts'
import { canonicalText } from '../histories/canonical.ts'
import { commit, linkHash, tagOf, type ChainValue } from '../histories/chain.ts'
import { readHistoryLine } from '../histories/read-line.ts'
import { replay, type ReplayStep } from '../histories/replay.ts'
import { configOfJob, type CheckedRun, type ContestSetup, type MatchJob } from './protocol.ts'

/**
 * Checks the history of a run that another machine has played: the form and hash of every line, that it is the match
 * that was asked for with these agents and limits, the commitment, and the replay through the rules. Everything that is
 * said of the match is taken from these lines. Never throws, whatever the text.
 */
export function checkRun(text: string, setup: ContestSetup, job: MatchJob, game: ErasedGame): CheckedRun {
  let head: ChainValue = ''
  let header: HeaderBody | null = null
  let end: CheckedRun | null = null
  const steps: ReplayStep[] = []
  const faults: number[] = []
  const printed: number[] = []
  let inputs = 0
  const lines = text.split('\n')
  if (lines.pop() !== '') return bad('its last line is incomplete')
  for (const [n, line] of lines.entries()) {
    if (end !== null) return bad('there are lines after its end')
    const read = readHistoryLine(Buffer.from(line))
    if (!read.ok) return bad(`line ${n + 1}: ${read.message}`)
    const { body } = read
    if (!('r' in body) || body.r !== job.run || body.n !== n) return bad(`line ${n + 1} is of another run or place`)
    head = linkHash(head, tagOf(body.k), read.digest)
    if (head !== read.h) return bad(`line ${n + 1} does not continue the chain`)
    if ((n === 0) !== (body.k === 'header')) return bad(`line ${n + 1} is out of order`)
    switch (body.k) {
      case 'header': {
        const fault = headerFault(body, setup, job, game)
        if (fault !== null) return bad(fault)
        header = body
        faults.push(...body.seats.map(() => 0))
        printed.push(...body.seats.map(() => 0))
        break
      }
      case 'input':
        inputs += 1
        steps.push({ type: 'input', input: body.input, found: body.found ?? null })
        break
      case 'fault':
        count(faults, body.post.seat)
        break
      case 'console':
        count(printed, body.post.seat)
        break
      case 'checkpoint':
        steps.push({ type: 'checkpoint', state: body.state })
        break
      case 'void':
        end = { type: 'void', head, reason: body.reason }
        break
      case 'outcome': {
        const { outcome, state, removals, at } = body
        if (body.seed !== job.seed || body.nonce !== job.nonce || body.inputs !== inputs)
          return bad('its end is not that of the match')
        steps.push({ type: 'outcome', outcome, state, removals })
        const { isolation, groups, seats, host } = header!
        const { toolchains } = host
        const counted = {
          ...(groups === undefined ? {} : { groups }),
          ...(toolchains === undefined ? {} : { toolchains }),
        }
        const entrants = seats.map(({ name }) => name)
        const { run, match, attempt } = job
        const told = { outcome, state, entrants, faults, printed, isolation, ...counted, ms: at }
        end = { type: 'finished', finished: { run, match, attempt, head, ...told } }
        break
      }
      default:
        return bad(`line ${n + 1} does not belong in a run`)
    }
  }
  if (end === null || header === null) return bad('it has no end')
  if (end.type === 'finished') {
    const difference = replay(
      game,
      { config: configOfJob(setup, job).config, seats: header.seats, seed: job.seed },
      steps,
    )
    if (difference !== null) return bad(difference.message)
  }
  return end
}

function count(counts: number[], seat: number): void {
  if (counts[seat] !== undefined) counts[seat] += 1
}

const bad = (message: string): CheckedRun => ({ type: 'bad', message })

/** Why the header is not that of the match that was asked for; null: it is. */
function headerFault(header: HeaderBody, setup: ContestSetup, job: MatchJob, game: ErasedGame): string | null {
  const { config, configHash } = configOfJob(setup, job)
  const seats = game.seats(config, job.entrants.length)
  if (typeof seats === 'string') return seats
  const wanted = {
    contest: setup.contest,
    description: setup.contestHash,
    config: configHash,
    match: job.match,
    attempt: job.attempt,
    game: game.id,
    version: game.version,
    limits: setup.limits,
    clock: setup.clock,
    seeds: setup.seeds,
    commitment: commit(job.seed, job.nonce),
    seats: seats.map(({ id, entrant, role, bodies }) => ({ id, entrant, role, bodies, ...job.entrants[entrant]! })),
  }
  const found = { ...header, seeds: header.seeds ?? 'sha256' }
  const differing = (Object.keys(wanted) as (keyof typeof wanted)[]).find(
    (key) => canonicalText(wanted[key]) !== canonicalText(found[key]),
  )
  return differing === undefined ? null : `its header has another ${differing}`
}
