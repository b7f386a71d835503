import type { Json } from '../json.ts'
import type { Property, Random } from '../properties/index.ts'
import type { Values } from '../values/index.ts'
import type { Challenge } from './challenge.ts'
import type { Sampled, Sampler } from './sampler.ts'
import type { Described } from './tree.ts'

/** How often an object is made again that the demands refuse. */
const TRIES = 1_000
/** How often the generator may give up; it has tried a lot each time. */
const FAILURES = 20

const wanted: Readonly<Record<Described, string>> = {
  predicate: 'legal predicate',
  instance: 'legal instance',
  solution: 'feasible solution',
}

/** `properties`: null where the file has no such section. */
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
  /** `refusal`: null where the value is what is wanted. */
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
    const blind = properties[what] === null ? ` There is no section "property ${what}".` : ''
    return { ok: false, error: `No ${wanted[what]} was found by chance.${blind} The last try: ${last}` }
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
