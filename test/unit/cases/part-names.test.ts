import { expect, test } from 'vitest'
import { partNames } from '../../../main/contract/cases/part-names.ts'
import { transcriptLines } from '../../../main/services/cases/transcript.ts'
import { grow, people, STAFF } from './record.ts'

test('people of a record are called by their parts, numbered in its order, and so they are in transcripts', () => {
  const growing = grow()
  growing.must(STAFF, { do: 'admitted', reason: 'So be it.', penalties: [[], growing.state.filed.asks] })
  const names = partNames({ people: people(2), filer: 'Red', other: null })
  expect([...names.values()]).toEqual([
    ...['Red 1', 'Red 2', 'Student 1', 'Student 2', 'Assistant 1', 'Educator 1', 'Student 3', 'Student 4'],
  ])
  const lines = transcriptLines({ id: 'case-1', state: growing.state, entries: growing.entries })
  expect(lines.at(-1)).toContain(`${names.get(STAFF)}: `)
})
