import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { keyText } from '../../../main/histories/keys.ts'
import { verifyMatch } from '../../../main/histories/verify.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from './environment.ts'

const golden = fileURLToPath(new URL('../../conformance/specker/golden/history-1.jsonl', import.meta.url))
let folder = ''
beforeAll(() => {
  folder = temporaryFolder('targeting')
})

const json = async (...files: string[]): Promise<object> => {
  const { stdout } = await run('specker', 'targeting', ...files, '--json')
  return JSON.parse(stdout) as object
}

describe('tartaglia specker targeting', () => {
  test('tells of every agent of the histories, and of one match that nothing can be compared', async () => {
    const { code, stdout } = await run('specker', 'targeting', golden, '--json')
    expect(code).toBe(0)
    const report = JSON.parse(stdout) as { matches: number; agents: { agent: string; flagged: boolean; p: number }[] }
    expect(report.matches).toBe(1)
    expect(report.agents.length).toBeGreaterThan(1)
    for (const { flagged, p } of report.agents) expect([flagged, p]).toEqual([false, 1])
    const { stdout: words } = await run('specker', 'targeting', golden)
    for (const { agent } of report.agents) expect(words).toContain(`${agent}: `)
  })

  test('a match counts once, however many files hold it', async () => {
    const copy = join(folder, 'copy.jsonl')
    writeFileSync(copy, readFileSync(golden))
    const [once, thrice] = [await json(golden), await json(golden, copy, golden)]
    expect(thrice).toEqual({ ...once, duplicates: [copy, golden] })
    const { stdout } = await run('specker', 'targeting', golden, copy)
    expect(stdout).toContain('1 match (1 file with a match of another file left out)')
  })

  test('a key decides whose histories count', async () => {
    const { stderr } = await run('specker', 'targeting', golden)
    expect(stderr).toContain('Pass --key')
    const verdict = verifyMatch(readFileSync(golden))
    const key = verdict.ok ? keyText(verdict.match.key) : ''
    expect(await run('specker', 'targeting', golden, '--key', key)).toMatchObject({ code: 0, stderr: '' })
    const other = `tartaglia-ed25519:${Buffer.alloc(32, 1).toString('base64url')}`
    expect((await run('specker', 'targeting', golden, '--key', other)).code).not.toBe(0)
    expect((await run('specker', 'targeting', golden, '--key', 'nonsense')).stderr).toContain('--key: ')
  })

  test('a history that was tampered with proves nothing', async () => {
    const file = join(folder, 'changed.jsonl')
    writeFileSync(file, readFileSync(golden, 'utf8').replace('"type":"accept"', '"type":"refuse"'))
    const { code, stderr } = await run('specker', 'targeting', file)
    expect(code).not.toBe(0)
    expect(stderr).toContain('changed.jsonl')
  })
})
