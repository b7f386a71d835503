import type { Json } from '../json.ts'
import type { Property, Random } from '../properties/index.ts'
import type { Values } from '../values/index.ts'
import type { Challenge } from './challenge.ts'
import type { Sampled, Sampler } from './sampler.ts'
import type { Described } from './tree.ts'

/** How often an object that the demands refuse is generated again. */
const TRIES = 1_000
/** How often the generator may give up, each time after many attempts of its own. */
const FAILURES = 20

const wanted: Readonly<Record<Described, string>> = {
  predicate: 'legal predicate',
  instance: 'legal instance',
  solution: 'feasible solution',
}

/** Creates the sampler of a challenge. `properties`: null for a section that the file does not have. */
export function makeSampler(
  properties: Readonly<Record<Described, Property | null>>,
  values: Values,
  judge: Pick<Challenge, 'predicate' | 'legal' | 'feasible'>,
): Sampler {
  const generate = (what: Described, inputs: readonly Json[], random: Random): Sampled => {
    const property = properties[what]
    const made = property?.generate(inputs, random) ?? values.sample(typeOf[what], random)
    return made.ok ? made : { ok: false, error: made.problem.message }
  }
  /** Samples until `refusal` returns null. */
  const search = (
    what: Described,
    inputs: readonly Json[],
    random: Random,
    refusal: (value: Json) => string | null,
  ): Sampled => {
    let last = ''
    let failures = 0
    for (let tries = 0; tries < TRIES && failures < FAILURES; tries++) {
      const made = generate(what, inputs, random)
      const refused = made.ok ? refusal(made.value) : made.error
      if (made.ok && refused === null) return made
      last = refused ?? ''
      if (!made.ok) failures++
    }
    const blind = properties[what] === null ? ` The file has no section "property ${what}".` : ''
    return { ok: false, error: `No ${wanted[what]} was found by random sampling.${blind} Last attempt: ${last}` }
  }
  return {
    predicate(config, random) {
      const found = search('predicate', [config], random, (value) => {
        const checked = judge.predicate(config, value)
        return checked.ok ? null : checked.error
      })
      if (!found.ok) return found
      const checked = judge.predicate(config, found.value)
      return checked.ok ? { ok: true, value: checked.value } : checked
    },
    instance: (config, predicate, random) =>
      search('instance', [config, predicate], random, (value) => judge.legal(config, predicate, value)),
    solution: (config, instance, random) =>
      search('solution', [config, null, instance], random, (value) => judge.feasible(config, instance, value)),
  }
}

const typeOf: Readonly<Record<Described, string>> = {
  predicate: 'Predicate',
  instance: 'Instance',
  solution: 'Solution',
}
