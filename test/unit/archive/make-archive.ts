// A process of its own: writes archives/tartaglia-VERSION.tar.gz beside it, the archive of a sample term as the present version exports it, and
// what that version reads in it (.txt). Run once for each released version (docs/release.md), after a build and before its forms of data change.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { makeSampleTerm } from '../../../main/app/sample-term/sample-term.ts'
import { exportClass } from '../../../main/services/archive/export-class.ts'
import { readingsOf } from './readings.ts'

// The archive of a released version is what was released, whatever this program would write.
if (!readFileSync('CHANGELOG.md', 'utf8').includes(`## Unreleased (${manifest.version})`))
  throw new Error(`${manifest.version} is released: its archive stays as it is.`)
const folder = mkdtempSync(join(tmpdir(), 'tartaglia-archive-'))
const data = join(folder, 'data')
await makeSampleTerm(data, Date.parse('2026-11-18T12:00:00Z'), () => undefined)
const name = join(import.meta.dirname, 'archives', `tartaglia-${manifest.version}`)
await exportClass(data, { path: `${name}.tar.gz`, overwrite: true }, null)
writeFileSync(`${name}.txt`, `${JSON.stringify(await readingsOf(data))}\n`)
rmSync(folder, { recursive: true })
process.exit(0)
