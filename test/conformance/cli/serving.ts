import { Writable } from 'node:stream'
import { runCli } from '../../../main/cli/program.ts'
import { checkPublished } from '../../published-output.ts'

/** A verb that serves, as it runs. */
export interface Serving {
  /** Its exit code, when it has ended. */
  readonly code: Promise<number>
  /** Resolves to what a notice says in the first group of the pattern, as soon as it has been said. */
  said(pattern: RegExp): Promise<string>
  stdout(): string
  stderr(): string
  /** Presses Ctrl-C. */
  interrupt(): void
}

/** Runs a verb such as `punter serve` in this process. */
export function serving(...args: readonly string[]): Serving {
  return servingIn({}, ...args)
}

/** The same with environment variables. */
export function servingIn(env: Readonly<Record<string, string>>, ...args: readonly string[]): Serving {
  let [stdout, stderr] = ['', '']
  const watchers = new Set<() => void>()
  const interrupts = new Set<() => void>()
  const stream = (take: (text: string) => void): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        take(chunk.toString('utf8'))
        for (const look of watchers) look()
        done()
      },
    })
  const ran = runCli([...args], {
    stdout: stream((text) => (stdout += text)),
    stderr: stream((text) => (stderr += text)),
    env,
    onInterrupt(callback) {
      interrupts.add(callback)
      return () => interrupts.delete(callback)
    },
    exit: () => undefined,
  })
  const code = ran.then((ended) => {
    checkPublished(args, stdout)
    return ended
  })
  const said = (pattern: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        const [, found] = pattern.exec(stderr) ?? []
        if (found === undefined) return
        watchers.delete(look)
        resolve(found)
      }
      watchers.add(look)
      look()
    })
  const interrupt = (): void => interrupts.forEach((callback) => callback())
  return { code, said, stdout: () => stdout, stderr: () => stderr, interrupt }
}
