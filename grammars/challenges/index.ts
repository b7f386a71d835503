export type { Challenge, ReadChallenge } from './challenge.ts'
export { readChallenge } from './read.ts'
