import { afterEach, expect, test, vi } from 'vitest'
import { call, CallFailure } from '../../../renderer/connection/client.ts'
import { createAsking } from '../../../renderer/screens/analysis/asking.svelte.ts'
import { withEffects } from './with-effects.svelte.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))

afterEach(() => vi.resetAllMocks())

test('of three quick questions the first is stopped, the second never begins, and the third is answered', async () => {
  const open = new Map<string, (reason: unknown) => void>()
  vi.mocked(call as (name: string, input: never) => Promise<unknown>).mockImplementation(
    (name, { request, sql }: { request: string; sql: string }) => {
      if (name === 'mining.stop') {
        open.get(request)!(new CallFailure({ code: 'refused', reason: 'stopped', message: 'Stopped.' }))
        return Promise.resolve(null)
      }
      if (sql === 'third') return Promise.resolve({ columns: ['a'], rows: [[3]] })
      const { promise, reject } = Promise.withResolvers()
      open.set(request, reject)
      return promise
    },
  )
  const { value: asking, end } = withEffects(() => createAsking(() => 'week-1'))
  const first = asking.ask({ sql: 'first' })
  await vi.waitFor(() => expect(asking.busy).toBe(true))
  await Promise.all([first, ...['second', 'third'].map((sql) => asking.ask({ sql }))])
  const asked = vi
    .mocked(call as (name: string, input: { readonly sql?: string }) => Promise<unknown>)
    .mock.calls.flatMap(([, { sql }]) => sql ?? [])
  expect(asked).toEqual(['first', 'third'])
  expect(asking).toMatchObject({ busy: false, failure: null, answer: { rows: [[3]] } })
  end()
})

test('a question that waits is not begun once somebody stops it', async () => {
  const first = Promise.withResolvers<unknown>()
  vi.mocked(call as (name: string) => Promise<unknown>).mockImplementation((name) =>
    name === 'mining.stop' ? Promise.resolve(null) : first.promise,
  )
  const { value: asking, end } = withEffects(() => createAsking(() => 'week-1'))
  const both = ['first', 'second'].map((sql) => asking.ask({ sql }))
  await vi.waitFor(() => expect(asking.busy).toBe(true))
  asking.stop()
  first.resolve({ columns: [], rows: [] })
  await Promise.all(both)
  expect(vi.mocked(call).mock.calls.filter(([name]) => name === 'mining.query')).toHaveLength(1)
  end()
})
