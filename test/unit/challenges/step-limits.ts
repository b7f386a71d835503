import type { Json } from '../../../main/contract/json.ts'

/** A challenge whose measure takes n steps, of raw material that is made for a predicate n alone. */
export const loops = (most: number): string => `challenge limit "The limit of steps"
config { most = ${most} in 1..100000000 }
dictionary {{
  Predicate = "n" <n> int.
  Instance = "i" <n> int.
  Solution = "s" <s> int.
}}
legal predicate { require predicate.n in 1..config.most else "No." }
legal instance { require instance.n = predicate.n else "No." }
feasible solution { require solution.s = 1 else "No." }
measure = 1 + 0 * count(i for i in 1..instance.n)
goal = max
bound = 1
property predicate { Predicate.n: range ${most} ${most} }
property instance { Instance.n: range predicate.n predicate.n }
property solution { Solution.s: range 1 1 }
example "one" { predicate {{ n 1 }} instance {{ i 1 }} solution {{ s 1 }} quality = 1 }
`

/** The measure goes down a chain, a call for each link. */
export const chains = `challenge chain "A chain"
config { links = 1 in 1..10000 }
dictionary {{
  Predicate = "n" <n> int.
  Instance = "i" <chain> Chain.
  Chain = End | More.
  End = "e".
  More = "m" <rest> Chain.
  Solution = "s" <s> int.
}}
define depth(c: Chain): int = match c { End: 0, More m: 1 + depth(m.rest) }
legal predicate { require predicate.n = 1 else "No." }
legal instance { }
feasible solution { require solution.s = 1 else "No." }
measure = 1 + 0 * depth(instance.chain)
goal = max
bound = 1
example "one" { predicate {{ n 1 }} instance {{ i m e }} solution {{ s 1 }} quality = 1 }
`

/** The same with nine solutions, of which only a player that can judge them knows the best. */
export const chainsOfNine = chains
  .replace('solution.s = 1', 'solution.s in 1..9')
  .replace('measure = 1 +', 'measure = solution.s +')
  .replace('bound = 1', 'bound = 9')
  .replace('range 1 1', 'range 1 9')
  .replace('quality = 1 ', 'quality = 1/9 ')

/** Raw material of `chains`. */
export const chainOf = (links: number): Json => {
  let chain: Json = { $: 'End' }
  for (let i = 0; i < links; i++) chain = { $: 'More', rest: chain }
  return { chain }
}
