import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { root, withLock } from './scripts.ts'

/**
 * Fills an empty folder with the data of a class whose sample contest has been played. It is played once for each build, and
 * copied from .cache/ after that.
 */
export const copySampleClass = (to: string): Promise<void> => copyKept('sample-class', 'play-sample-class.ts', to)

/** Fills an empty folder with the sample term, which is made once for each build. */
export const copySampleTerm = (to: string): Promise<void> => copyKept('sample-term', 'play-sample-term.ts', to)

/** `script`: makes the class in the folder that is its argument, in a process of its own. */
async function copyKept(name: string, script: string, to: string): Promise<void> {
  const [build = ''] = readFileSync(join(root, 'dist', '.stamp'), 'utf8').split('\n')
  const kept = join(root, '.cache', name, build)
  await withLock(name, async () => {
    if (!existsSync(kept)) make(kept, script)
  })
  cpSync(kept, to, { recursive: true })
}

function make(kept: string, script: string): void {
  const folder = dirname(kept)
  rmSync(folder, { recursive: true, force: true }) // of earlier builds
  mkdirSync(folder, { recursive: true })
  const data = mkdtempSync(join(folder, `${basename(kept)}-`))
  execFileSync(process.execPath, [join(import.meta.dirname, script), data], { stdio: 'inherit' })
  renameSync(data, kept)
}
