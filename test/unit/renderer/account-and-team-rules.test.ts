import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usualBuildLimits, usualQuotas } from '../../../main/contract/people/hand-in.ts'
import { askWhoCalls, may } from '../../../renderer/caller.svelte.ts'
import { call } from '../../../renderer/connection/client.ts'
import Me from '../../../renderer/screens/me/me.svelte'
import TeamRules from '../../../renderer/screens/settings/team-rules.svelte'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))

const NOW = '2026-11-26T12:00:00.000Z'
const session = { made: NOW, seen: NOW, address: '192.0.2.7', agent: 'x' }
const person = { id: 'a'.repeat(16), name: 'Ada' }
let answers: Record<string, unknown>
beforeEach(() => {
  answers = {
    'me.get': { role: 'student', person, team: null, isReadOnly: false },
    'me.sessions': [
      { ...session, id: 'own', kind: 'browser', isThis: true },
      { ...session, id: 'lab', kind: 'terminal', isThis: false },
      { ...session, id: 'home', kind: 'browser', isThis: false },
    ],
    'me.endSession': null,
    'handIn.rules': {
      ...{ attemptsADay: 5, lateDays: 2, practiceADay: 20, playByHand: false },
      ...{ quotas: usualQuotas, builds: usualBuildLimits },
    },
    'handIn.setRules': null,
  }
  vi.mocked(call as (name: string) => Promise<unknown>).mockImplementation(async (name) => {
    if (!(name in answers)) throw new Error(`unexpected call of ${name}`)
    return answers[name]
  })
})
afterEach(async () => {
  cleanup()
  answers['me.get'] = { role: 'educator', person: null, team: null, isReadOnly: false }
  await askWhoCalls()
  vi.resetAllMocks()
})

test('one terminal is signed out alone, and the session at hand has no such button', async () => {
  await askWhoCalls()
  render(Me)
  await fireEvent.click(await screen.findByRole('button', { name: /^Sign this terminal out/ }))
  expect(call).toHaveBeenCalledWith('me.endSession', { session: 'lab' })
  expect(screen.getAllByRole('button', { name: /^End this session/ })).toHaveLength(1)
  expect(screen.getByRole('button', { name: 'End the others' })).toBeTruthy()
})

test.each([
  ['granted', /^Your browser shows a notice/],
  ['denied', /in this page alone/],
] as const)('a student who asks for notices outside of the page reads that they are %s', async (answer, words) => {
  const requestPermission = vi.fn(async () => answer)
  vi.stubGlobal('Notification', { permission: 'default', requestPermission })
  try {
    await askWhoCalls()
    render(Me)
    const button = await screen.findByRole('button', { name: 'Allow that' })
    // Browsers refuse a question that nobody has asked for.
    expect(requestPermission).not.toHaveBeenCalled()
    await fireEvent.click(button)
    expect(await screen.findByText(words)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Allow that' })).toBeNull()
  } finally {
    vi.unstubAllGlobals()
  }
})

test.each([
  [
    'staff who look at the class as a student',
    { role: 'student', person, isReadOnly: true, isSeen: true },
    /as a student/,
  ],
  ['a guest', { role: 'guest', person: null, isReadOnly: false }, /as a guest/],
  ['the person at this machine', { role: 'educator', person: null, isReadOnly: false }, /at this machine/],
])('%s reads why there is no account, and asks for no sessions', async (_, me, words) => {
  answers['me.get'] = { ...me, team: null }
  delete answers['me.sessions']
  render(Me)
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Sign out|Download/ })).toBeNull()
})

test('a student is offered to play by hand only while the class lets them', async () => {
  await askWhoCalls()
  expect([may('play.begin'), may('practice.begin')]).toEqual([false, true])
  answers['me.get'] = { role: 'student', person, team: null, isReadOnly: false, playsByHand: true }
  await askWhoCalls()
  expect([may('play.begin', 'play.get'), may('contests.create')]).toEqual([true, false])
})

test('the rules for teams are saved as they were typed, and the others stay', async () => {
  render(TeamRules)
  await fireEvent.input(await screen.findByLabelText('Practice matches of a team a day'), { target: { value: '7' } })
  await fireEvent.click(screen.getByRole('checkbox', { name: /play by hand/ }))
  const megabytes = screen.getByLabelText('MB of these files')
  await fireEvent.input(megabytes, { target: { value: '63' } })
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save the limits' })
  // A file of the largest size must fit.
  expect(save.disabled).toBe(true)
  await fireEvent.input(megabytes, { target: { value: '256' } })
  await fireEvent.click(save)
  const quotas = { ...usualQuotas, uploadedMegabytes: 256 }
  const builds = usualBuildLimits
  expect(call).toHaveBeenCalledWith('handIn.setRules', { practiceADay: 7, playByHand: true, quotas, builds })
})
