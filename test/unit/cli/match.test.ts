import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { resources } from '../../../main/services/machine/resources.ts'
import { zip } from '../../conformance/service/zip.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from './environment.ts'

interface Report {
  readonly seats: readonly { readonly agent: string; readonly score: number }[]
}

/** A match as JSON and as a terminal has it: equal seeds give equal matches. */
async function played(...words: readonly string[]): Promise<{ report: Report; text: string }> {
  const args = ['match', 'play', ...words, '--isolation', 'permission']
  const [asJson, asText] = [await run(...args, '--json'), await run(...args)]
  expect([asJson.code, asText.code]).toEqual([0, 0])
  return { report: JSON.parse(asJson.stdout) as Report, text: asText.stdout }
}

/** The score in an agent's line of the table. */
const scoreIn = (text: string, agent: string): string | undefined =>
  new RegExp(String.raw`^ *\d+  ${agent} +\d+ +(\S+) +\d+$`, 'm').exec(text)?.[1]

describe('agents of one team, meant for other policies than a match has,', () => {
  const folder = temporaryFolder('match-test')
  const baby = readFileSync(join(resources.agents, 'haggle', 'baby.js'), 'utf8')
  const packed = (name: string): string => {
    const manifest = { name, game: 'haggle', kind: 'script', team: 'Scuderia', policies: ['1**'] }
    const file = join(folder, `${name}.zip`)
    writeFileSync(file, zip({ 'agent.json': JSON.stringify(manifest), 'agent.js': `// ${name}\n${baby}` }))
    return file
  }

  test('play it all the same: it is in no class', async () => {
    const { report } = await played(packed('one'), packed('two'), '--game', 'haggle')
    expect(report.seats.map(({ agent }) => agent)).toEqual(['one', 'two'])
  })

  test('and each gets the verdict that it gets when it is handed in', async () => {
    const args = ['agent', 'check', packed('one'), '--game', 'haggle', '--isolation', 'permission', '--json']
    const { code, stdout } = await run(...args)
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ ok: true })])
  })
})

describe('the scores of a match in a terminal', () => {
  test('are energy in the Specker Challenge Game, for people and for programs', async () => {
    const { report, text } = await played('baby', 'greedy', '--game', 'specker')
    for (const { agent, score } of report.seats) expect(scoreIn(text, agent)).toBe(String(score))
    // Energy is counted in 10^-9: a score in another unit is a whole number, and a score of nothing shows no unit.
    expect(report.seats.some(({ score }) => score > 0 && score < 1_000 && !Number.isInteger(score))).toBe(true)
  })

  test('are the points of Haggling as they are', async () => {
    const { report, text } = await played('conceder', 'baby', '--game', 'haggle')
    for (const { agent, score } of report.seats) expect(scoreIn(text, agent)).toBe(String(score))
    expect(report.seats.some(({ score }) => score > 0)).toBe(true)
  })
})
