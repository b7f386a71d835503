/** Records trivial matches of these numbers, as a worker of a contest does what it has played, and sends their histories together. */
import { matchText } from './match-text.ts'

process.on('message', ({ from, to }: { readonly from: number; readonly to: number }) => {
  process.send!(Array.from({ length: to - from }, (_, at) => matchText(from + at)))
})
