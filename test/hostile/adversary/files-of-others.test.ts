import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { expectRefusal } from '../../conformance/verbs/stage.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { refusedCommand } from '../../refusal.ts'

const everythingIsAllowed = process.getuid?.() === 0 || process.platform === 'win32'

describe.skipIf(everythingIsAllowed)('what permissions keep (needs an ordinary user)', () => {
  const folder = temporaryFolder('others')
  const [locked, secret, data] = ['locked', 'secret.json', 'data'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  beforeAll(() => {
    mkdirSync(locked)
    writeFileSync(secret, '{}')
    chmodSync(secret, 0)
    chmodSync(locked, 0o500)
  })
  afterAll(() => {
    chmodSync(locked, 0o700)
  })

  test.each(['history show', 'contest run', 'specker targeting', 'challenge print'])('%s cannot read', async (verb) => {
    expectRefusal(await run(...verb.split(' '), secret, '--json'), 2, refusedCommand('file-unreadable', secret))
  })

  test.each([
    [['kit', 'javascript', '--out', join(locked, 'kit.zip')]],
    [['match', 'play', 'baby', 'baby', '--export', join(locked, 'x')]],
    [['contest', 'run', 'sample', '--data', data, '--export', locked]],
    [['contest', 'run', 'sample', '--data', join(locked, 'data')]],
  ])('%j cannot write', async (args) => {
    expectRefusal(await run(...args, '--json'), 3, refusedCommand('access-denied', locked))
  })
})
