import type { ElectronApplication } from '@playwright/test'
import type * as Electron from 'electron'

interface Kept {
  readonly results: Map<number, { readonly result: unknown }>
}

let calls = 0

/** The time in ms after which a result is asked for again. */
const ASK_AGAIN_MS = 15_000

/**
 * Runs a function in the app's main process, once, and gives what it returns or resolves to; as `ElectronApplication.evaluate`,
 * but for a fault between Electron and Playwright. V8's inspector, which Playwright asks to wait for the result, holds the promise of
 * it weakly until the next microtasks (microsoft/playwright#33737; V8 change 8123081 ends it); in Electron's main process these come
 * late, and where the garbage collector comes first, Playwright says "Resulting promise was garbage collected" although the function
 * has run, even one that returns a number, or says nothing at all. So the result is kept in the main process, and asked for again when that
 * happens, or when no answer has come for a while.
 */
export async function inMainProcess<R, A = undefined>(
  app: Pick<ElectronApplication, 'evaluate'>,
  work: (electron: typeof Electron, argument: A) => R | Promise<R>,
  ...[argument]: undefined extends A ? [argument?: A] : [argument: A]
): Promise<R> {
  const call = { number: ++calls, work: work.toString(), argument }
  for (;;) {
    const asked = app.evaluate((electron, { number, work: text, argument: given }) => {
      const { results } = ((globalThis as { kept?: Kept }).kept ??= { results: new Map() })
      const first = results.get(number)
      if (first !== undefined) return first.result
      // Playwright sends functions as text, too.
      const run = (0, eval)(`(${text})`) as (electron: unknown, argument: unknown) => unknown
      const result = run(electron, given)
      results.set(number, { result })
      return result
    }, call)
    const answer = asked.then((value) => ({ value: value as R }))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), ASK_AGAIN_MS)))
    try {
      const first = await Promise.race([answer, late])
      if (first !== null) return first.value
      // It may still fail, when the app ends.
      answer.catch(() => undefined)
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('Resulting promise was garbage collected')) throw error
    } finally {
      clearTimeout(timer)
    }
  }
}
