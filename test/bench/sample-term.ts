import { execFile } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withFolder } from './folder.ts'
import { rowOf, type Bench } from './row.ts'

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.js')

/** The sample term by its verb, from the first line of the command to its end. */
export const sampleTerm: Bench = {
  name: 'sample-term',
  measure: () =>
    withFolder(async (folder) => {
      const data = join(folder, 'class')
      const start = performance.now()
      await promisify(execFile)(process.execPath, [CLI, 'class', 'sample-term', '--data', data])
      const seconds = (performance.now() - start) / 1_000
      const bytes = readdirSync(data, { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
      return [
        rowOf(
          { name: 'sample term, made', value: seconds, unit: 's' },
          { name: 'allowed', value: 60, unit: 's' },
          { of: 'ratio', below: 1 },
        ),
        rowOf(
          { name: 'sample term, on disk', value: bytes / 2 ** 20, unit: 'MiB' },
          { name: 'allowed', value: 20, unit: 'MiB' },
          { of: 'ratio', below: 1 },
        ),
      ]
    }),
}
