import { readChallenge } from '../../grammars/challenges/index.ts'
import type { Json } from '../../grammars/json.ts'
import { playTest } from '../../grammars/play-test/play-test.ts'
import { USUAL } from '../../grammars/play-test/tools.ts'
import { randomStream } from '../../main/contract/random.ts'
import type { WorkerReply } from './messages.ts'
import { samples } from './samples.ts'

/** As `tartaglia challenge check` does without options. */
const SEED = 'tartaglia'
const WITHIN_MS = 8_000

const SAMPLE = { seed: '1', count: 1, effort: 200, parameters: null }

/** Yields one solved sample of a challenge, if one is found, and the test of its game. `now`: a clock in ms. */
export async function* triedGame(
  { source, settings }: { readonly source: string; readonly settings: Json },
  hashOf: (text: string) => Promise<string>,
  now: () => number = () => performance.now(),
): AsyncGenerator<WorkerReply> {
  const { challenge } = readChallenge(source)
  const config = challenge?.config(settings)
  if (challenge === null || config?.ok !== true) {
    yield { kind: 'ended', failure: config?.ok === false ? config.error : 'The file has errors.' }
    return
  }
  for await (const reply of samples(source, SAMPLE, hashOf)) if (reply.kind === 'sampled') yield reply
  const random = randomStream(await hashOf(JSON.stringify(['play', SEED])))
  const options = { config: config.value, random, now, withinMs: WITHIN_MS, amounts: USUAL }
  yield { kind: 'tried', test: playTest(challenge, options) }
  yield { kind: 'ended', failure: null }
}
