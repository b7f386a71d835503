import type { ElectronApplication } from '@playwright/test'
import { afterEach, expect, test } from 'vitest'
import { inMainProcess } from '../../e2e/desktop/main-process.ts'

type Evaluate = (work: (electron: unknown, argument: unknown) => unknown, argument: unknown) => Promise<unknown>
const collected = 'electronApplication.evaluate: Resulting promise was garbage collected.'

/**
 * Stands for Playwright's application. The fault comes about once in 200 calls with the garbage collector at work all the time: too
 * rarely for a test, so each answer of this one is lost several times after the function has run.
 */
function application(losses: number, message = collected): Pick<ElectronApplication, 'evaluate'> {
  const evaluate: Evaluate = async (work, argument) => {
    const result = work({ electron: true }, argument)
    if (losses-- > 0) throw new Error(message)
    return result
  }
  return { evaluate } as Pick<ElectronApplication, 'evaluate'>
}

const counter = globalThis as { counted?: number; kept?: unknown }
afterEach(() => {
  delete counter.counted
  delete counter.kept
})

test('a result that is lost is asked for again, and the function has run once', async () => {
  const app = application(2)
  const count = (_electron: object, by: number): number => {
    const here = globalThis as { counted?: number }
    here.counted = (here.counted ?? 0) + by
    return here.counted
  }
  expect(await inMainProcess(app, count, 5)).toBe(5)
  expect(counter.counted).toBe(5)
  // Another call runs it again.
  expect(await inMainProcess(app, count, 5)).toBe(10)
})

test('promises and functions without a result are kept as well', async () => {
  expect(await inMainProcess(application(1), async () => 'resolved')).toBe('resolved')
  const remember = (): void => {
    const here = globalThis as { counted?: number }
    here.counted = (here.counted ?? 0) + 1
  }
  await inMainProcess(application(3), remember)
  expect(counter.counted).toBe(1)
})

test('any other failure is the caller’s', async () => {
  await expect(inMainProcess(application(1, 'Target closed'), () => 1)).rejects.toThrow('Target closed')
  const fails = (): never => {
    throw new RangeError('too far')
  }
  await expect(inMainProcess(application(0), fails)).rejects.toThrow('too far')
})
