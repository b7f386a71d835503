import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { afterAll, expect, test } from 'vitest'
import { verbOutputs, type VerbWithOutput } from '../../../main/contract/outputs/verb-outputs.ts'
import { publishedSchemas, schemaDocument } from '../../../main/services/schemas/json-schemas.ts'
import { run } from '../../unit/cli/environment.ts'
import { openStage } from './stage.ts'

// The output of each verb with --json, as the command line prints it, has the form that `tartaglia schema` publishes.

const stage = openStage('outputs')
afterAll(() => stage.remove())
const data = join(stage.folder, 'data')
const at = (name: string): string => join(stage.folder, name)
const contest = 'hostile-contest-1'
const baby = join(stage.folder, 'dist', 'agents', 'haggle', 'baby.js')
const ada = 'Ada Lovelace'
const held = ['--isolation', 'permission']

/** Verbs whose output is not shown here, and why: their schema is held against the types of the verb alone. */
const notShown: Readonly<Partial<Record<VerbWithOutput, string>>> = {
  ...{ address: 'needs a classroom that is being served', submit: 'needs a class on the network' },
  ...{ run: 'needs the folder of a kit', test: 'needs the folder of a kit', debug: 'waits for a debugger' },
  'agent connect': 'needs an arena',
  'entries import': 'needs another class',
  ...{
    worker: 'needs a Redis',
    'receipt verify': 'needs a receipt of a class',
    'contest cancel': 'needs a stopped contest',
  },
  ...{ 'contest bounty': 'needs a contest of practice', 'agent source': 'needs an agent whose source is public' },
  ...{ 'class gradebook keep': 'needs a scheme', 'class gradebook show': 'needs a scheme' },
  ...{
    'class gradebook by-hand': 'needs a scheme',
    'class gradebook release': 'needs a scheme',
    'class grades': 'needs a scheme',
  },
  ...{ 'class sample-term': 'plays a whole term', 'case show': 'needs a case', 'case verify': 'needs a case' },
  ...{
    'case export': 'needs a case',
    'challenge export': 'needs an instance',
    'challenge import': 'needs a foreign file',
  },
  ...{
    'challenge evaluate': 'needs an instance',
  },
}

/** In this order: later commands need what earlier ones have made. */
const commands: readonly (readonly [VerbWithOutput, ...(readonly string[])])[] = [
  ['history list'],
  ['history list', contest],
  ['history export', contest, '--to', at('exported')],
  ['history export', contest, '--archive', at('all.tar')],
  ['history export', contest, '0', '--html', at('match.html')],
  ['history show', at('exported/match-0000.jsonl')],
  ['history verify', at('exported/match-0000.jsonl')],
  ['contest list'],
  ['contest standings', contest],
  ['contest recurring'],
  ['contest archive', contest],
  ['contest delete', contest],
  ['class people import', at('roster.csv')],
  ['class people list'],
  ['class people pseudonym', ada],
  ['class people data', ada, at('ada.zip')],
  ['class people code', ada],
  ['class people remove', ada],
  ['class people erase', ada],
  ['class pseudonyms'],
  ['class kept'],
  ['class table'],
  ['agent addresses'],
  ['agent similar'],
  ['agent reveal'],
  ['component publish', at('part.js'), '--author', 'Red'],
  ['component list'],
  ['component show', 'part'],
  ['component withdraw', 'part'],
  ['entries export', at('all.entries'), 'baby', '--school', 'A school'],
  ['entries show', at('all.entries')],
  ['case list'],
  ['class export', at('class.tar.gz')],
  ['class import', at('class.tar.gz')],
  ['class new-term', '--from', data],
]
/** Verbs that read no class. */
const withoutClass: readonly (readonly [VerbWithOutput, ...(readonly string[])])[] = [
  ['match play', 'baby', 'baby', '--game', 'haggle', '--export', at('own.history'), ...held],
  ['match replay', at('own.history'), '--seat', '0', '--until', '1', '--agent', baby, ...held],
  ['replay', at('own.history')],
  ['replay', at('own.history'), '--html', at('own.html')],
  ['agent check', baby, '--game', 'haggle', ...held],
  ['try', baby, '--game', 'haggle', '--matches', '1', '--against', 'baby', ...held],
  ['pack', baby, '--game', 'haggle', '--out', at('packed.js'), ...held],
  ['kit', 'javascript', '--game', 'haggle', '--out', at('kit.zip')],
  ['kit', 'javascript', '--game', 'haggle', '--out', at('kit')],
  ['update', at('kit.zip'), '--folder', at('kit')],
  ['completion', 'bash'],
  ['docs', '--export', at('docs')],
  ['doctor'],
]

test('every published output is shown by a command, or is said not to be', () => {
  const shown = [...commands, ...withoutClass].map(([verb]) => verb)
  expect(new Set([...shown, ...Object.keys(notShown)])).toEqual(new Set(Object.keys(verbOutputs)))
  expect(shown.filter((verb) => verb in notShown)).toEqual([])
})

test('the outputs of verbs fit their schemas', async () => {
  writeFileSync(at('roster.csv'), `name,email\n${ada},ada@example.org\n`)
  writeFileSync(at('part.js'), 'exports.add = (a, b) => a + b\n')
  // Classes that the command makes.
  const made: Readonly<Partial<Record<VerbWithOutput, string>>> = {
    'class new-term': at('next'),
    'class import': at('imported'),
  }
  expect(await stage.run('contest', 'run', stage.contest('contest.json'), '--data', data)).toMatchObject({ code: 0 })
  const wrong: string[] = []
  const show = async ([verb, ...args]: (typeof commands)[number], more: readonly string[]): Promise<void> => {
    const { code, stdout, stderr } = await run(...verb.split(' '), ...args, ...more, '--json')
    const published = publishedSchemas.find(({ name }) => name === `${verb.replaceAll(' ', '-')}-output`)!
    const schema = z.fromJSONSchema(schemaDocument(published) as Parameters<typeof z.fromJSONSchema>[0])
    const read = stdout === '' ? null : schema.safeParse(JSON.parse(stdout))
    if (read?.success !== true)
      wrong.push(
        `${verb} (${code}): ${JSON.stringify(read?.error?.issues).slice(0, 300)} ${stdout.slice(0, 200)}${stderr}`,
      )
  }
  for (const each of commands) await show(each, ['--data', made[each[0]] ?? data])
  for (const each of withoutClass) await show(each, [])
  expect(wrong).toEqual([])
  expect(existsSync(at('match.html'))).toBe(true)
})
