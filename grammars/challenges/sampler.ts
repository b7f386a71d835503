import type { Json } from '../json.ts'
import type { Random } from '../properties/index.ts'

/**
 * Random objects of a challenge (section 9 of the spec: offer, accept, createRM and finish need nothing else). They are
 * generated from the file's `property` sections, or from the dictionary alone if there is none, and then checked
 * against its demands; refused objects are discarded, up to a limit. `random`: uniform whole numbers from 0 to 2^32 -
 * 1; equal streams give equal samples. Never throws: if nothing is found, `error` gives the reason in one sentence.
 */
export interface Sampler {
  /** A predicate in canonical form. */
  predicate(config: Json, random: Random): Sampled
  /** An instance that is legal for the predicate, given as returned by `Challenge.predicate`. */
  instance(config: Json, predicate: Json, random: Random): Sampled
  /** A feasible solution of the legal instance. */
  solution(config: Json, instance: Json, random: Random): Sampled
}

export type Sampled = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: string }
