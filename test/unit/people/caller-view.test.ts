import { expect, test } from 'vitest'
import type { Caller } from '../../../main/contract/people/caller.ts'
import { openCallerViews } from '../../../main/services/people/caller-view.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

test('a case is seen by whoever sees its contest, and one that is not seen is like one that does not exist; settings of trust are out of reach of assistants', () => {
  const description = { entrants: [] }
  const contests = [
    { id: 'week-1', state: 'ended', description },
    { id: 'draft', state: 'open', description },
    { id: 'practice', state: 'ended', practiceOf: 'a'.repeat(16), description },
  ]
  const cases: Readonly<Record<string, string>> = { 'case-1': 'week-1', 'case-2': 'draft', 'case-3': 'practice' }
  const home = { folder: temporaryFolder('caller-view'), content: { contests, agents: [], components: [] } }
  const views = openCallerViews(home as unknown as Parameters<typeof openCallerViews>[0], {
    reachesDossier: () => false,
    contestOfCase: (id) => cases[id] ?? null,
  })
  const reached = (caller: Partial<Caller>): readonly boolean[] => {
    const whole: Caller = { role: 'student', person: null, team: null, session: null, isTerminal: false, ...caller }
    return ['case-1', 'case-2', 'case-3', 'case-4'].map((id) => views.of(whole).reaches('public', { case: id }))
  }
  expect(reached({ team: 'b'.repeat(16) })).toEqual([true, false, false, false])
  expect(reached({ team: 'a'.repeat(16) })).toEqual([true, false, true, false])
  expect(reached({ role: 'assistant' })).toEqual([true, true, true, false])
  // Pseudonyms are switched by educators alone.
  const assistant: Caller = { role: 'assistant', person: null, team: null, session: null, isTerminal: false }
  const reaches = (setting: string): boolean => views.of(assistant).reaches('public', { setting })
  expect(['locale', 'pseudonyms'].map(reaches)).toEqual([true, false])
})
