import { expect, test } from 'vitest'
import type { HistoryVerdict } from '../../../main/contract/procedures/match-answers.ts'
import { verdictForStrangers } from '../../../main/services/histories/verify-histories.ts'

test('a verdict for strangers has fingerprints, and no name that the class has for a key', () => {
  const verdict = {
    ...{ ok: true, contest: 'cup-1', match: 0, replayed: true, notes: [] },
    signer: { name: 'this class', key: 'own', fingerprint: '11 22' },
    checked: ['All lines are complete.', 'The root is signed with the key of this class.'],
    entries: [
      {
        ...{
          seat: 0,
          name: 'Rook',
          pseudonym: 'Rook',
          school: 'Hill School',
          agent: 'ab',
          submitted: '2026-11-28T12:00:00.000Z',
        },
        signer: { name: 'Key of Ada Lovelace', key: 'other', fingerprint: '33 44' },
      },
    ],
  } as unknown as HistoryVerdict
  expect(verdictForStrangers(verdict)).toEqual({
    ...verdict,
    signer: { name: null, key: 'own', fingerprint: '11 22' },
    checked: ['All lines are complete.', 'The root is signed with the key in the file.'],
    entries: [
      expect.objectContaining({ school: 'Hill School', signer: { name: null, key: 'other', fingerprint: '33 44' } }),
    ],
  })
  const refuted: HistoryVerdict = { ok: false, line: 3, message: 'cut off', text: null, events: 0 }
  expect(verdictForStrangers(refuted)).toBe(refuted)
})
