import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ContestDetail } from '../../../main/contract/procedures/procedures.ts'
import type { Role } from '../../../main/contract/people/people.ts'
import { askWhoCalls } from '../../../renderer/caller.svelte.ts'
import { call } from '../../../renderer/connection/client.ts'
import RuledStandings from '../../../renderer/screens/contests/standings/ruled-standings.svelte'
import { contest } from './contest-detail.ts'
import { standInForLayout } from './layout.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))

let role: Role
let calls: [string, unknown][]
beforeEach(() => {
  standInForLayout()
  role = 'educator'
  calls = []
  vi.mocked(call as (name: string, input: unknown) => Promise<unknown>).mockImplementation(async (name, input) => {
    calls.push([name, input])
    return name === 'me.get' ? { role, person: null, team: null, isReadOnly: false } : null
  })
})
afterEach(async () => {
  cleanup()
  role = 'educator'
  await askWhoCalls()
  vi.resetAllMocks()
})

/** A contest with a ruling after which these matches are still to be played again. */
function ruled(toPlayAgain: readonly number[], state: ContestDetail['summary']['state'] = 'ended'): ContestDetail {
  const { standings, intervals, ratings, headToHead, tables, voided } = contest
  return {
    ...contest,
    summary: { ...contest.summary, state },
    ruled: {
      ...{ after: 1, rulings: [], toPlayAgain, replayed: [], replayedVoid: [] },
      asPlayed: { standings, intervals, ratings, headToHead, tables, voided },
    } as unknown as NonNullable<ContestDetail['ruled']>,
  }
}
const button = () => screen.queryByRole('button', { name: 'Play them now' })

test('matches that wait to be played again are played by a button, when the contest is over, by those who start contests', async () => {
  await askWhoCalls()
  render(RuledStandings, { props: { detail: ruled([0, 3]) } })
  await fireEvent.click(button()!)
  await waitFor(() => expect(calls).toContainEqual(['contests.start', { contest: 'c-1' }]))
  cleanup()
  for (const detail of [ruled([]), ruled([0], 'running'), ruled([0], 'cancelled')]) {
    render(RuledStandings, { props: { detail } })
    expect(button()).toBeNull()
    cleanup()
  }
  role = 'student'
  await askWhoCalls()
  render(RuledStandings, { props: { detail: ruled([0]) } })
  expect(button()).toBeNull()
})

test('versions of toolchains that differ between matches stand above the standings, with a match of each', () => {
  const versions = [
    { version: '14.1.0', matches: 12, match: 3 },
    { version: '12.2.0', matches: 1, match: 0 },
  ]
  const { unmount } = render(RuledStandings, { detail: { ...contest, toolchains: [{ name: 'gcc', versions }] } })
  const told = screen.getByTestId('toolchains')
  for (const fact of ['GCC', '14.1.0', '12 matches', '12.2.0', '1 match']) expect(told.textContent).toContain(fact)
  // In a sentence, with spaces between its words.
  expect(told.textContent).toMatch(/: 14\.1\.0 .*\S; 12\.2\.0 .*\S\.$/s)
  const addresses = [...told.querySelectorAll('a')].map((link) => link.getAttribute('href'))
  expect(addresses).toEqual(['#/contests/c-1/matches/3', '#/contests/c-1/matches/0'])
  unmount()
  render(RuledStandings, { detail: contest })
  expect(screen.queryByTestId('toolchains')).toBeNull()
})
