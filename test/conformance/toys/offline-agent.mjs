// The agent of toy (d): greets, reads messages as n:json, and does what `act` says. Never ends by itself but at `stop`.
let bytes = Buffer.alloc(0)
let greeted = false
let seen = 0

const frame = (value) => {
  const json = JSON.stringify(value)
  return `${Buffer.byteLength(json)}:${json}`
}
const send = (value) => process.stdout.write(frame(value))

const take = (message) => {
  if (!greeted) {
    greeted = message.you === 'Bé'
    return
  }
  seen++
  const total = (message.state?.total ?? 0) + 7
  if (message.type === 'stop') process.exit(0)
  if (message.act === 'hang') return
  if (message.act === 'crash') {
    process.stderr.write('I give up')
    process.exitCode = 3
    process.stdin.destroy()
    return
  }
  if (message.act === 'garbage') process.stdout.write('what:ever')
  else if (message.act === 'cut') process.stdout.write('99:{"total"', () => process.exit(0))
  else if (message.act === 'invalid') send({ total: 'many', seen, state: { total: total - 7 } })
  else if (message.act === 'hoard') send({ total, seen, state: { total, all: 'x'.repeat(2_000) } })
  else if (message.act === 'twice')
    process.stdout.write(frame({ total, seen, state: { total } }) + frame({ total: 1, seen, state: {} }))
  else send({ total, seen, state: { total } })
}

process.stdin.on('data', (chunk) => {
  bytes = Buffer.concat([bytes, chunk])
  for (;;) {
    const colon = bytes.indexOf(':')
    if (colon < 0) return
    const length = Number(bytes.subarray(0, colon))
    if (bytes.length < colon + 1 + length) return
    const json = bytes.subarray(colon + 1, colon + 1 + length).toString()
    bytes = bytes.subarray(colon + 1 + length)
    take(JSON.parse(json))
  }
})
send({ me: 'Bé' })
