import { createHash } from 'node:crypto'
import type { Challenge } from '../../../grammars/challenges/index.ts'
import type { Solved } from '../../../grammars/challenges/references/reference.ts'
import type { Answers, Trial } from '../../../grammars/play-test/try-references.ts'
import type { Json } from '../../contract/json.ts'
import { limits } from '../../contract/limits.ts'
import type { PlayerEvent } from '../../contract/players/player.ts'
import { createScriptPool, type ScriptPool } from '../../players/scripts/script-pool.ts'
import { chooseTier } from '../machine/isolation.ts'
import { resources } from '../machine/resources.ts'

/** Instances that a script solves, and ms for each. */
const MOST = 12
const MS = 2_000

/** Calls the function with each message. */
const adapter = `(solve) => typeof solve !== 'function'
  ? 'A reference in JavaScript defines a function solve(instance, config).'
  : ({ instance, config }) => solve(instance, config)`

/**
 * The solutions of a challenge's references in JavaScript, which run isolated as agents do, in processes of their own; none
 * follow a fault. Throws ExpectedError 'host' if this machine cannot isolate them.
 */
export async function answersInScripts(
  { references }: Challenge,
  config: Json,
  trials: readonly Trial[],
): Promise<Answers> {
  const answers = new Map<string, readonly Solved[]>()
  const scripts = references.flatMap(({ title, how }) => (how.language === 'javascript' ? [{ title, ...how }] : []))
  if (scripts.length === 0 || trials.length === 0) return answers
  const pool = createScriptPool({
    tier: await chooseTier('permission'),
    nodeBinary: resources.node,
    hostFile: resources.agentHost,
    warmMax: 0,
    recycleAfter: 1,
  })
  try {
    for (const { title, source } of scripts) {
      const solved = await solveAll(pool, source, config, trials)
      if (solved !== null) answers.set(title, solved)
    }
  } finally {
    await pool.close()
  }
  return answers
}

/** null: this machine could not run it. */
async function solveAll(
  pool: ScriptPool,
  text: string,
  config: Json,
  trials: readonly Trial[],
): Promise<readonly Solved[] | null> {
  const source = `${text}\nmodule.exports = typeof solve === 'undefined' ? undefined : solve`
  let next = Promise.withResolvers<PlayerEvent>()
  const player = pool.seat({
    agent: createHash('sha256').update(source).digest('hex'),
    source,
    adapter,
    seed: 'reference',
    clock: 'frozen',
    limits: limits.parse({ moveMs: MS }),
    emit(event) {
      if (event.type !== 'console' && event.type !== 'said') next.resolve(event)
    },
  })
  const solved: Solved[] = []
  await player.ready()
  for (const [number, { instance }] of trials.slice(0, MOST).entries()) {
    player.ask(number + 1, { instance, config }, MS)
    const event = await next.promise
    next = Promise.withResolvers()
    if (event.type === 'fault' && event.fault.kind === 'host') {
      player.close()
      return null
    }
    const answer = solvedBy(event)
    solved.push(answer)
    if (!answer.ok) break
  }
  player.close()
  return solved
}

function solvedBy(event: PlayerEvent): Solved {
  if (event.type === 'answer') return { ok: true, solution: event.value, steps: null }
  if (event.type !== 'fault') return { ok: false, error: 'It ended without an answer.' }
  const { kind, text } = event.fault
  return { ok: false, error: text, ...(kind === 'timeout' ? { late: true } : {}) }
}
