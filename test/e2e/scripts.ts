import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const root = join(import.meta.dirname, '..', '..')

interface LockScript {
  withLock(name: string, work: () => Promise<void>): Promise<void>
}
interface TestBuildScript {
  readonly testBuildVersion: string
  testBuild(): string | null
}
/** The scripts are JavaScript, whose types the compiler is told here. */
const load = async (name: string): Promise<unknown> => import(pathToFileURL(join(root, 'scripts', name)).href)

export const testBuildScript = 'electron-test-build.mjs'
export const { testBuild, testBuildVersion } = (await load(testBuildScript)) as TestBuildScript
/** One process at a time, of all that run tests in this checkout. */
export const { withLock } = (await load('lock.mjs')) as LockScript
