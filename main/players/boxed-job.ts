import { performance } from 'node:perf_hooks'
import { processChannel } from './channels/process-channel.ts'
import { createProgramLauncher, type ProgramLaunch } from './isolation/program.ts'
import { createWatchdog, type Watched } from './watchdog.ts'

/** Something that is run once over a package, in a box, before it becomes an agent. */
export interface BoxedJob extends ProgramLaunch {
  /** A Node 26 binary, which the job finds as `node`. */
  readonly nodeBinary: string
  /** A program of ours that the job finds by its name. */
  readonly tool?: string
  readonly seconds: number
  readonly memoryMb: number
  readonly outputBytes: number
}

/** `log`: the last 16 kB that it wrote to stderr. `problem`: in words that follow "the build". */
export type BoxedResult =
  | { readonly ok: true; readonly output: Uint8Array; readonly log: string }
  | { readonly ok: false; readonly problem: string; readonly log: string }

const logLength = 16_384
const processesMax = 200

/**
 * Runs a job under bubblewrap and gives what it wrote to stdout: nothing that it has made is ever opened by its path. It is
 * ended with everything in the box. Throws where this machine has no such box.
 */
export async function runBoxed(job: BoxedJob): Promise<BoxedResult> {
  const { seconds, memoryMb, outputBytes } = job
  const launch = (await createProgramLauncher('bubblewrap', job.nodeBinary, job.tool))(job)
  if ('missing' in launch) throw new Error(launch.missing)
  const channel = processChannel(launch, { boxed: true })
  const watchdog = createWatchdog()
  const { promise, resolve } = Promise.withResolvers<BoxedResult>()
  const parts: Buffer[] = []
  let size = 0
  let log = ''
  const give = (problem: string | null): void => {
    channel.close()
    resolve(problem === null ? { ok: true, output: Buffer.concat(parts), log } : { ok: false, problem, log })
  }
  const watched: Watched = {
    pid: channel.pid,
    memoryBytes: memoryMb * 1_048_576,
    busySince: () => performance.now(),
    overMemory: () => give(`used more than ${memoryMb} MB of memory`),
    processes: { most: processesMax, over: () => give(`ran more than ${processesMax} processes`) },
  }
  const timer = setTimeout(() => give(`was not done within ${seconds} s`), seconds * 1_000)
  watchdog.watch(watched)
  channel.start({
    data(chunk) {
      size += chunk.length
      parts.push(Buffer.from(chunk))
      if (size > outputBytes) give(`left more than ${outputBytes >> 20} MB`)
    },
    printed(text) {
      log = (log + text).slice(-logLength)
    },
    end: ({ code, text }) => give(code === 0 ? null : text),
  })
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    watchdog.close()
    await channel.buried
  }
}
