import { expect, test } from 'vitest'
import { ExpectedError } from '../../../main/contract/expected-error.ts'
import { usualQuotas } from '../../../main/contract/people/hand-in.ts'
import { narrowedAgents } from '../../../main/contract/people/narrowed.ts'
import type { AgentSummary } from '../../../main/contract/procedures/procedures.ts'
import { withoutMachine } from '../../../main/administrator/procedures/reach.ts'
import { MachineError } from '../../../main/histories/machine-error.ts'
import { takeLook, type Looks } from '../../../main/services/hand-in/look.ts'
import { keptReason, reasonForTeam } from '../../../main/services/hand-in/reasons.ts'
import { refusal } from '../../refusal.ts'
import { wholeView } from '../../whole-view.ts'

const hash = 'ab'.repeat(32)
const LOOKS_AN_HOUR = usualQuotas.looksAnHour

test('a team reads about its file, and nothing of the machine and of the code of the program', () => {
  const usage = new ExpectedError('usage', 'build-failed', `/var/lib/class/trials/${hash}/agent.c, line 3: an error`)
  expect(reasonForTeam(usage)).toBe('agent.c, line 3: an error')
  const others = [
    new TypeError("Cannot read properties of undefined (reading 'seat')"),
    new MachineError('Cannot write /var/lib/class/receipts: the disk is full.', '/var/lib/class/receipts', 'disk-full'),
    new ExpectedError('host', 'build-unavailable', 'bwrap at /usr/local/bin/bwrap is missing'),
    Object.assign(new Error('ENOENT: no such file, open /var/lib/class/x'), { code: 'ENOENT', syscall: 'open' }),
    'a text',
  ]
  for (const error of others) expect(reasonForTeam(error)).not.toMatch(/[/]|seat|ENOENT|bwrap|a text/)
  expect(keptReason('Cannot write /var/lib/class/receipts/chain.jsonl: no')).toBe('Cannot write chain.jsonl: no')
  expect(keptReason(null)).toBeNull()
})

test('the log of a build and the problem of a trial are told without the folders of the machine', () => {
  const details = `/tmp/build-x/main.c:3:5: error: no\n/tmp/build-x/main.c:4:1: error ${hash}`
  const error = { code: 'refused', reason: 'build-failed', message: 'no', details } as const
  expect(withoutMachine(error).details).toBe('main.c:3:5: error: no\nmain.c:4:1: error abababab…')
  const problem = 'Cannot open /var/lib/class/trials/x.jsonl: no'
  const versions = [{ trial: { problem } }, { trial: 'playing' }, { trial: null }]
  const page = { items: [{ name: 'rosso', versions } as unknown as AgentSummary], offset: 0, total: 1 }
  expect(narrowedAgents(page, { ...wholeView, ownsAgent: () => true }).items[0]!.versions).toEqual([
    { trial: { problem: 'Cannot open x.jsonl: no' } },
    { trial: 'playing' },
    { trial: null },
  ])
})

test('of the agents of others only the version that plays is shown: no candidate, and none that failed', () => {
  const candidate = { agent: 'b'.repeat(64), number: 2, team: 'rosso', active: [], trial: 'playing' }
  const playing = { agent: 'a'.repeat(64), number: 1, team: 'rosso', active: ['benign'], trial: null }
  const shown = (versions: readonly object[]) => {
    const page = { items: [{ name: 'rosso', versions } as unknown as AgentSummary], offset: 0, total: 1 }
    return narrowedAgents(page, { ...wholeView, ownsAgent: () => false }).items.map((each) => each.versions)
  }
  expect(shown([candidate, playing])).toEqual([[expect.objectContaining({ number: 1, smoke: null, trial: null })]])
  expect(shown([candidate])).toEqual([[]])
})

test('a team has some looks an hour, whatever others do and however the clock is set', () => {
  const looks: Looks = new Map()
  const begin = Date.parse('2026-11-25T08:00:00.000Z')
  const left = Array.from({ length: LOOKS_AN_HOUR }, (_, n) =>
    takeLook(looks, ['red'], begin + n * 60_000, LOOKS_AN_HOUR),
  )
  expect([left[0], left.at(-1)]).toEqual([LOOKS_AN_HOUR - 1, 0])
  const full = begin + LOOKS_AN_HOUR * 60_000
  expect(() => takeLook(looks, ['red'], full, LOOKS_AN_HOUR)).toThrow(refusal('limit-reached', LOOKS_AN_HOUR, 40))
  // A person whose team has none left keeps theirs.
  expect(() => takeLook(looks, ['anna', 'red'], full, LOOKS_AN_HOUR)).toThrow(refusal('limit-reached'))
  expect(takeLook(looks, ['anna'], full, LOOKS_AN_HOUR)).toBe(LOOKS_AN_HOUR - 1)
  expect(takeLook(looks, ['blue'], full, LOOKS_AN_HOUR)).toBe(LOOKS_AN_HOUR - 1)
  expect(takeLook(looks, ['red'], begin + 60 * 60_000, LOOKS_AN_HOUR)).toBe(0)
  expect(takeLook(looks, ['red'], begin - 60 * 60_000, LOOKS_AN_HOUR)).toBe(LOOKS_AN_HOUR - 1)
})
