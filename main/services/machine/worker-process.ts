import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { toolchainsFile, TOOLCHAINS_VARIABLE } from '../../players/isolation/declared-toolchains.ts'
import type { Commands, GroupReport, Reports, WorkerCommand, WorkerReport } from '../../worker/protocol.ts'

/** A worker process as seen by its parent. R: the type of its reports, C: that of the commands that it takes. */
export interface WorkerProcess<R = WorkerReport, C extends object = WorkerCommand> {
  /** undefined: the process could not be started. */
  readonly pid: number | undefined
  /** Several commands of one turn of the event loop arrive as one message: see `commandsOf`. */
  send(command: C): void
  onReport(listener: (report: R) => void): void
  /**
   * Calls the listener once, when the process has exited, or at once if it already has: `how` is its exit code or
   * signal, or the reason why it was ended for a command that cannot be copied; `stderr` the end of its error output.
   */
  onExit(listener: (how: string, stderr: string) => void): void
  /** Sends SIGKILL; the worker's agents are killed with it. */
  kill(): void
}

const STDERR_KEPT = 4_096

/** The young generation, in MB from the start: most of what a worker makes is forgotten at once. It starts a seventh faster. */
const youngRoom = '--min-semi-space-size=16'

/** Starts a worker: a separate Node process, so that it can be killed and its crashes affect nothing else. `flags`: Node's. */
export function launchWorker<R = WorkerReport, C extends object = WorkerCommand>(
  node: string,
  script: string,
  flags: readonly string[] = [],
): WorkerProcess<R, C> {
  const child = spawn(node, ['--enable-source-maps', '--use-system-ca', youngRoom, ...flags, script], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
    env: bareEnvironment(),
  })
  // Node unreferences a channel after writing a large message to it. If the worker is then killed, the event loop could
  // end before the exit event arrives.
  child.channel?.ref()
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_KEPT)
  })
  const groups = new Set<number>()
  child.on('message', (message) => {
    const report = message as R | Reports | GroupReport
    if (!isOf(report, 'group')) return
    if (report.alive) groups.add(report.group)
    else groups.delete(report.group)
  })
  // Agents normally exit with their worker, except one whose sandbox is still being set up.
  const endGroups = (): void => groups.forEach(endGroup)
  child.on('exit', endGroups)
  // Its last messages may arrive after the exit event.
  child.on('disconnect', endGroups)
  // Recorded from the start, because the process may exit before a listener is added.
  const listeners: ((how: string, stderr: string) => void)[] = []
  let ended: string | null = null
  const end = (how: string): void => {
    if (ended !== null) return
    ended = how
    for (const listener of listeners) listener(how, stderr)
  }
  child.on('error', (error) => end(error.message))
  /** Why this process has ended it. */
  let unsent: string | null = null
  child.on('close', (code, signal) =>
    end(unsent ?? (signal === null ? `exit code ${String(code)}` : `signal ${signal}`)),
  )
  let gathered: C[] = []
  const sendGathered = (): void => {
    const commands = gathered
    gathered = []
    const [only] = commands
    const message: C | Commands<C> = commands.length === 1 ? only! : { type: 'commands', commands }
    try {
      // If the worker has exited, its exit event reports that; a failed send needs no handling.
      if (child.connected) child.send(message, () => undefined)
    } catch (error) {
      // A bug of ours. Nobody else hears of it here, and the caller that waits for the worker would wait for ever.
      unsent = `a command for it could not be copied: ${String(error)}`
      child.kill('SIGKILL')
    }
  }
  return {
    pid: child.pid,
    send(command) {
      // A write, which wakes the worker, is a third of the work for a short match.
      if (gathered.push(command) === 1) process.nextTick(sendGathered)
    },
    onReport(listener) {
      child.on('message', (message) => {
        const report = message as R | Reports | GroupReport
        if (isOf(report, 'reports')) for (const each of report.reports) listener(each as R)
        else if (!isOf(report, 'group')) listener(report)
      })
    },
    onExit(listener) {
      if (ended === null) listeners.push(listener)
      else listener(ended, stderr)
    },
    kill: () => child.kill('SIGKILL'),
  }
}

/** True for a message that workers of any kind send besides their reports. */
function isOf<T extends GroupReport['type'] | Reports['type']>(
  report: unknown,
  type: T,
): report is Extract<GroupReport | Reports, { type: T }> {
  return typeof report === 'object' && report !== null && 'type' in report && report.type === type
}

function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // The group is already empty.
  }
}

/**
 * The environment variables that Node and the system need; none that changes Node's behaviour, such as NODE_OPTIONS.
 */
function bareEnvironment(): NodeJS.ProcessEnv {
  const names = ['TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'windir', 'SSL_CERT_FILE', 'SSL_CERT_DIR']
  const given = Object.fromEntries(names.map((name) => [name, process.env[name]]))
  const file = toolchainsFile()
  const isNamed = process.env[TOOLCHAINS_VARIABLE] !== undefined || existsSync(file)
  return isNamed ? { ...given, [TOOLCHAINS_VARIABLE]: file } : given
}
