import { expect, test } from 'vitest'
import { supersededBy, versionState } from '../../../main/contract/people/version-state.ts'
import type { AgentVersion } from '../../../main/contract/procedures/agent-answers.ts'
import { activeWhere } from '../../../renderer/screens/agents/active-versions.ts'

const passed = { ok: true, text: 'Fine.' }
const failed = { ok: false, text: 'It crashed.' }
type Facts = Pick<AgentVersion, 'inactive' | 'smoke' | 'trial' | 'active'>
const one = (number: number) => ({ policies: null, number, submitted: `2026-11-2${number}T08:00:00.000Z` })
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
  const version = { ...facts({ inactive: 'candidate', smoke: passed }), ...one(1) }
  expect(activeWhere({ ...version, handIn }, [])).toContain('“Spring cup”')
  // It was deleted.
  expect(activeWhere({ ...version, handIn: { ...handIn, contestTitle: null } }, [])).not.toContain('cup-1')
  expect(activeWhere({ ...version, inactive: 'paused' }, [])).toContain('paused')
})

test('a candidate does not become active if a later one of its contest has passed, before the closing time or after it', () => {
  const of = (contest: string) => ({ handIn: { receipt: 1, contest, contestTitle: 'Cup', time: 'on-time' } as const })
  const candidate = (n: number, contest = 'cup-1') => ({
    ...{ ...facts({ inactive: 'candidate', smoke: passed }), ...one(n), ...of(contest) },
  })
  const [first, second] = [candidate(1), candidate(2)]
  const active = { ...facts({ smoke: passed, active: ['000'] }), ...one(2), ...of('cup-1') }
  expect(supersededBy(first, [second, first])?.number).toBe(2)
  expect(supersededBy(second, [second, first])).toBeNull()
  const others = [candidate(2, 'cup-2'), { ...second, smoke: failed }, { ...second, inactive: 'withdrawn' as const }]
  for (const other of others) expect(supersededBy(first, [other, first])).toBeNull()
  expect(activeWhere(first, [second, first])).toMatch(/^inactive: version 2 /)
  expect(activeWhere(first, [active, first])).toBe('inactive')
  expect(activeWhere(first, [first])).toContain('becomes active')
})
