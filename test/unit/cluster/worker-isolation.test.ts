import { describe, expect, test } from 'vitest'
import type { IsolationTier } from '../../../main/contract/limits.ts'
import { tierOfWorker } from '../../../main/services/cluster/join-cluster.ts'

/** A machine that has just the tiers that are asked for, so that nothing is stronger than the user wants it. */
const asAsked = (weakest: IsolationTier): Promise<IsolationTier> => Promise.resolve(weakest)

describe('a worker decides its own isolation', () => {
  test.each([
    ['bubblewrap', 'none', 'bubblewrap'],
    ['bubblewrap', 'permission', 'bubblewrap'],
    ['permission', 'none', 'permission'],
    ['permission', 'permission', 'permission'],
    ['none', 'none', 'none'],
    ['shared', 'shared', 'shared'],
    ['shared', 'none', 'bubblewrap'],
  ] as const)('%s stays so when a contest accepts %s', async (worker, contest, tier) => {
    for (const programs of [false, true]) expect(await tierOfWorker({ worker, contest }, programs, asAsked)).toBe(tier)
  })

  test.each([
    ['none', 'bubblewrap'],
    ['none', 'permission'],
    ['permission', 'bubblewrap'],
    ['bubblewrap', 'shared'],
    ['none', 'shared'],
  ] as const)('%s takes no part in a contest that accepts %s', async (worker, contest) => {
    await expect(tierOfWorker({ worker, contest }, true, asAsked)).rejects.toMatchObject({ code: 'isolation-refused' })
  })
})
