import { cleanup, render, screen } from '@testing-library/svelte'
import { afterEach, expect, test } from 'vitest'
import type { NetworkState } from '../../../main/contract/procedures/network.ts'
import {
  addressForStudents,
  base64Of,
  importSentences,
  signInState,
} from '../../../renderer/screens/people/people-words.ts'
import Slips from '../../../renderer/screens/people/slips.svelte'
import { isOneTimeCode, signInWith } from '../../../renderer/screens/sign-in/sign-in-request.ts'

afterEach(cleanup)

test('a code is told from a password by its form, however it is copied', () => {
  expect(['ABCD2345', 'abcd 2345', 'abcd-2345'].map(isOneTimeCode)).toEqual([true, true, true])
  expect(['ABCD1234', 'ABCD234', 'four words', 'ABCD23456'].map(isOneTimeCode)).toEqual([false, false, false, false])
  expect(signInWith('Ada', 'four words', '')).toEqual({ name: 'Ada', password: 'four words' })
  expect(signInWith('Ada', 'ABCD2345', '')).toEqual({ name: 'Ada', code: 'ABCD2345' })
  expect(signInWith('Ada', 'ABCD2345', 'x')).toEqual({ name: 'Ada', code: 'ABCD2345', newPassword: 'x' })
})

test('pasted names of any script keep their characters', () => {
  const bytes = Uint8Array.from(atob(base64Of('Zoë\n王小明')), (each) => each.charCodeAt(0))
  expect(new TextDecoder().decode(bytes)).toBe('Zoë\n王小明')
})

test('a preview says what changes, and that nobody is removed', () => {
  const person = { id: '0'.repeat(16), name: 'Ada', ids: {}, role: 'student', added: '' } as const
  const to = { name: 'Ada', ids: {}, role: 'student' } as const
  const changed = [
    { person, to, returns: false },
    { person, to, returns: true },
  ]
  expect(importSentences({ added: [to], changed, gone: [person], unchanged: 2 })).toEqual([
    '1 person is new.',
    '1 person will be changed.',
    '1 person who left will be taken back.',
    '2 people stay as they are.',
    '1 student is not in the roster and will stay in the class.',
  ])
  expect(importSentences({ added: [], changed: [], gone: [], unchanged: 0 })).toEqual([])
  const member = { ...person, team: null, codeUntil: null, hasPassword: false, seen: null }
  expect(signInState(member)).toBe('has no code yet')
  expect(signInState({ ...member, codeUntil: '2026-01-01T00:00:00Z' })).toBe('has not signed in yet')
  expect(signInState({ ...member, asking: true })).toBe('asks to join')
})

test('slips have the address of the open class, and never one that only the educator reaches', () => {
  const open = { isOpen: true, addresses: ['https://192.0.2.7:8443'] } as unknown as NetworkState
  const closed: NetworkState = { isOpen: false, last: null }
  expect(addressForStudents(open, 'http://127.0.0.1:4000')).toBe('https://192.0.2.7:8443')
  expect(addressForStudents(open, null)).toBe('https://192.0.2.7:8443')
  expect(addressForStudents(closed, 'http://127.0.0.1:4000')).toBe('')
  expect(addressForStudents(closed, null)).toBe('')
  // An assistant has come by the address themselves, and the network's state is not for them.
  expect(addressForStudents(null, 'https://192.0.2.7:8443')).toBe('https://192.0.2.7:8443')
})

test('a slip has the name once, and the e-mail address or number to sign in with', () => {
  const slip = { person: 'a'.repeat(16), code: 'ABCD2345', until: '2026-12-01T08:00:00.000Z' }
  const slips = [
    { ...slip, name: '王小明', signInName: '王小明' },
    { ...slip, person: 'b'.repeat(16), name: 'Ada', signInName: 'ada@school.example' },
  ]
  render(Slips, { slips, address: '' })
  const [one, other] = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(one!.split('王小明')).toHaveLength(2)
  expect(other).toMatch(/Ada.*ada@school\.example/s)
})
