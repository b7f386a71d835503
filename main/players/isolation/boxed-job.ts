import { performance } from 'node:perf_hooks'
import { processChannel, stderrBytesMax } from '../channels/process-channel.ts'
import { boxLimits, startIn, type Groups } from './groups/group.ts'
import { ownGroups } from './groups/detect.ts'
import type { Launch } from './launch.ts'
import { createWatchdog, type Watched } from '../watchdog.ts'

/** A job that runs once over a package, before it becomes an agent. */
export interface Job {
  readonly launch: Launch
  /** See ProcessChannelOptions. */
  readonly boxed: boolean
  /** Ends processes that left its process group; used without a box. */
  readonly sweep?: () => void
  /** The content of its stdin, which stays open. */
  readonly input?: Uint8Array
  readonly seconds: number
  readonly memoryMb: number
  /** The files that it may make in memory beyond those of every box, in bytes. */
  readonly fileBytes?: number
  readonly outputBytes: number
  /** Absent: those of this process. */
  readonly groups?: Groups
}

/** `log`: what it wrote to stderr, without the middle if that is more than 64 kB. `problem`: continues a sentence that begins with "the build". */
export type JobResult =
  | { readonly ok: true; readonly output: Uint8Array; readonly log: string }
  | { readonly ok: false; readonly problem: string; readonly log: string }

type GroupListener = (group: number, alive: boolean) => void
let noteGroup: GroupListener = () => undefined

/** Calls the listener when the process group of a job of this process starts and has ended, so that another process can end it. */
export function onJobGroup(listener: GroupListener): void {
  noteGroup = listener
}

const logLength = { first: 49_152, last: 16_384 } as const
const processesMax = 200

/**
 * Runs a job and returns what it wrote to stdout; files that it made are never opened by path. The job is killed with
 * all processes that it started.
 */
export async function runJob({
  launch,
  seconds,
  memoryMb,
  outputBytes,
  input,
  fileBytes,
  groups,
  ...how
}: Job): Promise<JobResult> {
  const group = (groups ?? (await ownGroups())).take(boxLimits(memoryMb, fileBytes))
  const channel = startIn(group, () => processChannel(group.enter(launch), { ...how, group }))
  if (channel.pid > 0) noteGroup(channel.pid, true)
  const watchdog = createWatchdog()
  const { promise, resolve } = Promise.withResolvers<JobResult>()
  const parts: Buffer[] = []
  let size = 0
  const log = createLog()
  const give = (problem: string | null): void => {
    channel.close()
    resolve(
      problem === null
        ? { ok: true, output: Buffer.concat(parts), log: log.text() }
        : { ok: false, problem, log: log.text() },
    )
  }
  const tooMuchMemory = `used more than ${memoryMb} MB of memory`
  const watched: Watched = {
    pid: channel.pid,
    group,
    memoryBytes: memoryMb * 1_048_576,
    busySince: () => performance.now(),
    atRest: () => false,
    overMemory: () => give(tooMuchMemory),
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
    printed: log.add,
    end({ code, text, fault }) {
      // Its channel blames a job for too much printing alone.
      const why = fault?.kind === 'protocol' ? `printed more than ${stderrBytesMax >> 20} MB` : text
      give(group.ranOutOfMemory() ? tooMuchMemory : code === 0 ? null : why)
    },
  })
  if (input !== undefined) channel.write(input)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    watchdog.close()
    await channel.exited
    if (channel.pid > 0) noteGroup(channel.pid, false)
  }
}

/** A compiler's first error is near the beginning of its output, the reason why a tool gave up near the end. */
function createLog(): { add(text: string): void; text(): string } {
  let first = ''
  let last = ''
  let omitted = 0
  return {
    add(text) {
      const room = logLength.first - first.length
      first += text.slice(0, room)
      last += text.slice(room)
      const over = last.length - logLength.last
      if (over <= 0) return
      last = last.slice(over)
      omitted += over
    },
    text: () => (omitted === 0 ? first + last : `${first}\n[${omitted} characters are left out here]\n${last}`),
  }
}
