// A whole agent of a few lines that says the same whenever it is told the same; `process.argv[2]`: the game.
import { createInterface } from 'node:readline'

const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`)
let me = 0
let values = []
let counts = []

const specker = (view) => {
  if (view.type === 'start') me = view.me
  const actions = []
  if (view.type === 'turn') {
    const instance = { variables: 3, constraints: [{ weight: 1, relation: 22, variables: [1, 2, 3] }] }
    for (const { challenge } of view.toDeliver) actions.push({ type: 'deliver', challenge, instance })
    for (const { challenge } of view.toSolve)
      actions.push({ type: 'solve', challenge, solution: { values: Array(12).fill(0).slice(0, 3) } })
    const others = view.store.filter(({ seller }) => seller !== me)
    if (view.trading && others.length > 0) actions.push({ type: 'accept', challenge: others[0].challenge })
    if (view.trading && !view.store.some(({ seller }) => seller === me))
      actions.push({ type: 'offer', predicate: { relations: [22] }, price: 500_000_000 })
  }
  return { actions }
}

const haggle = ({ type, opt, offer }) => {
  if (type === 'start') {
    ;({ counts, values } = opt)
    return { type: 'ready' }
  }
  const worth = offer === undefined ? 0 : offer.reduce((sum, each, at) => sum + each * values[at], 0)
  // All that is worth anything, until half of it is offered.
  return worth >= 5
    ? { type: 'offer' }
    : { type: 'offer', offer: counts.map((each, at) => (values[at] > 0 ? each : 0)) }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  if (typeof message.question !== 'number') return
  const answer = process.argv[2] === 'haggle' ? haggle(message) : specker(message)
  say({ ...answer, question: message.question })
})
