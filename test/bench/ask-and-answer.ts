import { echoChild } from './echo-child.ts'
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
    const child = await echoChild()
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
        { of: 'ratio', below: 1.5 },
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
