import { expect, test } from 'vitest'
import { createKeyring, createTries } from '../../../main/arenas/credentials.ts'

test('a credential is 256 random bits and leads to whoever it was made for, and to nobody else', () => {
  const keyring = createKeyring<string>()
  const all = ['anna', 'bob', 'carla'].map((owner) => ({ owner, credential: keyring.issue(owner) }))
  expect(new Set(all.map(({ credential }) => credential)).size).toBe(3)
  for (const { owner, credential } of all) {
    expect(Buffer.from(credential, 'base64url')).toHaveLength(32)
    expect(keyring.ownerOf(credential)).toBe(owner)
    expect(keyring.ownerOf(`${credential}x`)).toBeNull()
    expect(keyring.ownerOf(credential.toLowerCase())).toBeNull()
  }
  for (const text of ['', 'x'.repeat(43), '\u{1F511}']) expect(keyring.ownerOf(text)).toBeNull()
})

test('an address may fail so often at once, and then once in a while; others are not concerned', () => {
  let now = 1_000
  const tries = createTries(() => now, { most: 3, everyMs: 100, addresses: 2 })
  for (const before of [0, 1, 2]) {
    expect(tries.wait('a'), `after ${before}`).toBe(0)
    tries.failed('a')
  }
  expect(tries.wait('a')).toBe(100)
  expect(tries.wait('b')).toBe(0)
  now += 60
  expect(tries.wait('a')).toBe(40)
  now += 40
  expect(tries.wait('a')).toBe(0)
  tries.failed('a')
  expect(tries.wait('a')).toBe(100)
  now += 300
  tries.failed('a')
  tries.failed('a')
  expect(tries.wait('a')).toBe(0)
  tries.failed('a')
  expect(tries.wait('a')).toBe(100)
})

test('of addresses that have failed the newest are remembered', () => {
  const tries = createTries(() => 0, { most: 1, everyMs: 100, addresses: 2 })
  for (const address of ['a', 'b', 'a', 'c']) tries.failed(address)
  expect(['a', 'b', 'c'].map((address) => tries.wait(address) > 0)).toEqual([true, false, true])
})
