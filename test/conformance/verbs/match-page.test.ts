import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  RECORDED_MATCH,
  REPLAY_BYTES_MAX,
  type RecordedMatch,
} from '../../../main/contract/histories/recorded-match.ts'
import { matchPage } from '../../../main/services/matches/match-page.ts'
import { openStage } from './stage.ts'

const stage = openStage('match-page')
const data = join(stage.folder, 'data')
const exported = join(stage.folder, 'exported')
const html = join(stage.folder, 'match.html')
afterAll(() => stage.remove())

beforeAll(async () => {
  const entrants = ['tartaglia', 'herder'].map((name) => ({
    name,
    agent: join(stage.folder, 'dist', 'agents', 'cows', `${name}.js`),
  }))
  const contest = stage.contest('contest.json', {
    title: '</script><b>Cattle</b>',
    ...{ game: 'cows', config: { map: 'small', steps: 600 }, format: { type: 'single' }, entrants },
  })
  expect(await stage.run('contest', 'run', contest, '--data', data, '--export', exported)).toMatchObject({ code: 0 })
})

const contest = 'script-b-cattle-b-1'
const file = join(exported, 'match-0000.jsonl')

function recordedIn(page: string): RecordedMatch {
  const [, text = ''] = new RegExp(`id="${RECORDED_MATCH}">([A-Za-z0-9+/=]+)</script>`).exec(page) ?? []
  return JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString()) as RecordedMatch
}

test('a page has the exported history, byte for byte, and its verdict', async () => {
  const ended = await stage.run('history', 'export', contest, '0', '--html', html, '--data', data, '--json')
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  const page = readFileSync(html, 'utf8')
  expect(JSON.parse(ended.stdout)).toMatchObject({ html, match: 0, bytes: statSync(html).size, verdict: { ok: true } })
  expect(statSync(html).size).toBeLessThan(REPLAY_BYTES_MAX)
  const recorded = recordedIn(page)
  expect(recorded.history).toBe(readFileSync(file, 'utf8'))
  expect(recorded.verdict).toMatchObject({ ok: true, contest, signer: { name: null } })
  expect(JSON.stringify(recorded.verdict)).not.toContain('this class')
  expect(recorded.outline).toMatchObject({ from: 0, last: true, broken: null })
  expect(recorded.states.map(({ position }) => position)).toEqual(recorded.outline.states)
  expect(recorded.states.length).toBeGreaterThan(0)
  // The title of the contest is in the history, and nothing of it in the text of the page.
  expect(recorded.history).toContain('<b>Cattle</b>')
  expect(page).not.toContain('<b>Cattle</b>')
})

test('a page that would be too large has fewer saved states, and is refused without any', async () => {
  const { verdict } = recordedIn(readFileSync(html, 'utf8'))
  let scratches = 0
  const scratch = async (): Promise<string> => join(stage.folder, `states-${++scratches}`)
  const whole = await matchPage({ file, verdict, scratch })
  const smaller = await matchPage({ file, verdict, scratch }, Buffer.byteLength(whole) - 1)
  const { states, outline, history } = recordedIn(smaller)
  expect(states.length).toBeLessThan(recordedIn(whole).states.length)
  expect(states.map(({ position }) => position)).toEqual(outline.states)
  expect(history).toBe(readFileSync(file, 'utf8'))
  await expect(matchPage({ file, verdict, scratch }, 1_000_000)).rejects.toMatchObject({ code: 'too-large' })
  expect([1, 2, 3].map((n) => existsSync(join(stage.folder, `states-${n}`)))).toEqual([false, false, false])
})

test('a page takes one finished match and replaces no file', async () => {
  const refusal = async (...args: readonly string[]): Promise<unknown> => {
    const { code, stdout } = await stage.run('history', 'export', ...args, '--data', data, '--json')
    return [code, (JSON.parse(stdout) as { code: string }).code]
  }
  expect(await refusal(contest, '0', '--html', html)).toEqual([2, 'file-exists'])
  const other = join(stage.folder, 'other.html')
  expect(await refusal(contest, '7', '--html', other)).toEqual([2, 'match-unknown'])
  expect(await refusal(contest, '--html', other)).toEqual([2, 'argument-missing'])
  expect(existsSync(other)).toBe(false)
})
