import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resources } from '../../../main/services/machine/resources.ts'
import { refusedCommand } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'

const home = temporaryFolder('own-agent')
const held = ['--isolation', 'permission', '--json']

test('an agent is tried against others in swapped seats, and the same seed gives the same result', async () => {
  const file = join(resources.agents, 'haggle', 'learner.js')
  const trial = ['try', file, '--game', 'haggle', '--matches', '8', '--against', 'baby', '--seed', 'one', ...held]
  const { code, stdout } = await run(...trial)
  expect(code).toBe(0)
  const tried = JSON.parse(stdout) as { opponents: { matches: number; share: number; interval: [number, number] }[] }
  expect(tried).toMatchObject({ game: 'haggle', seed: 'one', opponents: [{ opponent: 'baby', matches: 8 }] })
  const { share, interval } = tried.opponents[0]!
  expect(interval[0]).toBeLessThanOrEqual(share)
  expect(interval[1]).toBeGreaterThanOrEqual(share)
  expect(JSON.parse((await run(...trial)).stdout)).toEqual(tried)
  const none = await run('try', file, '--matches', '0')
  expect(none.code).toBe(2)
})

test('a packed agent is written with its size and hash, and checked', async () => {
  writeFileSync(join(home, 'agent.cjs'), 'module.exports = class { offer() { return undefined } }')
  const { code, stdout } = await run('pack', home, '--game', 'haggle', '--name', 'anna', ...held)
  const { file, sha256, bytes, verdict } = JSON.parse(stdout) as Record<string, unknown>
  expect([code, verdict]).toMatchObject([1, { ok: false }])
  expect(file).toBe(join(home, 'packed', 'anna.cjs'))
  expect(readFileSync(String(file))).toHaveLength(Number(bytes))
  expect(sha256).toMatch(/^[0-9a-f]{64}$/)
  writeFileSync(join(home, 'agent.cjs'), readFileSync(join(resources.agents, 'haggle', 'baby.js')))
  expect(await run('pack', home, '--game', 'haggle', '--name', 'anna', ...held)).toMatchObject({ code: 0 })
  // A class would take neither for what its name says.
  const misnamed = await run('pack', home, '--game', 'haggle', '--out', join(home, 'anna.zip'), ...held)
  expect(misnamed.code).toBe(2)
  expect(JSON.parse(misnamed.stdout)).toMatchObject(refusedCommand('input-invalid', '.cjs', '--out'))
  expect(existsSync(join(home, 'anna.zip'))).toBe(false)
  // On disks that know no difference of upper and lower case, such a name is the same.
  const shouted = join(home, 'ANNA.CJS')
  const upper = await run('pack', home, '--game', 'haggle', '--name', 'anna', '--out', shouted, ...held)
  expect([upper.code, JSON.parse(upper.stdout)]).toMatchObject([0, { file: shouted, sha256: expect.any(String) }])
})

test.skipIf(!existsSync('/dev/null'))('an agent is packed into nothing to be checked alone', async () => {
  for (const [agent, code] of [
    ['baby', 0],
    ['broken', 1],
  ] as const) {
    const own = join(home, agent)
    mkdirSync(own)
    const text = agent === 'baby' ? readFileSync(join(resources.agents, 'haggle', 'baby.js')) : 'module.exports = 1'
    writeFileSync(join(own, 'agent.cjs'), text)
    const packed = await run('pack', own, '--game', 'haggle', '--name', 'anna', '--out', '/dev/null', ...held)
    expect([packed.code, JSON.parse(packed.stdout)]).toMatchObject([
      code,
      { file: '/dev/null', name: 'anna', verdict: { file: '/dev/null', ok: code === 0 } },
    ])
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
  }
})
