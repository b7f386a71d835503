import { expect, test, vi } from 'vitest'
import { openClient, plays, signedIn, type Client } from '../../conformance/cows/client.ts'
import { openStage, passwordOf, users } from '../../conformance/cows/stage.ts'

const patient = { timeout: 60_000 }

/** A match of two steps in which one client attacks at its first request, and then comes back to play on. */
async function attacked(attack: (client: Client) => void): Promise<{ readonly notices: readonly string[] }> {
  const stage = await openStage({ simulations: [{ steps: 2 }], timeoutMs: 1_500 })
  const [villain, ...others] = await stage.all()
  const playing = others.map((other) => plays(other))
  await villain!.hearOf('request-action')
  attack(villain!)
  // The connection ends, whatever is still said on it.
  for (let message = await villain!.hear(); message !== null; message = await villain!.hear());
  const again = plays(await stage.come('red1'))
  for (const messages of await Promise.all(playing)) expect(messages.at(-1)?.type).toBe('bye')
  expect((await again).at(-1)?.type).toBe('bye')
  expect(await stage.result).not.toBeNull()
  return stage
}

test('a flood of pings ends the connection with a fault; the match goes on, and the user may come back', async () => {
  const { notices } = await attacked((client) => {
    for (let sent = 0; sent < 2_000; sent++) client.ping('flood')
  })
  expect(notices.join('\n')).toMatch(/\bred1: .*\b500 messages\b/)
})

test('a flood of invalid messages does, too', async () => {
  const { notices } = await attacked((client) => client.write('x\0'.repeat(3_000)))
  expect(notices.join('\n')).toMatch(/\bred1: .*\b500 messages\b/)
})

test('so does a message without an end', async () => {
  const { notices } = await attacked((client) => client.write('x'.repeat(1_200_000)))
  expect(notices.join('\n')).toMatch(/\bred1: .*\b1048576 bytes\b/)
})

test.each([
  [
    'a billion laughs',
    `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from({ length: 9 }, (_, at) => `<!ENTITY lol${at + 1} "${`&lol${at === 0 ? '' : at};`.repeat(10)}">`).join('')}]><message type="ping"><payload value="&lol9;"/></message>`,
  ],
  [
    'a file of the server',
    '<!DOCTYPE m [<!ENTITY f SYSTEM "file:///etc/passwd">]><message type="ping"><payload value="&f;"/></message>',
  ],
  ['elements within elements', `<message type="ping">${'<a>'.repeat(20_000)}`],
  [
    'a thousand attributes',
    `<message type="ping" ${Array.from({ length: 4_000 }, (_, at) => `a${at}=""`).join(' ')}><payload value="x"/`,
  ],
  ['one long name', `<${'m'.repeat(60_000)} type="ping"/>`],
])('%s is discarded, and the connection lives', async (_, message) => {
  const stage = await openStage({ simulations: [{ steps: 1 }] })
  const [client, ...others] = await stage.all()
  const request = await client!.hearOf('request-action')
  client!.say(message)
  client!.ping('still here')
  const reply = await client!.hear()
  expect([reply?.type, reply?.attributes['value']]).toEqual(['pong', 'still here'])
  client!.act(request.attributes['id'])
  await Promise.all([plays(client!), ...others.map((other) => plays(other))])
  await stage.result
})

test('a client that sends a sign-in byte by byte, or too much before it, is sent away and keeps nobody out', async () => {
  const stage = await openStage({ simulations: [{ steps: 1 }] })
  const slow = await Promise.all(Array.from({ length: 80 }, () => openClient(stage.address)))
  for (const client of slow) client.write('<message type="auth')
  const much = await openClient(stage.address)
  much.write(`<message>${' '.repeat(5_000)}`)
  expect((await much.hear())?.attributes).toEqual({ result: 'fail' })
  expect(await much.hear()).toBeNull()
  // More connections wait than may: one of them has been sent away.
  expect((await Promise.race(slow.map((client) => client.hear())))?.attributes).toEqual({ result: 'fail' })
  const clients = await Promise.all(users.map((user) => signedIn(stage.address, user, passwordOf(user))))
  for (const messages of await Promise.all(clients.map((client) => plays(client))))
    expect(messages.at(-1)?.type).toBe('bye')
  for (const client of slow) client.end()
  await stage.result
})

test('a client that floods before the first simulation loses its connection, and may come back', async () => {
  const stage = await openStage({ simulations: [{ steps: 1 }] })
  const villain = await stage.come('red1')
  for (let sent = 0; sent < 2_000; sent++) villain.ping('x'.repeat(90))
  for (let message = await villain.hear(); message !== null; message = await villain.hear())
    expect(message.type).toBe('pong')
  await vi.waitUntil(() => stage.notices.some((text) => text.includes('red1 (team red) has gone')), patient)
  const clients = await stage.all()
  for (const messages of await Promise.all(clients.map((client) => plays(client))))
    expect(messages.at(-1)?.type).toBe('bye')
  await stage.result
})

test('a client that connects in a loop is let in a hundred times in a simulation, then has to wait for the next', async () => {
  const stage = await openStage({ simulations: [{ steps: 2 }, { steps: 2 }], timeoutMs: 60_000 })
  const [first, ...others] = await stage.all()
  const requests = [await first!.hearOf('request-action')]
  let last = first!
  for (let times = 0; times < 99; times++) last = await stage.come('red1')
  await expect(stage.come('red1')).rejects.toThrow('red1 was not let in.')
  const playing = [last, ...others].map((client) => plays(client))
  last.act(requests[0]!.attributes['id'])
  for (const messages of await Promise.all(playing)) expect(messages.at(-1)?.type).toBe('bye')
  await stage.result
})
