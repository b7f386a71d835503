import { spawn } from 'node:child_process'
import type { GroupReport, Reports, WorkerCommand, WorkerReport } from '../../worker/protocol.ts'

/** A running worker, seen from whoever gave it work. R: what it reports. */
export interface WorkerProcess<R = WorkerReport> {
  /** undefined: it could not be started. */
  readonly pid: number | undefined
  send(command: WorkerCommand): void
  onReport(listener: (report: R) => void): void
  /**
   * Called once, when the process is gone, or at once where it is gone already, with a word on how it ended and the tail of
   * what it wrote to stderr.
   */
  onExit(listener: (how: string, stderr: string) => void): void
  /** SIGKILL; its agents die with it. */
  kill(): void
}

const STDERR_KEPT = 4_096

/** Starts a worker: a Node child process of its own, so that it can be killed and shares no crash. */
export function launchWorker<R = WorkerReport>(node: string, script: string): WorkerProcess<R> {
  const child = spawn(node, ['--enable-source-maps', '--use-system-ca', script], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
    env: bareEnvironment(),
  })
  // Node lets go of a channel once a large message has been written to it: a worker that is then killed could leave the
  // program with nothing to wait for, and its end unheard.
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
  // Agents die with their worker; one whose box was only half made does not know that yet.
  const sweep = (): void => groups.forEach(endGroup)
  child.on('exit', sweep)
  // Its last words may be read after its end.
  child.on('disconnect', sweep)
  // Heard from the first moment on: it may have ended before anybody asks.
  const listeners: ((how: string, stderr: string) => void)[] = []
  let ended: string | null = null
  const end = (how: string): void => {
    if (ended !== null) return
    ended = how
    for (const listener of listeners) listener(how, stderr)
  }
  child.on('error', (error) => end(error.message))
  child.on('close', (code, signal) => end(signal === null ? `exit code ${String(code)}` : `signal ${signal}`))
  return {
    pid: child.pid,
    send(command) {
      // A worker that is gone reports by its exit; a failed send says nothing more.
      if (child.connected) child.send(command, () => undefined)
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

/** Whether it is one of the messages that a worker of any kind sends beside its reports. */
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
    // Nobody is left in it.
  }
}

/** What Node and the system need to work at all; nothing that changes what Node does, such as NODE_OPTIONS. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const names = ['TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'windir', 'SSL_CERT_FILE', 'SSL_CERT_DIR']
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}
