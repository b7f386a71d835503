import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ReadingOrder, ReadingReport } from '../../../main/services/machine/reading.ts'
import { launchWorker } from '../../../main/services/machine/worker-process.ts'

const script = join(import.meta.dirname, '../../../main/app/reading-process.ts')

test('orders of one turn, which arrive as one message, are followed one after the other', async () => {
  const reader = launchWorker<ReadingReport, ReadingOrder>(process.execPath, script)
  onTestFinished(() => void reader.kill())
  const reports: (readonly [string, string])[] = []
  const ended = new Promise<void>((resolve) => {
    reader.onReport((report) => {
      reports.push([report.type, 'message' in report ? (/"(.*)"/.exec(report.message)?.[1] ?? '') : ''])
      if (reports.length === 4) resolve()
    })
    reader.onExit(() => resolve())
  })
  for (const job of ['one', 'two']) reader.send({ type: 'job', job, input: null })
  await ended
  expect(reports).toEqual([
    ['begun', ''],
    ['failed', 'one'],
    ['begun', ''],
    ['failed', 'two'],
  ])
})
