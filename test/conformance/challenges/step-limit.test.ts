import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'
import { STEPS } from '../../../grammars/formulas/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { availableTiers } from '../../../main/players/isolation/detect.ts'
import { createScriptPool } from '../../../main/players/scripts/script-pool.ts'
import { config as speckerConfig } from '../../../main/referees/specker/config.ts'
import { bundle, ENERGY, type Action } from '../../../main/referees/specker/messages.ts'
import { startMessage, turnMessage } from '../../../main/referees/specker/referee/views.ts'
import { rules } from '../../../main/referees/specker/rules.ts'
import type { WorkerReply, WorkerRequest } from '../../../renderer/challenge-worker/messages.ts'
import { files, seat } from '../../hostile/players/seats.ts'
import { challengeOf } from '../../unit/challenges/shipped.ts'
import { chainOf, chains, chainsOfNine, loops } from '../../unit/challenges/step-limits.ts'

const tiers = await availableTiers(files)
const { tier } = tiers.findLast(({ available }) => available)!
const pool = createScriptPool({ ...files, tier, warmMax: 1, recycleAfter: 1_000 })
const built = (name: string): string =>
  readFileSync(new URL(`../../../dist/agents/specker/${name}.js`, import.meta.url), 'utf8')
const adapter = `(Agent) => {
  let agent
  return (message) => message.type === 'start' ? (agent = new Agent(message), null) : agent.turn(message)
}`

/** The one offer of the built agent in its process; its price is the quality that its trials showed. */
async function priceOfBaby(source: string): Promise<number | undefined> {
  const config = speckerConfig.parse({ challenge: source, maxTurns: 5, offersMin: 1, offersMax: 1 })
  const seats = [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
  const state = rules.initial(config, seats, '0'.repeat(64))
  const seated = await seat(pool, built('baby'), { adapter })
  await seated.ask(startMessage(state, 0))
  const answer = await seated.ask(turnMessage(state, 0), 120_000)
  seated.player.close()
  if (answer.type !== 'answer') throw new Error(JSON.stringify(answer))
  const [offer] = bundle.parse(answer.value).actions
  return offer?.type === 'offer' ? offer.price : undefined
}

/** The solution of the built agent in its process: the better of two random ones if it can judge them, else the first. */
async function solutionOfAgent(links: number): Promise<Json> {
  const config = speckerConfig.parse({ challenge: chainsOfNine, maxTurns: 5 })
  const seats = [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
  const state = rules.initial(config, seats, '0'.repeat(64))
  const act = (of: number, ...actions: Action[]): void =>
    expect(rules.apply(state, { type: 'turn', seat: of, actions })).toBeNull()
  const price = (part: number): number => ENERGY / part
  act(0, { type: 'offer', predicate: { n: 1 }, price: price(2) })
  act(1, { type: 'reoffer', challenge: 0, price: price(3) }, { type: 'offer', predicate: { n: 1 }, price: price(4) })
  act(0, { type: 'accept', challenge: 2 }, { type: 'offer', predicate: { n: 1 }, price: price(5) })
  act(
    1,
    { type: 'deliver', challenge: 2, instance: chainOf(links) },
    { type: 'reoffer', challenge: 3, price: price(8) },
    { type: 'offer', predicate: { n: 1 }, price: price(10) },
  )
  expect(state.removals).toEqual([])
  const seated = await seat(pool, built('baby'), { adapter })
  await seated.ask(startMessage(state, 0))
  const answer = await seated.ask(turnMessage(state, 0), 120_000)
  seated.player.close()
  if (answer.type !== 'answer') throw new Error(JSON.stringify(answer))
  const solve = bundle.parse(answer.value).actions.find((action) => action.type === 'solve')
  return solve?.solution ?? null
}

/** The window's worker as it is: Node gives its thread the two functions that a browser's worker has. */
const threads: Worker[] = []
function startWindowWorker(): Worker {
  const entry = new URL('../../../renderer/challenge-worker/worker.ts', import.meta.url)
  const thread = new Worker(
    `const { parentPort } = require('node:worker_threads')
    globalThis.addEventListener = (_, listener) => parentPort.on('message', (data) => listener({ data }))
    globalThis.postMessage = (reply) => parentPort.postMessage(reply)
    import(${JSON.stringify(entry.href)})`,
    { eval: true },
  )
  threads.push(thread)
  return thread
}
function askedOfWindow(worker: Worker, request: WorkerRequest): Promise<WorkerReply> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    const listener = (reply: WorkerReply): void => {
      if (reply.kind === 'part') return
      worker.off('message', listener)
      resolve(reply)
    }
    worker.on('message', listener)
    worker.postMessage(request)
  })
}

afterAll(async () => {
  await Promise.all([pool.close(), ...threads.map((thread) => thread.terminate())])
})

async function isRatedByWindow(worker: Worker, source: string): Promise<boolean> {
  const request: WorkerRequest = { kind: 'sample', source, seed: '1', count: 1, effort: 1, parameters: null }
  const reply = await askedOfWindow(worker, request)
  return reply.kind === 'sampled' && reply.sample.best.quality === '1/1'
}

test.each([
  [STEPS, true],
  [STEPS + 1, false],
])(
  'a measure of %i steps is judged alike by a built agent in its process and by the whole worker of the window',
  async (n, rated) => {
    const source = loops(n)
    expect({
      evaluation: challengeOf(source).judgement({ most: n }, { n }, { s: 1 }).kind === 'rated',
      agent: await priceOfBaby(source),
      window: await isRatedByWindow(startWindowWorker(), source),
    }).toEqual({ evaluation: rated, agent: rated ? ENERGY : 0, window: rated })
  },
)

test('the deepest chain of calls is judged alike by evaluation, a built agent and the whole worker of the window', async () => {
  const config = { links: 1 }
  const challenge = challengeOf(chains)
  const isRated = (links: number): boolean => challenge.judgement(config, chainOf(links), { s: 1 }).kind === 'rated'
  let deepest = 1
  while (isRated(deepest + 1)) deepest += 1
  const worker = startWindowWorker()
  const found = async (links: number): Promise<WorkerReply['kind']> => {
    const wish = {
      what: 'Solution',
      config,
      stream: '1'.repeat(64),
      instance: chainOf(links),
      withinMs: 2_000,
    } as const
    const reply = await askedOfWindow(worker, { kind: 'find', source: chains, wish })
    return reply.kind
  }
  expect([await found(deepest), await found(deepest + 1)]).toEqual(['found', 'ended'])
  const judged = await solutionOfAgent(1)
  expect(await solutionOfAgent(deepest)).toEqual(judged)
  const first = await solutionOfAgent(deepest + 1)
  expect((first as { s: number }).s).toBeLessThan((judged as { s: number }).s)
})
