import type { Json } from '../json.ts'
import type { Random } from '../properties/index.ts'
import type { Described } from './tree.ts'

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
  /**
   * One attempt of what the others repeat. `inputs`: config; for an instance also the predicate; for a solution null and the
   * instance.
   */
  once(what: Described, inputs: readonly Json[], random: Random): Attempted
  /** All feasible solutions that `solution` could give; null: more than `most` combinations, or no bound is known. */
  everySolution(config: Json, instance: Json, most: number): readonly Json[] | null
}

/** `limit`: true if a formula reached a limit of the language. */
export type Attempted =
  { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: string; readonly limit: boolean }

export type Sampled = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: string }
