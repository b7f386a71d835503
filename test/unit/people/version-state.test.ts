import { expect, test } from 'vitest'
import { versionState } from '../../../main/contract/people/version-state.ts'
import type { AgentVersion } from '../../../main/contract/procedures/agent-answers.ts'
import { activeWhere } from '../../../renderer/screens/agents/active-versions.ts'

const passed = { ok: true, text: 'Fine.' }
const failed = { ok: false, text: 'It crashed.' }
type Facts = Pick<AgentVersion, 'inactive' | 'smoke' | 'trial' | 'active'>
const facts = (more: Partial<Facts>): Facts => ({ smoke: null, trial: null, active: [], ...more })

test.each([
  ['received', { inactive: 'candidate' }],
  ['received', { inactive: 'candidate', trial: { problem: 'The machine was busy.' } }],
  ['trying', { inactive: 'candidate', trial: 'playing' }],
  ['failed', { inactive: 'candidate', smoke: failed }],
  ['candidate', { inactive: 'candidate', smoke: passed }],
  ['active', { smoke: passed, active: ['010'] }],
  ['replaced', { smoke: passed }],
  // A decision of a person, and lateness, count more than a trial.
  ['withdrawn', { inactive: 'withdrawn', smoke: failed }],
  ['paused', { inactive: 'paused', smoke: passed, trial: 'playing' }],
  ['kept', { inactive: 'kept', smoke: passed }],
] as const)('a version is %s with %j', (state, more) => {
  expect(versionState(facts(more))).toBe(state)
})

test('a page names the contest whose closing a candidate waits for', () => {
  const handIn = { receipt: 1, contest: 'cup-1', contestTitle: 'Spring cup', time: 'on-time' } as const
  const version = { ...facts({ inactive: 'candidate', smoke: passed }), policies: null }
  expect(activeWhere({ ...version, handIn })).toContain('“Spring cup”')
  // It was deleted.
  expect(activeWhere({ ...version, handIn: { ...handIn, contestTitle: null } })).not.toContain('cup-1')
  expect(activeWhere({ ...version, inactive: 'paused' })).toContain('paused')
})
