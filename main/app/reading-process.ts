import process from 'node:process'
import { Worker } from 'node:worker_threads'
import { readingJobs } from './reading-jobs.ts'
import {
  ordersOf,
  reportGroups,
  reportOfError,
  type ReaderMessage,
  type ReadingOrder,
} from '../services/machine/reading.ts'

// The process that reads texts of strangers for the main process, one at a time. It writes only files and folders that its order
// names, and temporary ones, and holds no key; the main process ends it when a text takes too much.

const report = (message: ReaderMessage): void => {
  if (process.connected) process.send?.(message)
}

/** ms between two reports of progress. */
const PROGRESS_MS = 500
let progressed = 0

function onProgress(): void {
  if (performance.now() - progressed < PROGRESS_MS) return
  progressed = performance.now()
  report({ type: 'progress' })
}

async function read({ job: name, input }: ReadingOrder): Promise<void> {
  report({ type: 'begun' })
  try {
    const job = readingJobs.get(name)
    if (job === undefined) throw new Error(`there is no job "${name}"`)
    report({ type: 'result', value: await job.read(input, onProgress) })
  } catch (error) {
    report(reportOfError(error))
  }
}

// If the main process is killed while a text is read here, nobody else ends this process.
if (process.platform !== 'win32')
  new Worker(
    `const parent = process.ppid
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL') }, 1_000)`,
    { eval: true },
  ).unref()
const endGroups = reportGroups(report)
process.on('disconnect', () => {
  endGroups()
  process.exit(0)
})
let last = Promise.resolve()
process.on('message', (message: Parameters<typeof ordersOf>[0]) => {
  for (const order of ordersOf(message)) last = last.then(() => read(order))
})
