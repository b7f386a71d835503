import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AgentSummary } from '../../../main/contract/procedures/procedures.ts'
import { call, CallFailure, subscribe } from '../../../renderer/connection/client.ts'
import { chosenAfter } from '../../../renderer/screens/contests/entrants/fitness.ts'
import NewContest from '../../../renderer/screens/contests/new/new-contest.svelte'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  subscribe: vi.fn(),
}))

const digit = { anna: 'a', wrong: 'b', minmax: 'c' } as const
const agentOf = (name: keyof typeof digit, smoke: { ok: boolean; text: string } | null): AgentSummary => ({
  ...{ name, game: 'specker', kind: 'script', school: null, faults: 0 },
  versions: [
    {
      ...{ agent: digit[name].repeat(64), number: 1, team: name, policies: null },
      ...{ active: ['000', '001', '010', '011', '100', '101', '110', '111'] },
      ...{ submitted: '2026-11-20T20:00:00.000Z', smoke, trial: null },
    },
  ],
})

const works = { ok: true, text: 'It played its match.' }
let agents: readonly AgentSummary[]
let answers: Record<string, () => unknown>
const calls: [string, unknown][] = []
let news: () => void
beforeEach(() => {
  calls.length = 0
  agents = [
    agentOf('anna', works),
    agentOf('wrong', { ok: false, text: 'Entrant "wrong" does not play specker: it has no turn, but act.' }),
    agentOf('minmax', works),
  ]
  answers = {
    'agents.list': () => ({ items: agents, offset: 0, total: agents.length }),
    'challenges.list': () => [{ name: 'max-csp', title: 'Max CSP', problem: null }],
    'texts.list': () => [],
    'isolation.tiers': () => [{ tier: 'bubblewrap', available: true, text: '', command: null }],
    'arena.hosts': () => [],
    'contests.estimate': () => ({ matches: 1, ms: 1_000 }),
    'contests.unfit': () => [],
  }
  vi.mocked(call as (name: string, input: unknown) => Promise<unknown>).mockImplementation(async (name, input) => {
    calls.push([name, input])
    return answers[name]?.()
  })
  vi.mocked(subscribe as (topic: string, listener: () => void) => () => void).mockImplementation((topic, listener) => {
    if (topic === 'agents') news = listener
    return () => undefined
  })
})
afterEach(() => {
  cleanup()
  vi.resetAllMocks()
})

const box = (name: RegExp): HTMLInputElement => screen.getByRole('checkbox', { name })

test('an agent whose trial match failed is not chosen, and the reason is there to read', async () => {
  render(NewContest)
  await waitFor(() => expect(box(/^anna/).checked).toBe(true))
  expect(box(/^wrong/).checked).toBe(false)
  expect(screen.getByRole('list', { name: 'Agents that cannot play' }).textContent).toContain('it has no turn, but act')
  // “Choose all” means those that can play; a person may still choose it.
  await fireEvent.click(screen.getByRole('button', { name: 'Choose all' }))
  expect(box(/^wrong/).checked).toBe(false)
  await fireEvent.click(box(/^wrong/))
  expect(box(/^wrong/).checked).toBe(true)
})

test('an agent that cannot play the challenge, or whose trial match fails meanwhile, is taken out', async () => {
  answers['contests.unfit'] = () => [{ agent: 'c'.repeat(64), why: 'minmax cannot play the challenge our-own.' }]
  render(NewContest)
  await waitFor(() => expect(box(/^minmax/).checked).toBe(false))
  expect(screen.getByText(/minmax cannot play the challenge our-own/)).toBeTruthy()
  expect(box(/^anna/).checked).toBe(true)
  agents = [agentOf('anna', { ok: false, text: 'It crashed.' }), ...agents.slice(1)]
  // The first call says only that the subscription holds.
  news()
  news()
  await waitFor(() => expect(box(/^anna/).checked).toBe(false))
})

test('an agent that a person chose although its trial match failed stays chosen when the program answers later', async () => {
  let answer: (unfit: readonly unknown[]) => void = () => undefined
  answers['contests.unfit'] = () => new Promise((resolve) => (answer = resolve))
  render(NewContest, { challenge: 'of-its-own' })
  await waitFor(() => expect(box(/^wrong/).checked).toBe(false))
  await fireEvent.click(box(/^wrong/))
  await waitFor(() => expect(calls.some(([name]) => name === 'contests.unfit')).toBe(true))
  answer([{ agent: 'c'.repeat(64), why: 'minmax cannot play the challenge our-own.' }])
  await waitFor(() => expect(screen.getByText(/minmax cannot play the challenge our-own/)).toBeTruthy())
  expect(box(/^wrong/).checked).toBe(true)
})

test('a refusal to create the contest is shown beside the button, whatever the estimate says', async () => {
  answers['contests.create'] = () => {
    throw new CallFailure({ code: 'refused', reason: 'other-game', message: 'Entrant "anna" does not play specker.' })
  }
  // A form of its own: those before are kept as they were left.
  render(NewContest, { challenge: 'max-csp' })
  await fireEvent.input(await screen.findByLabelText('Title'), { target: { value: 'Week 1' } })
  await waitFor(() => expect(screen.getByText(/1 match/)).toBeTruthy())
  await fireEvent.submit(screen.getByRole('button', { name: 'Create and run' }).closest('form')!)
  await waitFor(() => expect(calls.some(([name]) => name === 'contests.create')).toBe(true))
  const aside = screen.getByRole('complementary', { name: 'Before the start' })
  await waitFor(() => expect(aside.textContent).toContain('Entrant "anna" does not play specker.'))
})

test('what a person wants is done, and a refusal stays to be read, when news about agents comes meanwhile', async () => {
  agents = agents.map(({ name }) => agentOf(name as keyof typeof digit, works))
  let checked: (tiers: unknown) => void = () => undefined
  const tiers = answers['isolation.tiers']!()
  answers['isolation.tiers'] = () => new Promise((resolve) => (checked = resolve))
  answers['contests.create'] = () => {
    throw new CallFailure({ code: 'refused', reason: 'other-game', message: 'Entrant "anna" does not play specker.' })
  }
  render(NewContest, { challenge: 'meanwhile' })
  await fireEvent.input(await screen.findByLabelText('Title'), { target: { value: 'Week 1' } })
  await waitFor(() => expect(screen.getByText(/1 match/)).toBeTruthy())
  await fireEvent.submit(screen.getByRole('button', { name: 'Create and run' }).closest('form')!)
  const aside = screen.getByRole('complementary', { name: 'Before the start' })
  await waitFor(() => expect(aside.textContent).toContain('once this machine has been checked'))
  const failing = (name: 'anna' | 'wrong'): void => {
    agents = agents.map((each) => (each.name === name ? agentOf(name, { ok: false, text: 'It crashed.' }) : each))
    news()
  }
  news()
  failing('wrong')
  await waitFor(() => expect(box(/^wrong/).checked).toBe(false))
  checked(tiers)
  await waitFor(() => expect(aside.textContent).toContain('Entrant "anna" does not play specker.'))
  expect(calls.filter(([name]) => name === 'contests.create')).toHaveLength(1)
  failing('anna')
  await waitFor(() => expect(box(/^anna/).checked).toBe(false))
  expect(aside.textContent).toContain('Entrant "anna" does not play specker.')
  await fireEvent.input(screen.getByLabelText('Title'), { target: { value: 'Week 2' } })
  await waitFor(() => expect(aside.textContent).not.toContain('Entrant "anna" does not play specker.'))
})

test('“Choose none” holds when agents that were taken out can play again', async () => {
  answers['contests.unfit'] = () => [{ agent: 'c'.repeat(64), why: 'minmax cannot play the challenge our-own.' }]
  render(NewContest, { challenge: 'none-holds' })
  await waitFor(() => expect(screen.getByText(/minmax cannot play the challenge our-own/)).toBeTruthy())
  await waitFor(() => expect(box(/^minmax/).checked).toBe(false))
  await fireEvent.click(screen.getByRole('button', { name: 'Choose none' }))
  answers['contests.unfit'] = () => []
  // Another setting makes the program be asked again.
  const asked = calls.length
  await fireEvent.input(screen.getByLabelText(/^Rounds/), { target: { value: '7' } })
  await waitFor(() => expect(calls.slice(asked).some(([name]) => name === 'contests.unfit')).toBe(true))
  await waitFor(() => expect(screen.queryByText(/minmax cannot play/)).toBeNull())
  expect([box(/^anna/).checked, box(/^minmax/).checked]).toEqual([false, false])
})

test('a form that is left and opened again has the agents that a person chose, also those that fail', async () => {
  render(NewContest, { challenge: 'kept' })
  await waitFor(() => expect(box(/^anna/).checked).toBe(true))
  await waitFor(() => expect(calls.some(([name]) => name === 'contests.unfit')).toBe(true))
  await fireEvent.click(box(/^wrong/))
  await fireEvent.click(box(/^anna/))
  cleanup()
  calls.length = 0
  render(NewContest, { challenge: 'kept' })
  await waitFor(() => expect(calls.some(([name]) => name === 'contests.unfit')).toBe(true))
  await waitFor(() => expect(screen.getByRole('list', { name: 'Agents that cannot play' })).toBeTruthy())
  expect([box(/^anna/).checked, box(/^wrong/).checked]).toEqual([false, true])
})

test('agents that were taken out return when they can play; what a person chose stays', () => {
  const [none, minmax] = [new Map<string, string>(), new Map([['minmax', 'It cannot.']])]
  const out = chosenAfter({ names: ['anna', 'minmax'], aside: [] }, none, minmax)
  expect(out).toEqual({ names: ['anna'], aside: ['minmax'] })
  expect(chosenAfter(out, minmax, none)).toEqual({ names: ['anna', 'minmax'], aside: [] })
  const byHand = { names: ['anna', 'minmax'], aside: [] }
  expect(chosenAfter(byHand, minmax, minmax)).toEqual(byHand)
})
