import { hashOf } from '../../main/histories/canonical.ts'
import { mediansOf, rate } from './measure.ts'
import { rowOf, type Bench } from './row.ts'
import { bundlesOf, configOf, playBundles } from './traders.ts'

const ROUNDS = 7
const TRADE = { turns: 100, offers: 10, constraints: 100, variables: 20 } as const

/**
 * A match of two players who trade as much as they may, with bundles written beforehand: what is left is the administrator,
 * who reads, checks, applies, values, and writes the history.
 */
export const administrator: Bench = {
  name: 'administrator',
  async measure() {
    const bundles = [bundlesOf(0, TRADE), bundlesOf(1, TRADE)]
    const config = configOf(TRADE)
    const all = bundles.flat()
    const transactions = all.reduce((sum, { actions }) => sum + actions.length, 0)
    const texts = all.map((bundle) => JSON.stringify(bundle))
    const { first, second } = await mediansOf(
      ROUNDS,
      () => rate(transactions, () => playBundles(bundles, config, hashOf('bench'), () => undefined)),
      () => rate(transactions, () => texts.forEach((text) => JSON.stringify(JSON.parse(text)))),
    )
    return [
      rowOf(
        { name: `administrator, ${TRADE.constraints} constraints an instance`, value: first, unit: 'transactions/s' },
        { name: 'JSON.parse and JSON.stringify of the bundles', value: second, unit: 'transactions/s' },
        { of: 'value', atLeast: 20_000 },
      ),
    ]
  },
}
