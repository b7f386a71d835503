import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Channel, ChannelSource } from './channel.ts'

/** A command as it is to be run: whoever isolates it has wrapped it already. Nothing of our environment is passed on. */
export interface Command {
  readonly argv: readonly [string, ...string[]]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

const stderrBytes = 65_536

/** How long a process may outlive its output, or its output the process, before both are taken for ended. */
const graceMs = 100

type Child = ChildProcessByStdio<Writable, Readable, Readable>

/** Starts the command; its stdin and stdout are the channel. It is killed with its whole process group. */
export function processChannel(command: Command): Channel {
  const [file, ...args] = command.argv
  const child: Child = spawn(file, args, {
    ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
    env: command.env ?? {},
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    // Its own group, so that its children can be killed with it.
    detached: process.platform !== 'win32',
  })
  let open = true
  let how = ''
  const stderr = tail(child.stderr)
  // A write to a process that has gone fails here; its end is reported by `onEnd`.
  child.stdin.on('error', () => undefined)
  return {
    start(onData, onEnd) {
      let grace: NodeJS.Timeout | undefined
      const ended = (text: string): void => {
        if (!open) return
        open = false
        clearTimeout(grace)
        killGroup(child)
        const last = stderr()
        onEnd(last === '' ? { text } : { text, stderr: last })
      }
      const soon = (text: string): void => {
        how ||= text
        grace ??= setTimeout(() => ended(how), graceMs)
      }
      child.stdout.on('data', (chunk: Uint8Array) => {
        if (open) onData(chunk)
      })
      child.stdout.on('end', () => soon('closed its output.'))
      child.on('error', (error) => ended(`cannot be run: ${error.message}.`))
      child.on('exit', (code, signal) => {
        how = exitText(code, signal)
        soon(how)
      })
      child.on('close', (code, signal) => ended(exitText(code, signal)))
    },
    write(bytes) {
      if (open && child.stdin.writable) child.stdin.write(bytes)
    },
    unread: () => child.stdin.writableLength,
    close() {
      if (!open) return
      open = false
      killGroup(child)
    },
  }
}

/** `never`: one process for the match. `on-send`: a process a move. */
export function processSource(command: Command, reopens: 'never' | 'on-send'): ChannelSource {
  let open = true
  return {
    reopens,
    open(up) {
      if (open) up(processChannel(command))
    },
    close() {
      open = false
    },
  }
}

const exitText = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `ended by itself with exit code ${String(code)}.` : `was ended by ${signal}.`

function killGroup(child: Child): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The whole group has ended already.
  }
}

/** Keeps the last bytes of a stream and gives them as text. */
function tail(stream: Readable): () => string {
  let kept: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    kept.push(chunk)
    size += chunk.length
    if (size < 2 * stderrBytes) return
    kept = [Buffer.concat(kept).subarray(-stderrBytes)]
    size = stderrBytes
  })
  return () => Buffer.concat(kept).subarray(-stderrBytes).toString('utf8').slice(-stderrBytes)
}
