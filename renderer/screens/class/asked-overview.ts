import { onChange } from '../../connection/changes.ts'
import { call } from '../../connection/client.ts'
import { early } from './asked-early.ts'

const listen = (listener: () => void) => [onChange('agents', listener)]
const overview = early(listen, () => {
  const answer = call('class.overview', {})
  // The screen shows a failure; perhaps nobody comes to it.
  answer.catch(() => undefined)
  return answer
})

/** Asks for the overview before it is known who is at the window: everybody sees it. */
export const askForOverview = (hash: string): void => overview.ask(hash)

/** The overview: the one that was asked for already, once, else a new one. Rejects with a CallFailure. */
export const takeOverview = overview.take
