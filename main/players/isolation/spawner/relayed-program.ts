import { EventEmitter } from 'node:events'
import { constants } from 'node:os'
import type { ProcessEvents, StartedProgram } from '../started-program.ts'

/** The pipes of a program. */
export type ProgramPipes = Pick<StartedProgram, 'stdin' | 'output' | 'stderr'>

/** A program that another process of ours has started, which tells how it ends. */
export abstract class RelayedProgram implements StartedProgram {
  readonly pid: number | undefined
  readonly stdin: ProgramPipes['stdin']
  readonly output: ProgramPipes['output']
  readonly stderr: ProgramPipes['stderr']
  readonly events = new EventEmitter<ProcessEvents>()
  #isOver = false

  /** `pid`: of the process around it, or its own. */
  constructor(pid: number | undefined, { stdin, output, stderr }: ProgramPipes) {
    this.pid = pid
    this.stdin = stdin
    this.output = output
    this.stderr = stderr
    for (const stream of [stdin, output, stderr]) stream.on('error', () => undefined)
  }

  abstract hasEnded(): boolean
  abstract end(fault: boolean): void

  /** True if it is known to have exited. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** It could not be started, or not be watched to its end. */
  fail(error: NodeJS.ErrnoException): void {
    this.events.emit('error', error)
  }

  /** It has exited, as the system tells of a child: one of the two is null. Idempotent. */
  over(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#isOver) return
    this.#isOver = true
    this.stdin.destroy()
    let open = 2
    const closed = (): void => {
      open -= 1
      if (open === 0) this.events.emit('close', code, signal)
    }
    for (const stream of [this.output, this.stderr]) {
      if (stream.readableEnded || stream.destroyed) closed()
      else stream.once('close', closed)
    }
    this.events.emit('exit', code, signal)
  }
}

/** How a process exited, of the two numbers in a report: its status, and the signal that ended it or 0. */
export function exitOf(status: number, signal: number): [code: number | null, signal: NodeJS.Signals | null] {
  return signal === 0 ? [status, null] : [null, nameOf(signal)]
}

const nameOf = (signal: number): NodeJS.Signals =>
  (Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] ?? 'SIGKILL') as NodeJS.Signals

/** Calls `take` with the words of each line, which are few. */
export function readReports(stream: ProgramPipes['output'], take: (words: readonly string[]) => void): void {
  let rest = ''
  stream.setEncoding('latin1').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line.split(' '))
  })
}
