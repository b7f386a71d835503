import { chmodSync } from 'node:fs'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { has, hasPython } from '../players/programs.ts'
import { soak } from './soak.ts'

const folder = temporaryFolder('soak')
chmodSync(folder, 0o755)

test.skipIf(!has('bubblewrap') || !hasPython)(
  'scripts and programs, one in three of them hostile: nobody is left behind, no honest result is another one (needs bubblewrap, python3)',
  { timeout: 240_000 },
  async () => {
    const soaked = await soak({
      folder,
      honestScripts: 4,
      honestPrograms: 2,
      villainScripts: 0,
      villainPrograms: 4,
      repeats: 1,
    })
    expect(soaked).toMatchObject({ matches: 45, voided: 0, orphans: [], notices: [], wrong: [] })
    expect(soaked.compared).toBe(15)
    expect(soaked.held.some(({ workerBytes, workerDescriptors }) => workerBytes > 2e7 && workerDescriptors > 10)).toBe(
      true,
    )
    expect(soaked.held.at(-1)!.hostDescriptors).toBeLessThanOrEqual(soaked.held[0]!.hostDescriptors + 8)
  },
)
