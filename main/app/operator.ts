import type { ContestId } from '../contract/ids.ts'
import type { ContestState } from '../contract/procedures/contest-answers.ts'
import type { ClassFigures } from '../operator/class-metrics.ts'
import { openOperatorPort, type OperatorPort } from '../operator/operator-port.ts'
import { watchProcess } from '../operator/process-metrics.ts'
import type { Stage } from '../operator/health.ts'
import { openLogFile, type LogFile } from '../services/files/log-file.ts'

export interface OperatorOptions {
  /** The port of health and metrics, on 127.0.0.1; 0: any free one; absent: they are not shown. */
  readonly metricsPort?: number
  /** The file of the log; absent: none is written. */
  readonly log?: string
  readonly version: string
}

/** The view of a served class for the person who runs the machine: health, metrics, and the log. */
export interface Operator {
  /** `http://127.0.0.1:PORT` of health and metrics; null: they are not shown. */
  readonly origin: string | null
  opened(facts: { readonly data: string; readonly origins: string }, figures: () => Promise<ClassFigures>): void
  contest(contest: ContestId, state: ContestState): void
  /** A sentence about something that happened by itself. */
  said(event: 'backup' | 'recovery' | 'recurring', text: string): void
  unexpected(error: unknown, doing: string): void
  stopping(): void
  /** The class is closed; `failure`: why it could not be opened, or was ended. */
  close(failure?: string): Promise<void>
}

/** Throws ExpectedError if the port is not available, MachineError if the log cannot be written. */
export async function openOperator({ metricsPort, log: path, version }: OperatorOptions): Promise<Operator> {
  const log: LogFile | null = path === undefined ? null : openLogFile(path)
  let stage: Stage = 'starting'
  let figures: (() => Promise<ClassFigures>) | null = null
  let errors = 0
  const states = new Map<ContestId, ContestState>()
  const port: OperatorPort | null =
    metricsPort === undefined
      ? null
      : await openOperatorPort(metricsPort, watchProcess(version), () => ({
          ...{ stage, errors, linesLost: log?.lost() ?? 0 },
          figures: () => (stage === 'open' && figures !== null ? figures() : null),
        }))
  log?.write('info', 'starting', { version, pid: process.pid })
  return {
    origin: port?.origin ?? null,
    opened(facts, ask) {
      figures = ask
      stage = 'open'
      log?.write('info', 'open', facts)
    },
    contest(contest, state) {
      if (states.get(contest) === state) return
      states.set(contest, state)
      log?.write('info', 'contest', { contest, state })
    },
    said: (event, text) => log?.write(event === 'recurring' ? 'info' : 'warn', event, { text }),
    unexpected(error, doing) {
      errors += 1
      log?.write('error', 'unexpected-error', {
        doing,
        message: error instanceof Error ? error.message : String(error),
      })
    },
    stopping() {
      stage = 'stopping'
      log?.write('info', 'stopping')
    },
    async close(failure) {
      await port?.close()
      if (failure === undefined) log?.write('info', 'stopped')
      else log?.write('error', 'stopped', { message: failure })
    },
  }
}
