// A classroom in a process of its own, to be killed: starts the contest that it is told and says how far it is.
import { hostCaller } from '../../../main/contract/people/caller.ts'
import { openClassroom } from '../../../main/app/classroom-service.ts'

const [data = '', contest = ''] = process.argv.slice(2)
const service = await openClassroom({ data, sample: false, workers: 1 })
// Killed before, it goes on by itself, and cannot be started once more.
await service.handlers['contests.start']({ contest }, hostCaller).catch(() => undefined)
service.on('status', (value) => process.stdout.write(`${JSON.stringify(value)}\n`))
