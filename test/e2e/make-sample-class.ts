import { hostCaller } from '../../main/contract/people/caller.ts'
import { openClassroom } from '../../main/app/classroom-service.ts'
import { playSample } from '../../main/app/serve.ts'

/** Makes a data folder with the sample class, whose contest has been played and whose agents have been tried. */
export async function makeSampleClass(data: string): Promise<void> {
  const service = await openClassroom({ data })
  try {
    const played = await playSample(service, new AbortController().signal, () => undefined)
    if (played?.summary.state !== 'ended') throw new Error('the sample contest was not played to its end')
    const first = { offset: 0, limit: 100, search: '' }
    for (;;) {
      const { items } = await service.handlers['agents.list'](first, hostCaller)
      const newest = items.flatMap(({ versions: [version] }) => version ?? [])
      const failed = newest.find(({ trial }) => typeof trial === 'object' && trial !== null)
      if (failed !== undefined) throw new Error(`an agent could not be tried: ${JSON.stringify(failed.trial)}`)
      if (newest.every(({ smoke }) => smoke !== null)) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  } finally {
    await service.close()
  }
}
