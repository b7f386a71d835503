// A process of its own: writes archives/tartaglia-VERSION.tar.gz beside it, the archive of a small class as the present version exports it. Run
// once for each released version (docs/release.md), before its forms of data change.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { exportClass } from '../../../main/services/archive/export-class.ts'
import { makeClass } from './made-class.ts'

const folder = mkdtempSync(join(tmpdir(), 'tartaglia-archive-'))
await makeClass(join(folder, 'data'))
const path = join(import.meta.dirname, 'archives', `tartaglia-${manifest.version}.tar.gz`)
await exportClass(join(folder, 'data'), { path, overwrite: false }, null)
rmSync(folder, { recursive: true })
