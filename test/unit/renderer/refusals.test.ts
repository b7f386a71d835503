import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { flushSync, type Component } from 'svelte'
import { afterEach, expect, test, vi } from 'vitest'
import { call, CallFailure, nullIf } from '../../../renderer/connection/client.ts'
import { resource } from '../../../renderer/connection/resource.svelte.ts'
import { followUnhandled } from '../../../renderer/connection/unhandled.ts'
import { dismissToast, toasts } from '../../../renderer/parts/states/toasts.svelte.ts'
import Practice from '../../../renderer/screens/agent/practice.svelte'
import Versions from '../../../renderer/screens/agent/versions.svelte'
import Kits from '../../../renderer/screens/agents/kits.svelte'
import SimilarPairs from '../../../renderer/screens/agents/similar-pairs.svelte'
import PutAwayContest from '../../../renderer/screens/contests/contest/put-away-contest.svelte'
import TrustedKeys from '../../../renderer/screens/settings/trusted-keys.svelte'
import Updates from '../../../renderer/screens/settings/updates.svelte'
import { withEffects } from './with-effects.svelte.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))

// Nothing that the program refuses stays without a word: a screen shows it, or a message does.

afterEach(() => {
  cleanup()
  for (const { id } of [...toasts.shown]) dismissToast(id)
})
const shown = () => toasts.shown.map(({ tone, text }) => [tone, text])
const refused = (message: string): CallFailure => new CallFailure({ code: 'refused', message })

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve()
  flushSync()
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

test('a failure that a screen does not read is shown as a message', async () => {
  const { end } = withEffects(() => resource(() => Promise.reject(refused('No such match.'))))
  await settle()
  expect(shown()).toEqual([['bad', 'No such match.']])
  end()
})

test('a failure that the screen shows itself, and a lost connection, are not shown twice', async () => {
  const { end } = withEffects((effect) => {
    const one = resource(() => Promise.reject(refused('No.')))
    effect(() => void one.failure)
    return resource(() => Promise.reject(new CallFailure({ code: 'disconnected', message: 'Lost.' })))
  })
  await settle()
  expect(shown()).toEqual([])
  end()
})

test('what no screen has caught is shown as a last resort', () => {
  let listener: (event: PromiseRejectionEvent) => void = () => undefined
  followUnhandled({
    addEventListener: (_: string, given: unknown) => void (listener = given as typeof listener),
  } as Window)
  listener({ reason: refused('Entrant "wrong" does not play.') } as PromiseRejectionEvent)
  expect(shown()).toEqual([['bad', 'Entrant "wrong" does not play.']])
})

test('only the refusal that is named is not a failure', () => {
  const gone = new CallFailure({ code: 'refused', reason: 'agent-unknown', message: 'Gone.' })
  expect(nullIf('agent-unknown')(gone)).toBeNull()
  expect(() => nullIf('challenge-unknown')(gone)).toThrow(gone)
})

const version = {
  ...{ agent: 'a'.repeat(64), number: 1, team: 'anna', policies: null, active: [], trial: null },
  ...{ submitted: '2026-11-20T20:00:00.000Z', smoke: { ok: true, text: 'It played.' } },
}
test.each<[string, Component<never>, object, RegExp]>([
  ['a kit', Kits, {}, /Python kit/],
  ['a comparison', SimilarPairs, {}, /Compare/],
  ['a trial match', Versions, { name: 'anna', versions: [version], lines: 0 }, /Open the trial match/],
  ['opponents', Practice, { name: 'anna', game: 'toy', versions: [version] }, /Practice/],
  ['archiving', PutAwayContest, { summary: { contest: 'c-1' }, onchange: () => undefined }, /Archive/],
  ['a key', TrustedKeys, { keys: [{ name: 'Other', key: 'k' }] }, /Forget/],
])('a refusal of %s is shown beside its button and not in the corner', async (_, Screen, props, button) => {
  vi.mocked(call).mockRejectedValue(refused('It cannot be done.'))
  render(Screen as Component, props)
  await fireEvent.click(screen.getByRole('button', { name: button }))
  expect((await screen.findByRole('alert')).textContent).toBe('It cannot be done.')
  expect(shown()).toEqual([])
})

test('the address that tells new versions is saved without spaces around it, and its refusal stays beside it', async () => {
  const asked = vi.mocked(call as (name: string, input: unknown) => Promise<unknown>)
  asked.mockReset().mockRejectedValueOnce(refused('An https address is needed.'))
  render(Updates, { address: '' })
  const field = screen.getByRole('textbox', { name: 'Address that tells the newest version' })
  const save = screen.getByRole('button', { name: 'Save the address' })
  await fireEvent.input(field, { target: { value: ' https://school.example/t.json ' } })
  await fireEvent.click(save)
  expect(await screen.findByText('An https address is needed.')).toBeTruthy()
  asked.mockResolvedValueOnce({ appearance: 'system', letterKeys: true })
  await fireEvent.click(save)
  await vi.waitFor(() => expect(shown()).toEqual([['good', 'The address was saved.']]))
  expect(asked.mock.calls).toEqual([0, 1].map(() => ['settings.set', { updates: 'https://school.example/t.json' }]))
})
