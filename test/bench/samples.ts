import { readChallenge, type Challenge } from '../../grammars/challenges/index.ts'
import type { Json } from '../../main/contract/json.ts'
import { randomStream } from '../../main/contract/random.ts'
import { instanceOf, maxCsp } from './max-csp.ts'
import { mediansOf, rate } from './measure.ts'
import { rowOf, type Bench } from './row.ts'

const INSTANCES = 10_000
/** Raw material of the baby of 2009: five variables, ten constraints. */
const SETTINGS = { maxVars: 5, maxConstraints: 10 }
const ROUNDS = 3

/** Legal raw material from the properties of max-csp, held against a loop written by hand that makes as much. */
export const samples: Bench = {
  name: 'samples',
  async measure() {
    const { challenge } = readChallenge(maxCsp)
    if (challenge === null) throw new Error('max-csp cannot be read')
    const config = challenge.config(SETTINGS)
    const predicate = config.ok ? challenge.predicate(config.value, { relations: [22] }) : config
    if (!config.ok || !predicate.ok) throw new Error('the settings are refused')
    const { first, second } = await mediansOf(
      ROUNDS,
      () => rate(INSTANCES, () => sampleAll(challenge, config.value, predicate.value)),
      () =>
        rate(INSTANCES, () => {
          for (let n = 0; n < INSTANCES; n++) instanceOf(22, SETTINGS.maxVars, 1 + (n % SETTINGS.maxConstraints))
        }),
    )
    return [
      rowOf(
        { name: `instances of MAX-CSP sampled from properties, ${INSTANCES}`, value: first, unit: '/s' },
        { name: 'made by a loop for MAX-CSP alone', value: second, unit: '/s' },
      ),
    ]
  },
}

function sampleAll({ sampler }: Challenge, config: Json, predicate: Json): void {
  const random = randomStream('5'.repeat(64))
  for (let n = 0; n < INSTANCES; n++) {
    const made = sampler.instance(config, predicate, random)
    if (!made.ok) throw new Error(made.error)
  }
}
