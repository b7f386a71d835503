// A process of its own: makes the sample term in the folder that is its argument.
import { makeSampleTerm } from '../../main/app/sample-term/sample-term.ts'
import { sampleTermNow } from './sample-term-now.ts'

const [data = ''] = process.argv.slice(2)
await makeSampleTerm(data, Date.parse(sampleTermNow), () => undefined)
