import type { Sample } from '../../challenge-worker/messages.ts'
import { call } from '../../connection/client.ts'
import { takeSamples } from '../../challenge-worker/worker-client.ts'

/** By the hash of the challenge's file. null: no sample could be made. */
const known = new Map<string, Promise<Sample | null>>()
let last: Promise<unknown> = Promise.resolve()

/** A random instance of a challenge with a random solution, always the same one; null: none can be made. One is made at a time. */
export function firstSample(name: string, version: string): Promise<Sample | null> {
  const made = known.get(version)
  if (made !== undefined) return made
  const making = last.then(() => make(name)).catch(() => null)
  last = making
  known.set(version, making)
  return making
}

async function make(name: string): Promise<Sample | null> {
  const { source } = await call('challenges.get', { name })
  return new Promise((resolve) => {
    const stop = takeSamples(source, { seed: '1', count: 1, effort: 1, parameters: null }, (answer) => {
      if (answer.kind === 'sampled') resolve(answer.sample)
      else if (answer.kind === 'ended') resolve(null)
      else return
      stop()
    })
  })
}
