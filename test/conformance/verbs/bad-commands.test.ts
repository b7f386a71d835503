import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { expectRefusal, openStage } from './stage.ts'

const stage = openStage('commands')
const data = join(stage.folder, 'data')
afterAll(() => stage.remove())

const commands: readonly (readonly [readonly string[], string | RegExp])[] = [
  [['contests'], "'contests'"],
  [['contest', 'start'], "'start'"],
  [['contest', 'run'], "'file'"],
  [['contest', 'run', 'sample', 'again'], 'argument'],
  [['contest', 'run', 'sample', '--dat', data], '--dat'],
  [['contest', 'run', 'sample', '--data'], '--data'],
  [['contest', 'run', 'sample', '--data', '--again'], '--again'],
  [['contest', 'list', '--data', ''], '--data'],
  [['contest', 'run', 'sample', '--cores', '0', '--data', data], "'0'"],
  [['contest', 'run', 'sample', '--cores', '-1', '--data', data], '-1'],
  [['contest', 'run', 'sample', '--cores', '1e3', '--data', data], "'1e3'"],
  [['contest', 'run', 'sample', '--cores', 'all', '--data', data], "'all'"],
  [['contest', 'run', 'sample', '--cores', '99999999999999999999', '--data', data], '9999'],
  [['contest', 'run', 'sample', '--isolation', 'hope', '--data', data], "'hope'"],
  [['contest', 'run', 'sample', '--seed', '1', '--data', data], '--seed'],
  [['contest', 'run', 'simple', '--data', data], 'simple'],
  [['contest', 'run', '\u001b[2J\u202e', '--data', data], '\\x1b[2J\\u202e'],
  [['contest', 'cancel', 'sample-contest-1', '--data', data], 'sample-contest-1'],
  [['contest', 'cancel', '--data', data], "'id'"],
  [['match', 'play'], "'agents'"],
  [['match', 'play', 'baby', join(stage.folder, 'none.js')], join(stage.folder, 'none.js')],
  [['match', 'play', 'baby', 'greedy', '--clock', 'sand'], "'sand'"],
  [['match', 'play', 'baby'], /[Tt]he match/],
  [['match', 'play', 'baby', 'greedy', '--seed', ''], 'seed'],
  [['match', 'play', 'baby', 'greedy', '--config', join(stage.folder, 'none.json')], join(stage.folder, 'none.json')],
  [['history', 'verify'], "'files'"],
  [['history', 'show', join(stage.folder, 'none.jsonl')], join(stage.folder, 'none.jsonl')],
  [['history', 'show', stage.folder], stage.folder],
  [['history', 'verify', 'x', '--key'], '--key'],
  [['agent', 'check'], "'file'"],
  [['agent', 'check', join(stage.folder, 'none.js')], join(stage.folder, 'none.js')],
  [['agent', 'check', stage.folder], stage.folder],
  [['--jsno'], '--jsno'],
]

test.each(commands)('%j', async (args, says) => {
  const plain = await stage.run(...args)
  expectRefusal(plain, 2, says)
  expect(plain.stdout).toBe('')
  const json = await stage.run(...args.slice(0, 2), '--json', ...args.slice(2))
  expect(json.code).toBe(2)
  if (json.stdout !== '') expect(JSON.parse(json.stdout)).toMatchObject({ error: expect.any(String) as string })
  expect(existsSync(data)).toBe(false)
})

test('a verb that is missing shows the help', async () => {
  for (const args of [[], ['contest'], ['history']]) {
    const ended = await stage.run(...args)
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toMatch(/^Usage: tartaglia/)
  }
})
