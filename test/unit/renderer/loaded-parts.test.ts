import { expect, test, vi } from 'vitest'
import type { Me } from '../../../main/contract/people/people-procedures.ts'
import { askWhoCalls } from '../../../renderer/caller.svelte.ts'
import { call } from '../../../renderer/connection/client.ts'
import { loadEarly, parts } from '../../../renderer/screens/class/loaded-parts.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))

test.each([
  { who: 'an educator at the first screen', role: 'educator', hash: '', loaded: 1 },
  { who: 'an educator at another screen', role: 'educator', hash: '#/agents', loaded: 0 },
  { who: 'a student', role: 'student', hash: '', loaded: 0 },
  { who: 'a guest', role: 'guest', hash: '', loaded: 0 },
] as const)('the parts of an educator come before the window is drawn: $who', async ({ role, hash, loaded }) => {
  const me: Me = { role, person: null, team: null, isReadOnly: false }
  vi.mocked(call).mockResolvedValue(me as never)
  // A part that cannot be loaded does not fail here: the page says so in its place.
  const spies = [vi.spyOn(parts, 'result'), vi.spyOn(parts, 'educatorHome')]
  for (const spy of spies) spy.mockClear().mockRejectedValue(new Error('not there'))
  await askWhoCalls()
  loadEarly(hash)
  expect(spies.map((spy) => spy.mock.calls.length)).toEqual([loaded, loaded])
})
