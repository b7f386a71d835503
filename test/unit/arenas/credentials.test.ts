import { expect, test } from 'vitest'
import { createKeyring } from '../../../main/arenas/sign-in.ts'

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
