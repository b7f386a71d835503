import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Instance } from './max-csp.ts'

/** The result of toulbar2 (Debian's package, exact weighted constraint satisfaction) for an instance. */
export type Oracle = { readonly optimum: number; readonly ms: number } | 'not installed' | 'no answer in time'

/** The greatest weight that can be satisfied. */
export function optimumOf(instance: Instance, seconds: number): Oracle {
  const folder = mkdtempSync(join(tmpdir(), 'tartaglia-oracle-'))
  try {
    const file = join(folder, 'instance.wcsp')
    writeFileSync(file, wcsp(instance))
    const start = performance.now()
    const { error, stdout } = spawnSync('toulbar2', [`-timer=${seconds}`, file], { encoding: 'utf8' })
    const ms = performance.now() - start
    if (error !== undefined) return 'not installed'
    const cost = /^Optimum: (\d+) /m.exec(stdout)?.[1]
    return cost === undefined ? 'no answer in time' : { optimum: weightOf(instance) - Number(cost), ms }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function weightOf({ constraints }: Instance): number {
  return constraints.reduce((sum, { weight }) => sum + weight, 0)
}

/** Costs for what is not satisfied: `3 x y z default tuples`, then the tuples that cost nothing. */
function wcsp(instance: Instance): string {
  const { variables, constraints } = instance
  const lines = constraints.flatMap(({ weight, relation, variables: three }) => {
    const rows = [0, 1, 2, 3, 4, 5, 6, 7].filter((row) => (relation >> row) & 1)
    const scope = three.map((v) => v - 1).join(' ')
    return [`3 ${scope} ${weight} ${rows.length}`, ...rows.map((row) => `${row >> 2} ${(row >> 1) & 1} ${row & 1} 0`)]
  })
  const head = `max-csp ${variables} 2 ${constraints.length} ${weightOf(instance) + 1}`
  return [head, Array.from({ length: variables }, () => 2).join(' '), ...lines, ''].join('\n')
}
