import { readChallenge } from '../../grammars/challenges/index.ts'
import { instanceOf, maxCsp } from './max-csp.ts'
import { mediansOf } from './measure.ts'
import { rowOf, type Bench, type Row } from './row.ts'

const VARIABLES = 1_000
const CONSTRAINTS = 100_000
const ROUNDS = 25

/** The quality of one solution, by the challenge file and by a loop written for MAX-CSP alone. */
export const maxCspQuality: Bench = {
  name: 'quality',
  measure: async () => [{ ...(await qualityRow()), target: { of: 'ratio', below: 10 } }],
}

async function qualityRow(): Promise<Row> {
  const { challenge } = readChallenge(maxCsp)
  if (challenge === null) throw new Error('max-csp cannot be read')
  const config = challenge.config({ maxVars: VARIABLES, maxConstraints: CONSTRAINTS })
  if (!config.ok) throw new Error(config.error)
  const instance = instanceOf(22, VARIABLES, CONSTRAINTS)
  const solution = { values: Array.from({ length: VARIABLES }, (_, i) => (i % 3 === 0 ? 1 : 0)) }
  const byFile = (): number => {
    const quality = challenge.quality(config.value, instance, solution)
    if (typeof quality === 'string') throw new Error(quality)
    return Number(quality.n) / Number(quality.d)
  }
  if (Math.abs(byFile() - qualityByHand(instance, solution)) > 1e-12) throw new Error('file and loop disagree')
  const { first, second } = await mediansOf(
    ROUNDS,
    () => milliseconds(byFile),
    () => milliseconds(() => qualityByHand(instance, solution)),
  )
  return rowOf(
    { name: 'MAX-CSP quality, 100,000 constraints', value: first, unit: 'ms' },
    { name: 'a loop written for MAX-CSP', value: second, unit: 'ms' },
  )
}

function qualityByHand(
  instance: ReturnType<typeof instanceOf>,
  solution: { readonly values: readonly number[] },
): number {
  const { values } = solution
  let met = 0
  let all = 0
  for (const { weight, relation, variables } of instance.constraints) {
    const [x, y, z] = variables as [number, number, number]
    const row = 4 * values[x - 1]! + 2 * values[y - 1]! + values[z - 1]!
    if (((relation >> row) & 1) === 1) met += weight
    all += weight
  }
  return met / all
}

function milliseconds(work: () => number): number {
  const start = performance.now()
  work()
  return performance.now() - start
}
