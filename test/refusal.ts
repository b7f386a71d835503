import { expect } from 'vitest'
import type { ErrorCode } from '../main/contract/error-codes.ts'

/** A fact in a sentence: a name, a number, a place. */
export type Fact = string | number

/** Matches an error by its code and the facts that its sentence holds, whatever its other words are; for toThrow and toEqual. */
export function refusal(code: ErrorCode, ...facts: readonly Fact[]): Error {
  // An asymmetric matcher has no type of its own.
  return expect.objectContaining({ code, message: saying(...facts) }) as Error
}

/** The same for an error of the program itself, which has no code. */
export function failure(...facts: readonly Fact[]): Error {
  return expect.objectContaining({ message: saying(...facts) }) as Error
}

/** The same for a failed call of the window. */
export function refusedCall(reason: ErrorCode, ...facts: readonly Fact[]): object {
  return { ok: false, error: expect.objectContaining({ reason, message: saying(...facts) }) as object }
}

/** The same for what a refused command prints with --json. */
export function refusedCommand(code: ErrorCode, ...facts: readonly Fact[]): object {
  return { code, error: saying(...facts) }
}

/**
 * Matches text that holds all facts, in any order. A fact stands alone: 5 is not found in 15, nor "baby" in "babysitter"; it holds no
 * sentence, so a reworded sentence matches too.
 */
export function saying(...facts: readonly Fact[]): string {
  return expect.stringMatching(
    new RegExp(facts.map((fact) => `(?=[^]*${alone(String(fact))})`).join(''), 'u'),
  ) as string
}

function alone(fact: string): string {
  const before = /^[\p{L}\p{N}_]/u.test(fact) ? '(?<![\\p{L}\\p{N}_])' : ''
  const after = /[\p{L}\p{N}_]$/u.test(fact) ? '(?![\\p{L}\\p{N}_])' : ''
  return `${before}${fact.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}${after}`
}
