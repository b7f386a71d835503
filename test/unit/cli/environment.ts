import { Writable } from 'node:stream'
import { runCli } from '../../../main/cli/program.ts'
import { checkPublished } from '../../published-output.ts'

/** The result of a command line. */
export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command line in this process, with streams that are not terminals. Rejects if what --json prints does not fit its schema. */
export async function run(...args: readonly string[]): Promise<Ran> {
  const [stdout, stderr] = [collector(), collector()]
  const code = await runCli(args, {
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: {},
    onInterrupt: () => () => undefined,
    exit: () => undefined,
  })
  checkPublished(args, stdout.text())
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

function collector(): { readonly stream: Writable; text(): string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') }
}
