import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Offers at a price (0: never), buys what `buys` says and undercuts everything else. Amounts in 10^-9. */
const trader = (price: number, buys: string): string => `
  module.exports = class {
    constructor(start) {
      this.me = start.me
      this.mindec = start.config.mindec
    }
    turn(view) {
      const instance = { variables: 3, constraints: [{ weight: 1, relation: 22, variables: [1, 2, 3] }] }
      const actions = []
      for (const { challenge } of view.toDeliver) actions.push({ type: 'deliver', challenge, instance })
      for (const { challenge } of view.toSolve) actions.push({ type: 'solve', challenge, solution: { values: [0, 1, 0] } })
      if (!view.trading) return { actions }
      for (const { challenge, seller, price } of view.store) {
        if (seller === this.me) continue
        if (${buys}) actions.push({ type: 'accept', challenge })
        else actions.push({ type: 'reoffer', challenge, price: Math.max(0, price - this.mindec) })
      }
      if (${price} > 0 && view.store.length === 0) {
        actions.push({ type: 'offer', predicate: { relations: [22] }, price: ${price} })
      }
      return { actions }
    }
  }`

/** A contest of traders in which nobody may treat others differently; its entrants and the rest are the caller's. */
export const peace = {
  game: 'specker',
  config: { challenge: 'max-csp', maxTurns: 2, offersMin: 0 },
  format: { type: 'round-robin', seats: 2, repeats: 10 },
  seed: 'targeting',
  policy: { administratorAttack: false, intelligenceAttack: false, mechanismAttack: false },
}

/** Writes three sellers who differ a little in price, and dora, who buys as `buys` says; gives them as entrants of a contest there. */
export function traders(folder: string, buys: string): readonly { readonly name: string; readonly agent: string }[] {
  const sources = {
    anna: trader(400_000_000, 'false'),
    berta: trader(420_000_000, 'false'),
    clara: trader(440_000_000, 'false'),
    dora: trader(0, buys),
  }
  return Object.entries(sources).map(([name, source]) => {
    writeFileSync(join(folder, `${name}.js`), source)
    return { name, agent: `${name}.js` }
  })
}
