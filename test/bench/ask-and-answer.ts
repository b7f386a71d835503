import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { withEchoes } from './echo-script.ts'
import { alternately, median, quantile } from './measure.ts'
import { onOneCore } from './own-core.ts'
import { rowOf, type Bench, type Row } from './row.ts'

const ROUNDS = 11
const QUESTIONS = 2_000
const MESSAGE = Array.from({ length: 20 }, (_, n) => n)

/** How long a script that is warm takes to be asked and to have answered, one question after the other, on a worker's core. */
export const askAndAnswer: Bench = {
  name: 'ask',
  measure: () => onOneCore(measured),
}

const measured = (): Promise<readonly Row[]> =>
  withEchoes(1, async ({ tier, seat }) => {
    const echo = await seat(1)
    const child = await plainEcho()
    const times = await alternately(
      ROUNDS,
      () => timesOf(() => echo.ask(MESSAGE)),
      () => timesOf(() => child.ask(MESSAGE)),
    )
    child.close()
    echo.close()
    const [boxed, plain] = [times.first.flat(), times.second.flat()]
    const script = `ask and answer, warm script, tier ${tier}`
    const outside = 'Node child echoing lines, no box'
    return [
      rowOf(
        { name: `${script}, median`, value: median(boxed), unit: 'µs' },
        { name: `${outside}, median`, value: median(plain), unit: 'µs' },
        { of: 'value', below: 100 },
      ),
      rowOf(
        { name: `${script}, 99 of 100`, value: quantile(boxed, 0.99), unit: 'µs' },
        { name: `${outside}, 99 of 100`, value: quantile(plain, 0.99), unit: 'µs' },
      ),
    ]
  })

/** In microseconds, one a question. */
async function timesOf(ask: () => Promise<void>): Promise<readonly number[]> {
  const times: number[] = []
  for (let question = 0; question < QUESTIONS; question++) {
    const start = performance.now()
    await ask()
    times.push((performance.now() - start) * 1_000)
  }
  return times
}

/** A Node process that writes back what it reads. */
async function plainEcho() {
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
    ask(message: readonly number[]): Promise<void> {
      return new Promise((resolve) => {
        heard = () => resolve()
        child.stdin.write(`${JSON.stringify(message)}\n`)
      })
    },
    close: () => child.stdin.end(),
  }
}
