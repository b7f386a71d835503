import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { OtherAnswer, OtherAnswerWish } from '../../../contract/histories/other-answers.ts'
import { isScript, type OwnCode } from '../../../worker/protocol.ts'
import type { OtherAnswerOrder, OtherAnswerReport } from '../../../worker/replay/other-answer.ts'
import { createTasks, type Following, type Tasks } from '../../background-tasks.ts'
import { chooseTier } from '../../machine/isolation.ts'
import { startReader } from '../../machine/reader.ts'
import type { Matches } from '../class-matches.ts'
import type { LocatedMatch, MatchIndex } from '../match-index.ts'
import { codeOfAgent, refuseShared, requireRoles } from './agents-again.ts'
import { rerunLimit, withinTime } from './rerun-limit.ts'

/** Agents that are asked at a time: each has a worker, and contests want the cores. */
const AT_ONCE = 2

/** The agents that are being asked what they would have answered in finished matches; see Tasks. */
export interface OtherAnswers extends Omit<Tasks<OtherAnswerWish, OtherAnswer>, 'stop'> {
  stop(request: string): void
}

/** `onChange`: called with the id of a request when it progresses or ends. */
export function createOtherAnswers(
  home: ClassFolder,
  matches: Pick<Matches, 'within'>,
  onChange: (request: string) => void,
): OtherAnswers {
  const asking = new Map<string, OtherAnswerWish>()
  const tasks = createTasks<OtherAnswerWish, OtherAnswer>(
    ({ request }) => request,
    async (wish, following) => {
      if (asking.size >= AT_ONCE)
        throw new ExpectedError(
          'usage',
          'busy',
          `${AT_ONCE} agents are being asked already: stop one of them, or wait for it.`,
        )
      asking.set(wish.request, wish)
      try {
        return await askOther(home, matches, wish, following)
      } finally {
        asking.delete(wish.request)
      }
    },
    onChange,
  )
  return {
    ...tasks,
    stop(request) {
      const wish = asking.get(request)
      if (wish !== undefined) tasks.stop(wish)
    },
  }
}

/** Asks an agent; several callers share the machine. Rejects with ExpectedError. */
export function askOther(
  home: ClassFolder,
  matches: Pick<Matches, 'within'>,
  wish: Omit<OtherAnswerWish, 'request'>,
  following: Following,
): Promise<OtherAnswer> {
  return matches.within(wish.source, (located, index) => ask(home, wish, located, index, following))
}

async function ask(
  home: ClassFolder,
  { seat, agent, position }: Omit<OtherAnswerWish, 'request'>,
  { place }: LocatedMatch,
  index: MatchIndex,
  following: Following,
): Promise<OtherAnswer> {
  await index.whole
  const { game, version, seats, limits, clock, isolation, seeds } = index.header
  const { config, outcome } = index
  const taken = seats[seat]
  if (taken === undefined)
    throw new ExpectedError('usage', 'seat-unknown', `There is no seat ${seat}; the last is ${seats.length - 1}.`)
  refuseShared(isolation)
  const { code, remove } = await codeOfAgent(home, game, config, agent)
  try {
    requireRoles(code, [taken])
    const tier = await chooseTier(home.content.settings.isolation, !isScript(code))
    const known = {
      place,
      game,
      version,
      config,
      seats,
      limits,
      clock,
      seeds: seeds ?? 'sha256',
      seed: outcome.seed,
    } as const
    const order = { ...known, seat, agent, position, isolation: tier }
    return await withinTime(rerunLimit(outcome.at), following, (limited) => inWorker(order, code, limited))
  } finally {
    await remove()
  }
}

/** Asks in a worker of its own, which is ended with its agent. */
async function inWorker(order: OtherAnswerOrder, code: OwnCode, { signal, onPart }: Following): Promise<OtherAnswer> {
  const worker = startReader<OtherAnswerReport>()
  const ended = Promise.withResolvers<OtherAnswer>()
  const stop = (): void => ended.reject(new ExpectedError('stopped', 'stopped', 'The agent is not asked any more.'))
  const exited = new Promise<void>((resolve) => worker.onExit(() => resolve()))
  signal.addEventListener('abort', stop, { once: true })
  worker.onReport((report) => {
    if (report.type === 'part') onPart(report.part)
    else if (report.type === 'answered') ended.resolve(report.answer)
    else ended.reject(new ExpectedError('usage', 'not-replayable', report.reason))
  })
  worker.onExit((how) =>
    ended.reject(
      new ExpectedError('host', 'system-error', `The agent could not be asked: its process ended (${how}).`),
    ),
  )
  if (signal.aborted) stop()
  else worker.send({ type: 'ask-other', order, code })
  try {
    return await ended.promise
  } finally {
    signal.removeEventListener('abort', stop)
    worker.kill()
    // Its program's folder is removed afterwards.
    await exited
  }
}
