import { listenForAddressRequests } from './address-requests.ts'
import { stoppedCode } from './interrupt.ts'
import { explain, runCli } from './program.ts'
import type { CommandEnvironment } from './terminal.ts'

const environment: CommandEnvironment = {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  onInterrupt(callback) {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
    const listener = (signal: NodeJS.Signals): void => callback(signal !== 'SIGINT')
    for (const signal of signals) process.on(signal, listener)
    return () => signals.forEach((signal) => process.off(signal, listener))
  },
  onAddressRequest: listenForAddressRequests,
  onEnter: nextLine,
  exit: (code) => process.exit(code),
}

// A reader that closes the pipe early (`tartaglia ... | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
  fail(error)
})
process.stderr.on('error', () => undefined)
process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)

if (process.channel) {
  // Started by scripts/launch.mjs: if that process is gone, nobody can stop this one.
  process.once('disconnect', () => process.exit(stoppedCode))
  process.channel.unref()
}

process.exitCode = await runCli(process.argv.slice(2), environment)

/** Resolves when standard input has a line, or ends. */
function nextLine(): Promise<void> {
  const { stdin } = process
  return new Promise((done) => {
    const read = (chunk: Buffer): void => {
      if (chunk.includes('\n')) end()
    }
    const end = (): void => {
      stdin.off('data', read).off('end', end).off('error', end).pause()
      // A pipe that stays open would keep this process.
      if ('unref' in stdin) stdin.unref()
      done()
    }
    stdin.on('data', read).on('end', end).on('error', end)
  })
}

/** Reports an uncaught error in one sentence, without a stack trace. */
function fail(error: unknown): void {
  const { message, exitCode } = explain(error)
  process.stderr.write(`${message}\n`)
  if (process.env['TARTAGLIA_DEBUG'] === '1' && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exit(exitCode)
}
