import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const folder = temporaryFolder('readme')

describe('the contest of the README', () => {
  const [, json] = /^## Your first contest\n+.*?```json\n(.*?)^```$/ms.exec(readme)!
  const file = join(folder, 'week-1.json')
  const held = ['--data', join(folder, 'data'), '--isolation', 'permission', '--json']

  test('is played as it stands, and what it exports is verified', async () => {
    writeFileSync(file, json!)
    const histories = join(folder, 'histories')
    const ran = await run('contest', 'run', file, '--export', histories, ...held)
    expect(ran).toMatchObject({ code: 0 })
    const matches = readdirSync(histories).filter((name) => name.endsWith('.jsonl'))
    expect(matches).toHaveLength(2)
    const verified = await run(
      'history',
      'verify',
      ...matches.map((name) => join(histories, name)),
      '--key',
      join(histories, 'class.pub'),
    )
    expect(verified).toMatchObject({ code: 0 })
  })

  test("and the agent of a kit stays in it to the end, as 'anna'", async () => {
    const contest = JSON.parse(json!) as { title: string; entrants: object[] }
    const anna = { name: 'anna', agent: join(root, 'dist/kits/agents/kits/specker/javascript/agent.cjs') }
    writeFileSync(file, JSON.stringify({ ...contest, title: 'With anna', entrants: [...contest.entrants, anna] }))
    const ran = await run('contest', 'run', file, ...held)
    expect(ran).toMatchObject({ code: 0 })
    const { standings } = JSON.parse(ran.stdout) as { standings: { agent: string }[] }
    expect(standings.find(({ agent }) => agent === 'anna')).toMatchObject({ removals: 0, faults: 0 })
  })
})
