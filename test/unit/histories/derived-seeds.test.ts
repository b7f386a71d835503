import { expect, test } from 'vitest'
import { seedOfMatch, seedOfPlayer, seedOfStream } from '../../../main/histories/derived-seeds.ts'

const CONTEST = 'Venice, 13 February 1535'
const PLAYER = { seat: 1, body: 0 }

// Expected values: `printf 'match 0' | openssl dgst -sha256 -hmac "$SECRET"`, and so on.
test('seeds are HMAC-SHA256 of their purpose, with the secret as the key', () => {
  const match = seedOfMatch(CONTEST, 0, 'hmac')
  expect(match).toBe('2e866eaee2ce2f016dd73011fea3dd26db49469bd1587c10ede478e136481718')
  expect(seedOfPlayer(match, PLAYER, 'hmac')).toBe('2d9bf483915845a808583febe37beab92350505d33176914c9fd5dd3948073a4')
  expect(seedOfStream(match, 'order', 'hmac')).toBe('58b94438ea9099f7c8228410465bbf6fff4557ef550effdf7f452f880793c7fa')
})

// Expected values: `printf 'match:0:Venice, 13 February 1535' | sha256sum`, and so on.
test('contests of earlier versions keep their seeds', () => {
  const match = seedOfMatch(CONTEST, 0, 'sha256')
  expect(match).toBe('242739684e6ad01944abfc27afaf21160d8dc54cc9c0b7062563384eb3670717')
  expect(seedOfPlayer(match, PLAYER, 'sha256')).toBe('de7048d1be8aa7ebba2108cdb9baec29fa8a6da1e37d766e0676b13d96b4ba62')
  expect(seedOfStream(match, 'order', 'sha256')).toBe(
    '83248ef45573bedda1263f016e54f1422010cc1b07512e8c823b19c3d0f953ef',
  )
})

test("a referee's stream is never a player's, whatever its name", () => {
  const match = seedOfMatch(CONTEST, 0, 'hmac')
  expect(seedOfStream(match, 'player 1.0', 'hmac')).not.toBe(seedOfPlayer(match, PLAYER, 'hmac'))
})
