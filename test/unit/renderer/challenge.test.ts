import { cleanup, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Role } from '../../../main/contract/people/people.ts'
import type { ChallengeDetail } from '../../../main/contract/procedures/procedures.ts'
import { askWhoCalls } from '../../../renderer/caller.svelte.ts'
import { call, CallFailure } from '../../../renderer/connection/client.ts'
import Challenge from '../../../renderer/screens/challenge/challenge.svelte'
import { keepDraft } from '../../../renderer/screens/challenge/drafts.ts'
import type { EditorOptions } from '../../../renderer/screens/challenges/editor/editor.ts'
import { template } from '../../../renderer/screens/challenges/template.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))

/** The editor that the screen shows; null: none yet. */
const shown = vi.hoisted(() => ({ editor: null as EditorOptions | null }))
vi.mock(import('../../../renderer/screens/challenges/editor/editor.ts'), () => ({
  createEditor(options: EditorOptions) {
    shown.editor = options
    return {
      show: () => undefined,
      go: () => undefined,
      format: () => undefined,
      end: () => ({ state: null as never, scrollTop: 0 }),
    }
  },
}))

const source = template.replace('my-challenge', 'shared')
const changed = source.replace('My challenge', 'Mine')
const version = 'a'.repeat(64)
const detail = (own: boolean): ChallengeDetail => ({
  name: 'shared',
  title: 'My challenge',
  text: '',
  own,
  problem: null,
  version,
  source,
})

let answer: PromiseWithResolvers<ChallengeDetail>
/** Saving takes until it settles. */
let saving: PromiseWithResolvers<undefined>
let role: Role = 'educator'
beforeEach(() => {
  answer = Promise.withResolvers()
  saving = Promise.withResolvers()
  saving.resolve(undefined)
  vi.stubGlobal(
    'Worker',
    class {
      postMessage(): void {}
      terminate(): void {}
    },
  )
  vi.mocked(call as (name: string, input: object) => Promise<unknown>).mockImplementation(async (name) => {
    if (name === 'me.get') return { role, person: null, team: null, isReadOnly: false }
    if (name === 'challenges.get') return answer.promise
    if (name === 'challenges.save') {
      await saving.promise
      return { ...detail(true), title: 'Mine', version: 'b'.repeat(64) }
    }
    return []
  })
  keepDraft('shared', { text: changed, from: version })
})
afterEach(async () => {
  cleanup()
  role = 'educator'
  await askWhoCalls()
  keepDraft('shared', null)
  shown.editor = null
  vi.unstubAllGlobals()
  vi.resetAllMocks()
})

const saves = () =>
  vi
    .mocked(call)
    .mock.calls.filter(([name]) => name === 'challenges.save')
    .map(([, input]) => input)
const dialog = () => screen.queryByRole('dialog', { name: 'Save to the class' })

/** The screen with a text that was kept over a reload, on which Ctrl+S is pressed before it is known what is saved. */
async function saveAtOnce(): Promise<void> {
  render(Challenge, { name: 'shared' })
  await waitFor(() => expect(shown.editor?.text).toBe(changed))
  shown.editor!.onsave()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-busy')).toBe('true'))
  expect(dialog()).toBeNull()
  expect(saves()).toEqual([])
}

describe('a challenge that is saved before it is known what is saved', () => {
  test("the class's own is saved under its name as soon as that is known", async () => {
    await saveAtOnce()
    answer.resolve(detail(true))
    await waitFor(() => expect(saves()).toEqual([{ name: 'shared', source: changed, from: version }]))
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Mine'))
    expect(dialog()).toBeNull()
  })

  test('what comes with Tartaglia gets a name of its own', async () => {
    await saveAtOnce()
    answer.resolve(detail(false))
    await waitFor(() => expect(dialog()).not.toBeNull())
    expect(saves()).toEqual([])
  })

  test('what cannot be loaded gets a name', async () => {
    await saveAtOnce()
    answer.reject(new CallFailure({ code: 'refused', message: 'There is none.' }))
    await waitFor(() => expect(dialog()).not.toBeNull())
    expect(saves()).toEqual([])
  })
})

test.each([
  ['student', []],
  ['assistant', ['Discard changes…', 'Save a copy…', 'Save']],
  ['educator', ['Discard changes…', 'Delete…', 'Save a copy…', 'Save']],
] as const)('a %s has the buttons of that role, and Ctrl+S saves for those who may', async (who, buttons) => {
  role = who
  await askWhoCalls()
  render(Challenge, { name: 'shared' })
  answer.resolve(detail(true))
  await waitFor(() => expect(shown.editor?.text).toBe(changed))
  await screen.findByText(/^Not saved\./)
  const names = screen.getAllByRole('button').map(({ textContent }) => textContent.trim())
  expect(names.filter((name) => /Discard|Delete|Save/.test(name))).toEqual(buttons)
  shown.editor!.onsave()
  await new Promise((resolve) => setTimeout(resolve))
  expect(saves()).toHaveLength(who === 'student' ? 0 : 1)
})

test('Ctrl+S while a text is being saved saves afterwards what has changed meanwhile', async () => {
  await askWhoCalls()
  render(Challenge, { name: 'shared' })
  answer.resolve(detail(true))
  await waitFor(() => expect(shown.editor?.text).toBe(changed))
  await screen.findByText(/^Not saved\./)
  saving = Promise.withResolvers()
  shown.editor!.onsave()
  await waitFor(() => expect(saves()).toHaveLength(1))
  const later = changed.replace('Mine', 'Later')
  shown.editor!.onchange(later)
  shown.editor!.onsave()
  expect(saves()).toHaveLength(1)
  saving.resolve(undefined)
  await waitFor(() => expect(saves().slice(1)).toEqual([{ name: 'shared', source: later, from: 'b'.repeat(64) }]))
})
