import { CompletionContext } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import type { MinedTable } from '../../../main/contract/procedures/procedures.ts'
import { sqlCompletion } from '../../../renderer/screens/analysis/sql-completion.ts'

const column = (name: string) => ({ name, type: 'INTEGER', about: `the ${name}` })
const tables = [
  { name: 'seats', about: 'The seats.', columns: [column('match'), column('entrant')] },
  { name: 'faults', about: 'The faults.', columns: [column('match'), column('kind')] },
] as unknown as readonly MinedTable[]

/** The names offered at the end of a text, and the text that they replace. */
function offered(text: string, explicit = false): { readonly replaces: string; readonly names: string[] } | null {
  const found = sqlCompletion(new CompletionContext(EditorState.create({ doc: text }), text.length, explicit), tables)
  return found === null ? null : { replaces: text.slice(found.from), names: found.options.map(({ label }) => label) }
}

test('after a table and a dot its columns are offered, and no others', () => {
  expect(offered('SELECT seats.')).toEqual({ replaces: '', names: ['match', 'entrant'] })
  expect(offered('SELECT avg(faults.ki')).toEqual({ replaces: 'ki', names: ['match', 'kind'] })
  expect(offered('SELECT nothing.')).toBeNull()
})

test('elsewhere tables, each column once and words of SQL are offered, when somebody types or asks', () => {
  const { replaces, names } = offered('SELECT se')!
  expect(replaces).toBe('se')
  expect(names.slice(0, 5)).toEqual(['seats', 'faults', 'match', 'entrant', 'kind'])
  expect(names).toContain('SELECT')
  expect(new Set(names).size).toBe(names.length)
  expect(offered('SELECT ')).toBeNull()
  expect(offered('SELECT ', true)?.names).toEqual(names)
})
