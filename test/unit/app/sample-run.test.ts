import { expect, test, vi } from 'vitest'
import { playSample } from '../../../main/app/serve.ts'
import type { ContestState, Handlers } from '../../../main/contract/procedures/procedures.ts'
import { ExpectedError } from '../../../main/contract/expected-error.ts'

/** A class whose sample contest is in a state that the test changes. */
function stage(title: string, before: ContestState) {
  const contest = { state: before, tell: (_: ContestState): void => undefined }
  const summary = () => ({ contest: 'sample-contest-1', title, state: contest.state, progress: { done: 0, total: 70 } })
  const start = vi.fn(async () => null)
  const handlers = {
    'contests.list': async () => ({ items: [summary()], offset: 0, total: 1 }),
    'contests.get': async () => ({ summary: summary() }),
    'contests.start': start,
  } as object as Handlers
  const on = (_: string, listener: (value: unknown) => void): (() => void) => {
    contest.tell = (state) => {
      contest.state = state
      listener({ summary: summary() })
    }
    queueMicrotask(() => listener({ summary: summary() }))
    return () => (contest.tell = () => undefined)
  }
  return { service: { handlers, on }, contest, start }
}

const play = (service: ReturnType<typeof stage>['service'], signal = new AbortController().signal) =>
  playSample(service, signal, () => undefined)

test('an open sample contest is started and watched to its end', async () => {
  const { service, contest, start } = stage('Sample contest', 'open')
  start.mockImplementation(async () => {
    contest.state = 'queued'
    return null
  })
  const played = play(service)
  await vi.waitUntil(() => contest.state === 'queued', { timeout: 30_000 })
  await new Promise(setImmediate)
  contest.tell('running')
  contest.tell('ended')
  expect((await played)?.summary.state).toBe('ended')
  expect(start).toHaveBeenCalledOnce()
})

test('one that the first start begins by itself meanwhile is watched all the same', async () => {
  const { service, contest, start } = stage('Sample contest', 'open')
  start.mockImplementation(async () => {
    contest.state = 'running'
    throw new ExpectedError('usage', 'contest-running', 'The contest sample-contest-1 has already been started.')
  })
  const played = play(service)
  await vi.waitUntil(() => contest.state === 'running', { timeout: 30_000 })
  await new Promise(setImmediate)
  contest.tell('ended')
  expect((await played)?.summary.state).toBe('ended')
})

test('one that cannot be started says why', async () => {
  const { service, start } = stage('Sample contest', 'open')
  start.mockRejectedValue(new ExpectedError('host', 'isolation-unavailable', 'There is no isolation here.'))
  await expect(play(service)).rejects.toThrow('There is no isolation here.')
})

test('one that has ended is not played again', async () => {
  const { service, start } = stage('Sample contest', 'ended')
  expect((await play(service))?.summary.state).toBe('ended')
  expect(start).not.toHaveBeenCalled()
})

test('a class without one has none', async () => {
  expect(await play(stage('Week 1', 'open').service)).toBeNull()
})

test('a player that is asked to stop does not wait for the end', async () => {
  const { service } = stage('Sample contest', 'running')
  const controller = new AbortController()
  const played = play(service, controller.signal)
  controller.abort()
  expect((await played)?.summary.state).toBe('running')
})
