import { statSync } from 'node:fs'
import { join } from 'node:path'
import { ExpectedError } from '../../contract/expected-error.ts'
import { namesState } from '../../contract/people/locked-names.ts'
import { readOnlyRefusal } from '../../contract/procedures/read-only.ts'
import { readKeys } from '../../histories/key-files.ts'
import { checkOpenFiles } from './open-files.ts'
import { withGiven, type ClassFolder } from './classroom.ts'
import { unlocked } from './name-lock.ts'
import { loadClass } from './recovered-class.ts'
import { dropPassing } from './scratch.ts'

/**
 * Opens a data folder to look at the class, which another process may have open: nothing is locked, created, written, mended or
 * deleted in it, and every change is refused. The content is that of this moment. Throws ExpectedError 'usage' if there is no class,
 * and MachineError if its public key or `class.json` cannot be read.
 */
export async function openClassToLookAt(data: string): Promise<ClassFolder> {
  checkOpenFiles()
  requireFolder(data)
  await dropPassing()
  const { content: loaded, fresh, notices } = await loadClass(data)
  if (fresh) throw new ExpectedError('usage', 'data-folder-unknown', `There is no class in the folder ${data}.`)
  const named = await withGiven(loaded)
  let content = named.content
  const refuse = (): Promise<never> => Promise.reject(readOnlyRefusal())
  return {
    folder: data,
    isReadOnly: true,
    key: readKeys(join(data, 'keys')),
    get content() {
      return content
    },
    fresh: false,
    get notices() {
      return namesState(content) === 'locked' ? [...notices, ...named.notices] : notices
    },
    change: refuse,
    inTurn: refuse,
    atRest: refuse,
    async unlock(passphrase) {
      content = await unlocked(content, passphrase)
    },
    setPassphrase: refuse,
    forgetNames: refuse,
    close: async () => undefined,
  }
}

function requireFolder(data: string): void {
  const there = statSync(data, { throwIfNoEntry: false })
  if (there?.isDirectory() === true) return
  throw new ExpectedError('usage', 'data-folder-unknown', `There is no data folder ${data}: --data chooses another.`)
}
