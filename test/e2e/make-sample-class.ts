import { openClassroom } from '../../main/app/classroom-service/service.ts'

/** Makes a data folder with the sample class, whose contest has been played and whose agents have been tried. */
export async function makeSampleClass(data: string): Promise<void> {
  const service = await openClassroom({ data })
  try {
    await new Promise<void>((resolve) => {
      const off = service.on('status', (running) => {
        if (!Array.isArray(running) || running.length > 0) return
        setImmediate(() => off())
        resolve()
      })
    })
    const educator = { right: 'educator' } as const
    const first = { offset: 0, limit: 100, search: '' }
    for (;;) {
      const { items } = await service.handlers['agents.list'](first, educator)
      if (items.every(({ versions }) => versions[0]?.smoke !== null)) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  } finally {
    await service.close()
  }
}
