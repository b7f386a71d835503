import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { root, withLock } from './scripts.ts'

/**
 * Fills an empty folder with the data of a class whose sample contest has been played. It is played once for each build, and
 * copied from .cache/ after that.
 */
export async function copySampleClass(to: string): Promise<void> {
  const [build = ''] = readFileSync(join(root, 'dist', '.stamp'), 'utf8').split('\n')
  const kept = join(root, '.cache', 'sample-class', build)
  await withLock('sample-class', async () => {
    if (!existsSync(kept)) playSampleClass(kept)
  })
  cpSync(kept, to, { recursive: true })
}

function playSampleClass(kept: string): void {
  const folder = dirname(kept)
  rmSync(folder, { recursive: true, force: true }) // of earlier builds
  mkdirSync(folder, { recursive: true })
  const data = mkdtempSync(join(folder, `${basename(kept)}-`))
  execFileSync(process.execPath, [join(import.meta.dirname, 'play-sample-class.ts'), data], { stdio: 'inherit' })
  renameSync(data, kept)
}
