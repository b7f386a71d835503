import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openAddressSocket, requestAddress } from '../../../main/app/address-socket.ts'
import { createSessions, tokenMinutes } from '../../../main/portal/sessions.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../cli/environment.ts'

/** Addresses as the portal makes them, each with a number. */
function addresses(): () => string {
  let made = 0
  return () => `http://127.0.0.1:4000/?token=number-${++made}`
}

/** The socket's answer to some bytes; '' if it only ends the connection. */
function answerTo(path: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(path, () => socket.write(bytes))
    socket.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)))
    socket.on('error', () => undefined).on('close', () => resolve(text))
  })
}

test('the running classroom gives a new address at each request, and none when it is closed', async () => {
  const data = temporaryFolder('address')
  const socket = await openAddressSocket(data, addresses())
  expect(await requestAddress(data)).toMatch(/token=number-1$/)
  const printed = await run('address', '--data', data)
  expect(printed).toEqual({ code: 0, stdout: 'http://127.0.0.1:4000/?token=number-2\n', stderr: '' })
  await socket.close()
  await expect(requestAddress(data)).rejects.toThrow(refusal('classroom-not-served', data))
})

test('only the owner of the data folder can ask, and only with its secret', async () => {
  const data = temporaryFolder('address')
  const make = vi.fn(addresses())
  const socket = await openAddressSocket(data, make)
  for (const name of ['address.sock', 'address.json']) expect(statSync(join(data, name)).mode & 0o777, name).toBe(0o600)
  const path = join(data, 'address.sock')
  const { secret } = JSON.parse(readFileSync(join(data, 'address.json'), 'utf8')) as { secret: string }
  expect(await answerTo(path, '\n')).toBe('')
  expect(await answerTo(path, `${secret.slice(1)}A\n`)).toBe('')
  expect(await answerTo(path, 'x'.repeat(100_000))).toBe('')
  expect(make).not.toHaveBeenCalled()
  expect(await answerTo(path, `${secret}\n`)).toContain('token=number-1')
  await socket.close()
})

test('files of a killed program give no answer, and do not hinder the next one', async () => {
  const data = temporaryFolder('address')
  const path = join(data, 'address.sock')
  writeFileSync(join(data, 'address.json'), JSON.stringify({ path, secret: 'A'.repeat(43) }), { mode: 0o644 })
  writeFileSync(path, '')
  await expect(requestAddress(data)).rejects.toThrow(refusal('classroom-not-served', data))
  const socket = await openAddressSocket(data, addresses())
  expect(await requestAddress(data)).toContain('token=number-1')
  expect(statSync(join(data, 'address.json')).mode & 0o777).toBe(0o600)
  await socket.close()
  expect(await run('address', '--data', data)).toMatchObject({ code: 3, stdout: '' })
  for (const text of ['', '[]', '{"path":7}']) {
    writeFileSync(join(data, 'address.json'), text)
    await expect(requestAddress(data)).rejects.toThrow(refusal('classroom-not-served', data))
  }
})

test('an answer that is not an address of ours is refused', async () => {
  const data = temporaryFolder('address')
  const path = join(data, 'other.sock')
  const other = createServer((socket) => socket.end('http://example.org/?token=x\n'))
  await new Promise<void>((resolve) => other.listen(path, resolve))
  writeFileSync(join(data, 'address.json'), JSON.stringify({ path, secret: 'A'.repeat(43) }))
  await expect(requestAddress(data)).rejects.toThrow(refusal('classroom-not-served', data))
  other.close()
})

test('a data folder with a long path has its socket elsewhere, in a folder of this user', async () => {
  const data = join(temporaryFolder('address'), 'x'.repeat(120))
  mkdirSync(data)
  const socket = await openAddressSocket(data, addresses())
  const { path } = JSON.parse(readFileSync(join(data, 'address.json'), 'utf8')) as { path: string }
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
  expect(await requestAddress(data)).toContain('token=number-1')
  await socket.close()
  expect(statSync(join(path, '..'), { throwIfNoEntry: false })).toBeUndefined()
  rmSync(data, { recursive: true })
})

test('a token works once, and expires', () => {
  let now = 0
  const sessions = createSessions(() => now)
  const [first, second] = [sessions.issue(), sessions.issue()]
  now = tokenMinutes * 60_000
  const session = sessions.exchange(first)
  expect(session !== null && sessions.knows(session)).toBe(true)
  expect(sessions.exchange(first)).toBeNull()
  now += 1
  expect(sessions.exchange(second)).toBeNull()
  // Sessions do not expire with the tokens that they were made of.
  now = 1e9
  expect(session !== null && sessions.knows(session)).toBe(true)
})
