import { spawn } from 'node:child_process'
import type { WorkerCommand, WorkerReport } from '../../worker/protocol.ts'

/** A running match worker, seen from the engine. */
export interface WorkerProcess {
  send(command: WorkerCommand): void
  onReport(listener: (report: WorkerReport) => void): void
  /** Called once, when the process is gone, with a word on how it ended and the tail of what it wrote to stderr. */
  onExit(listener: (how: string, stderr: string) => void): void
  /** SIGKILL; its agents die with it. */
  kill(): void
}

const STDERR_KEPT = 4_096

/** Starts a worker: a Node child process of its own, so that it can be killed and shares no crash. */
export function launchWorker(node: string, script: string): WorkerProcess {
  const child = spawn(node, ['--enable-source-maps', script], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_KEPT)
  })
  return {
    send(command) {
      // A worker that is gone reports by its exit; a failed send says nothing more.
      if (child.connected) child.send(command, () => undefined)
    },
    onReport(listener) {
      child.on('message', (message) => listener(message as WorkerReport))
    },
    onExit(listener) {
      let told = false
      const tell = (how: string): void => {
        if (told) return
        told = true
        listener(how, stderr)
      }
      child.on('error', (error) => tell(error.message))
      child.on('close', (code, signal) => tell(signal === null ? `exit code ${String(code)}` : `signal ${signal}`))
    },
    kill: () => child.kill('SIGKILL'),
  }
}
