import type { Json } from '../json.ts'
import type { Random } from '../properties/index.ts'

/**
 * Random objects of a challenge (section 9 of the spec: offer, accept, createRM and finish need nothing else). They are made
 * from the file's `property` sections, by the dictionary alone where there is none, and then judged by its demands; what is
 * refused is thrown away, up to a limit. `random`: uniform whole numbers from 0 to 2^32 - 1; equal streams give equal
 * samples. Never throws: where nothing is found `error` says why in one sentence.
 */
export interface Sampler {
  /** In the canonical form. */
  predicate(config: Json, random: Random): Sampled
  /** Legal for the predicate, which is as `Challenge.predicate` returned it. */
  instance(config: Json, predicate: Json, random: Random): Sampled
  /** Feasible for the legal instance. */
  solution(config: Json, instance: Json, random: Random): Sampled
}

export type Sampled = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: string }
