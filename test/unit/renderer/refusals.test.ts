import { flushSync } from 'svelte'
import { afterEach, expect, test } from 'vitest'
import { CallFailure, nullIf } from '../../../renderer/connection/client.ts'
import { resource } from '../../../renderer/connection/resource.svelte.ts'
import { followUnhandled } from '../../../renderer/connection/unhandled.ts'
import { dismissToast, toasts } from '../../../renderer/parts/states/toasts.svelte.ts'
import { withEffects } from './with-effects.svelte.ts'

// Nothing that the program refuses stays without a word: a screen shows it, or a message does.

afterEach(() => {
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
