export type { Challenge, ReadChallenge } from './challenge.ts'
export type { Verdict } from './challenge.ts'
export { readChallenge } from './read.ts'
