import { readDictionary } from '../../grammars/class-dictionary/index.ts'
import { megabytesPerSecond } from './measure.ts'

/** The text that a new process reads, once. It answers with the MB per second. */
export type FirstReading = { readonly dictionary: string } | { readonly json: string }

process.on('message', (asked: FirstReading) => void read(asked).then((speed) => process.send!(speed)))

function read(asked: FirstReading): Promise<number> {
  return 'json' in asked
    ? megabytesPerSecond(asked.json, () => JSON.parse(asked.json) !== null)
    : megabytesPerSecond(asked.dictionary, () => readDictionary(asked.dictionary).dictionary !== null)
}
