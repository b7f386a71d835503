// A process of its own: opens the class that a newcomer has in the folder that is its argument, and plays its sample contest.
import { openClassroom } from '../../main/app/classroom-service/service.ts'
import { playSample } from '../../main/app/sample-run.ts'

const [data = ''] = process.argv.slice(2)
const service = await openClassroom({ data })
const played = await playSample(service, new AbortController().signal, () => undefined)
await service.close()
if (played?.summary.state !== 'ended') throw new Error('the sample contest has not been played to its end')
