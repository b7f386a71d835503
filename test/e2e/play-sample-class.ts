// A process of its own: makes the sample class in the folder that is its argument.
import { makeSampleClass } from './make-sample-class.ts'

const [data = ''] = process.argv.slice(2)
await makeSampleClass(data)
