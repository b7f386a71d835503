// readChallenge(source: string): ReadChallenge follows here as soon as it is written.
export type { Challenge, ReadChallenge } from './challenge.ts'
