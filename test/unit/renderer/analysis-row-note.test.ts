import { expect, test } from 'vitest'
import { rowNote } from '../../../renderer/screens/analysis/row-note.ts'

const columns = ['match', 'line', 'move', 'part', 'agent', 'behind', 'reason']
const cells = [4, 9, 7, null, 'anna', 2.5, null]

test('the note of a row has the question with its parameters, and the values without the place', () => {
  const asked = { question: 'worst-losses', parameters: { agent: 'anna' } }
  expect(rowNote(asked, 'Worst losses', columns, cells)).toBe('“Worst losses” (agent anna): agent anna, behind 2.5')
})

test('the note of a row of an own query ends with the query', () => {
  expect(rowNote({ sql: 'SELECT 1\nFROM seats' }, '', ['n_of'], [1])).toMatch(/: n of 1\n\nSELECT 1\nFROM seats$/)
})
