import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TierFinding } from '../../../main/contract/procedures/answers.ts'
import { fixesFor, runFixes } from '../../../main/services/machine/fixes.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const tier = (name: TierFinding['tier'], available: boolean, command: string | null): TierFinding => ({
  ...{ tier: name, available, text: '', command },
})

test('a command that several tiers want is one fix; what works, or has no command, needs none', () => {
  const wanting = [
    tier('bubblewrap', false, 'install a'),
    tier('shared', false, 'install a'),
    tier('permission', true, null),
    tier('none', false, null),
  ]
  expect(fixesFor(wanting)).toEqual([{ command: 'install a', tiers: ['bubblewrap', 'shared'] }])
  expect(fixesFor([tier('bubblewrap', true, 'never mind')])).toEqual([])
})

test.skipIf(process.platform === 'win32')(
  'commands run in their order, and none after one that fails (needs a shell)',
  async () => {
    const file = join(temporaryFolder('fixes'), 'ran')
    const fixes = [`printf one > '${file}'`, 'exit 7', `rm '${file}'`].map((command) => ({ command, tiers: [] }))
    const begun: string[] = []
    expect(await runFixes(fixes, ({ command }) => begun.push(command))).toEqual([0, 7])
    expect(begun).toHaveLength(2)
    expect(readFileSync(file, 'utf8')).toBe('one')
    expect(existsSync(file)).toBe(true)
  },
)
