import type { Json } from '../json.ts'
import type { Property, Random } from '../properties/index.ts'
import type { Values } from '../values/index.ts'
import type { Challenge } from './challenge.ts'
import type { Attempted, Sampled, Sampler } from './sampler.ts'
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
  const generate = (what: Described, inputs: readonly Json[], random: Random): Attempted => {
    const made = properties[what]?.generate(inputs, random)
    if (made !== undefined)
      return made.ok ? made : { ok: false, error: made.problem.message, limit: made.problem.limit }
    const sampled = values.sample(typeOf[what], random)
    return sampled.ok ? sampled : { ok: false, error: sampled.problem.message, limit: false }
  }
  const refusal = (
    what: Described,
    [config = null, predicate = null, instance = null]: readonly Json[],
    value: Json,
  ) => {
    if (what === 'instance') return judge.legal(config, predicate, value)
    if (what === 'solution') return judge.feasible(config, instance, value)
    const checked = judge.predicate(config, value)
    return checked.ok ? null : checked.error
  }
  /** Samples until an object is not refused. */
  const search = (what: Described, inputs: readonly Json[], random: Random): Sampled => {
    let last = ''
    let failures = 0
    for (let tries = 0; tries < TRIES && failures < FAILURES; tries++) {
      const made = generate(what, inputs, random)
      const refused = made.ok ? refusal(what, inputs, made.value) : made.error
      if (made.ok && refused === null) return made
      last = refused ?? ''
      if (!made.ok) failures++
    }
    const blind = properties[what] === null ? ` The file has no section "property ${what}".` : ''
    return { ok: false, error: `No ${wanted[what]} was found by random sampling.${blind} Last attempt: ${last}` }
  }
  return {
    once(what, inputs, random) {
      const made = generate(what, inputs, random)
      const refused = made.ok ? refusal(what, inputs, made.value) : null
      return refused === null ? made : { ok: false, error: refused, limit: false }
    },
    everySolution(config, instance, most) {
      const every = properties.solution?.every([config, null, instance], most) ?? null
      return every && every.filter((value) => judge.feasible(config, instance, value) === null)
    },
    predicate(config, random) {
      const found = search('predicate', [config], random)
      if (!found.ok) return found
      const checked = judge.predicate(config, found.value)
      return checked.ok ? { ok: true, value: checked.value } : checked
    },
    instance: (config, predicate, random) => search('instance', [config, predicate], random),
    solution: (config, instance, random) => search('solution', [config, null, instance], random),
  }
}

const typeOf: Readonly<Record<Described, string>> = {
  predicate: 'Predicate',
  instance: 'Instance',
  solution: 'Solution',
}
