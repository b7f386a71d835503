import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { windowedChromium } from '../../e2e/browser.ts'
import { isLong } from '../../long.ts'

const root = join(import.meta.dirname, '../../..')

test.skipIf(!isLong || windowedChromium === null)(
  'the pictures of the docs show what the program shows (needs Chromium; long form)',
  { timeout: 1_800_000 },
  () => {
    const { status, stdout } = spawnSync(process.execPath, [join(root, 'scripts', 'pictures.mjs'), '--check'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect({ status, stale: stdout.split('\n').filter((line) => line.includes(' is stale: ')) }).toEqual({
      status: 0,
      stale: [],
    })
  },
)
