export type { Challenge, ReadChallenge } from './challenge.ts'
export type { Explanation, Verdict } from './explain.ts'
export { readChallenge } from './read.ts'
