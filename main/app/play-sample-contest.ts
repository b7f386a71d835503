import type { ContestDetail, ContestState } from '../contract/procedures/procedures.ts'
import type { ClassroomService } from './classroom-service.ts'
import { sampleContest } from '../services/contests/descriptions/sample-contest.ts'

const educator = { right: 'educator' } as const

/**
 * Plays the sample contest of an open classroom to its end or until `signal` aborts; does not repeat one that has
 * ended. null: the class has no sample contest. Throws ExpectedError if it cannot be started.
 */
export async function playSample(
  { handlers, on }: Pick<ClassroomService, 'handlers' | 'on'>,
  signal: AbortSignal,
  onProgress: (progress: ContestDetail['summary']['progress']) => void,
): Promise<ContestDetail | null> {
  const { title } = sampleContest()
  const { items } = await handlers['contests.list']({ offset: 0, limit: 100, search: title }, educator)
  const sample = items.find((each) => each.title === title)
  if (sample === undefined) return null
  const { contest } = sample
  const stateNow = async (): Promise<ContestState> =>
    (await handlers['contests.get']({ contest }, educator)).summary.state
  if (sample.state === 'open') {
    await handlers['contests.start']({ contest }, educator).catch(async (error: unknown) => {
      // At the first start of a class the service starts the contest itself.
      if ((await stateNow()) === 'open') throw error
    })
  }
  const ended = Promise.withResolvers<undefined>()
  const end = on(`contest:${contest}`, (value) => {
    const { summary } = value as ContestDetail // the value of this topic; see Topics
    onProgress(summary.progress)
    if (summary.state !== 'running' && summary.state !== 'queued') ended.resolve(undefined)
  })
  signal.addEventListener('abort', () => ended.resolve(undefined))
  if (signal.aborted) ended.resolve(undefined)
  await ended.promise
  end()
  return handlers['contests.get']({ contest }, educator)
}
