import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A child process without a box that is asked one question after the other. */
export interface EchoChild {
  /** Resolves when the answer is there. */
  ask(message: readonly number[]): Promise<void>
  close(): void
}

/** A Node process that sends back each line it reads. */
export async function echoChild(): Promise<EchoChild> {
  const source = 'process.stdin.on("data", (chunk) => process.stdout.write(chunk))'
  const child = spawn(process.execPath, ['-e', source], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child, 'spawn')
  let line = ''
  let heard: (value: unknown) => void = () => undefined
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    line += text
    if (!line.endsWith('\n')) return
    const whole = line
    line = ''
    heard(JSON.parse(whole))
  })
  return {
    ask(message) {
      return new Promise((resolve) => {
        heard = () => resolve()
        child.stdin.write(`${JSON.stringify(message)}\n`)
      })
    },
    close: () => child.stdin.end(),
  }
}
