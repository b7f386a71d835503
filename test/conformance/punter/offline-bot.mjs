// An offline punter that a test tells by its arguments what to do, one process a message.
import { writeSync } from 'node:fs'
import process from 'node:process'

const [, , act = 'claims'] = process.argv

const chunks = process.stdin[Symbol.asyncIterator]()
let bytes = Buffer.alloc(0)

async function until(length, ends = false) {
  while (bytes.length < length()) {
    const { value, done } = await chunks.next()
    if (done && ends) return
    if (done) process.exit(0)
    bytes = Buffer.concat([bytes, value])
  }
}

async function read() {
  await until(() => (bytes.includes(58) ? 0 : Infinity))
  const from = bytes.indexOf(58) + 1
  const end = from + Number(bytes.subarray(0, from - 1).toString())
  await until(() => end)
  const json = bytes.subarray(from, end).toString()
  bytes = bytes.subarray(end)
  return JSON.parse(json)
}

function write(value) {
  const json = typeof value === 'string' ? value : JSON.stringify(value)
  writeSync(1, `${Buffer.byteLength(json)}:${json}`)
}

const hang = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)

if (act === 'greets nobody') hang()
if (act !== 'edition 1.0') {
  write({ me: 'Bé' })
  await read()
}
const message = await read()
if (act === 'waits for the end') await until(() => Infinity, true)
const { state } = message
if ('punter' in message) {
  if (act === 'is not ready') process.exit(3)
  const futures = act === 'bets' ? { futures: [{ source: 0, target: 1 }] } : {}
  write({ ready: message.punter, ...futures, state: { punter: message.punter, turn: 0, lists: [] } })
} else if ('move' in message) {
  const { punter, turn } = state ?? { punter: -1, turn: -1 }
  const lists = [...(state?.lists ?? []), message.move.moves.length]
  if (act === 'hangs' && turn === 1 && lists.at(-1) < 6) hang()
  if (act === 'breaks off') write('{')
  if (act === 'writes half') {
    writeSync(1, '40:{"pass"')
    process.exit(0)
  }
  const pass = { pass: { punter } }
  const next = { punter, turn: turn + 1, lists }
  if (act === 'loses its state') write(pass)
  else if (act === 'hangs')
    write({ claim: { punter, source: 100 + turn, target: message.move.moves.length }, state: next })
  else write({ claim: { punter, source: turn, target: turn + 1 }, state: next })
}
process.exit(0)
