import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openNetworkArena } from '../../../main/arenas/network-arena.ts'
import { createKeyring } from '../../../main/arenas/sign-in.ts'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

test('a keyring lets in by a credential of which it knows the hash alone', () => {
  const keyring = createKeyring<string>()
  keyring.accept('red', hashOf('of-red'))
  expect(keyring.ownerOf('of-red')).toBe('red')
  expect(keyring.ownerOf(hashOf('of-red'))).toBeNull()
})

const noted: string[] = []
const arena = await openNetworkArena({
  game: 'haggle',
  posts: ['Red', 'zoe'].map((entrant) => ({ entrant, line: 0 })),
  known: ({ entrant }) => (entrant === 'Red' ? hashOf('of-red') : null),
  ...{ rejoins: false, messageBytes: 65_536, webSocket: { host: '127.0.0.1', port: 0 }, tcp: null },
  onNotice: (text) => noted.push(text),
  onUnexpected(error) {
    throw error
  },
})
afterAll(() => arena.close())

test('an arena admits a team with the credential that it has, and shows no other one for it', async () => {
  expect(arena.credentials.map(({ entrant }) => entrant)).toEqual(['zoe'])
  const signIn = async (credential: string): Promise<string> => {
    const socket = new WebSocket(arena.addresses[0]!, { headers: { Authorization: `Bearer ${credential}` } })
    const outcome = await Promise.race([
      once(socket, 'open').then(() => 'open'),
      once(socket, 'close').then(() => 'closed'),
      once(socket, 'error').then(() => 'refused'),
    ])
    return outcome
  }
  await signIn('of-nobody')
  expect(arena.posts().map(({ state }) => state)).toEqual(['awaited', 'awaited'])
  expect(await signIn('of-red')).toBe('open')
  await expect.poll(() => arena.posts().map(({ state }) => state)).toEqual(['here', 'awaited'])
})
