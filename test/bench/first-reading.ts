import { readDictionary } from '../../grammars/class-dictionary/index.ts'
import { megabytesPerSecond } from './measure.ts'

/** What a new process is to read, once. It answers how many MB a second that were. */
export type FirstReading = { readonly dictionary: string } | { readonly json: string }

process.on('message', (asked: FirstReading) => void read(asked).then((speed) => process.send!(speed)))

function read(asked: FirstReading): Promise<number> {
  return 'json' in asked
    ? megabytesPerSecond(asked.json, () => JSON.parse(asked.json) !== null)
    : megabytesPerSecond(asked.dictionary, () => readDictionary(asked.dictionary).dictionary !== null)
}
