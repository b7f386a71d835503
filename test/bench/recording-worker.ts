/** Records trivial matches of these numbers, as a worker records what it has played, and sends all their histories at once. */
import { matchText } from './match-text.ts'

process.on('message', ({ from, to }: { readonly from: number; readonly to: number }) => {
  process.send!(Array.from({ length: to - from }, (_, at) => matchText(from + at)))
})
