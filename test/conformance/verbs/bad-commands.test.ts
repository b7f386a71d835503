import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { resources } from '../../../main/services/machine/resources.ts'
import { run } from '../../unit/cli/environment.ts'
import { expectRefusal, openStage } from './stage.ts'

const stage = openStage('commands')
const data = join(stage.folder, 'data')
afterAll(() => stage.remove())

const at = (name: string): string => join(stage.folder, name)
/** Useless to every verb. */
const rubbish = {
  none: at('none'),
  folder: stage.folder,
  empty: stage.write('empty', ''),
  binary: stage.write('binary', Buffer.from([0x7f, 0x45, 0, 1, 0xff, 0xfe])),
  text: stage.write('text', 'hello world\nand so on'),
  object: stage.write('object.json', '{"a":1}'),
  list: stage.write('list.json', '[1]'),
} as const
const haggler = join(resources.agents, 'haggle', 'baby.js')
const openClass = at('class')
mkdirSync(openClass)

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
  [['contest', 'cancel', 'sample-contest-1', '--data', openClass], 'sample-contest-1'],
  [['contest', 'cancel', '--data', data], "'id'"],
  [['contest', 'resume', '--data', data], "'id'"],
  [['contest', 'rerun', 'x', '--cores', '0', '--data', data], "'0'"],
  [['match', 'play'], "'agents'"],
  [['match', 'play', 'baby', join(stage.folder, 'none.js')], join(stage.folder, 'none.js')],
  [['match', 'play', 'baby', 'greedy', '--clock', 'sand'], "'sand'"],
  [['match', 'play', 'baby'], /[Tt]he match/],
  [['match', 'play', 'baby', 'greedy', '--seed', ''], 'seed'],
  [['match', 'play', 'baby', 'greedy', '--config', join(stage.folder, 'none.json')], join(stage.folder, 'none.json')],
  [['entries', 'export', at('x.entries')], "'agents'"],
  [['entries', 'export', at('x.entries'), 'anna', '--data', data], `There is no data folder ${data}`],
  [['entries', 'export', at('x.entries'), 'anna', '--data', openClass], '--school NAME'],
  [
    ['entries', 'export', at('x.entries'), 'anna', '--data', openClass, '--school', 'x'],
    'There is no agent "anna" in the class.',
  ],
  [['entries', 'export', at('x.entries'), 'anna', '--data', openClass, '--school', '../x'], 'The name of the school: '],
  [['entries', 'import', at('none.entries')], at('none.entries')],
  [['history', 'verify', 'x', '--key', rubbish.text, '--key', '-x'], '--key needs a value'],
  [['history', 'verify'], "'files'"],
  [['history', 'show', join(stage.folder, 'none.jsonl')], join(stage.folder, 'none.jsonl')],
  [['history', 'show', stage.folder], stage.folder],
  [['history', 'verify', 'x', '--key'], '--key'],
  [['agent', 'check'], "'file'"],
  [['agent', 'check', join(stage.folder, 'none.js')], join(stage.folder, 'none.js')],
  [['agent', 'check', stage.folder], stage.folder],
  [['--jsno'], '--jsno'],
  [['help', 'contst'], 'Did you mean "contest"?'],
  [['help', 'contest', 'rum'], 'Did you mean "run"?'],
  [['contest', 'help', 'nothing'], '"nothing"'],
  [['contest', 'run', 'sampel', '--data', data], 'Did you mean "sample"?'],
  // A data folder that is only read is not made.
  [['contest', 'list', '--data', data], `There is no data folder ${data}`],
  [['contest', 'cancel', 'x', '--data', data], `There is no data folder ${data}`],
  [['contest', 'recurring', '--data', data], `There is no data folder ${data}`],
  [['contest', 'resume', 'x', '--data', data], `There is no data folder ${data}`],
  [['contest', 'rerun', 'x', '--data', data], `There is no data folder ${data}`],
  [['contest', 'bounty', 'x', 'y', '--why', 'z', '--data', data], `There is no data folder ${data}`],
  [['history', 'export', 'x', '--to', at('to'), '--data', data], `There is no data folder ${data}`],
  [['agent', 'addresses', '--data', data], `There is no data folder ${data}`],
  [['agent', 'reveal', '--data', data], `There is no data folder ${data}`],
  [['agent', 'reveal', '--after', '-1', '--data', openClass], '-1'],
  [['agent', 'reveal', '--after', '1001', '--data', openClass], '0 to 1000'],
  [['agent', 'source'], "'name'"],
  [['component', 'publish'], '--author'],
  [['component', 'publish', rubbish.text, '--data', openClass], '--author'],
  [['component', 'publish', rubbish.text, '--author', 'a', '--data', openClass], 'text cannot be accepted'],
  [['component', 'publish', rubbish.none, '--author', 'a', '--data', openClass], rubbish.none],
  [['component', 'publish', haggler, '--author', 'a', '--name', '__proto__', '--data', openClass], '--name'],
  [['component', 'publish', haggler, '--author', 'a', '--data', data], `There is no data folder ${data}`],
  [['component', 'list', '--data', data], `There is no data folder ${data}`],
  [['component', 'show', '\u001b[2J', '--data', openClass], 'There is no component "\\x1b[2J"'],
  [['agent', 'source', 'fior', '--data', data], `There is no data folder ${data}`],
  [['agent', 'source', '\u001b[2J', '--data', openClass], 'There is no agent "\\x1b[2J"'],
  [['agent', 'source', 'fior', '--file', 'a', '--out', at('a.zip'), '--data', openClass], '--out'],
  [['agent', 'addresses', '--forbid', 'http://x', '--data', data], `There is no data folder ${data}`],
  [['match', 'play', 'baby', 'baby', '--data', data], `There is no data folder ${data}`],
  [['challenge', 'sample', 'max-csp', '--data', data], `There is no data folder ${data}`],
  [['contest', 'list', '--data', rubbish.empty], `The data folder ${rubbish.empty} is not a folder`],
  [['contest', 'bounty', 'x', 'y', '--why', 'z', '--energy', 'NaN'], "'NaN'"],
  [['history', 'export', 'x', '-1', '--to', at('to')], "'-1'"],
  // Names that nobody knows.
  [['match', 'play', 'babby', 'baby'], /"babby".*agents that come with specker: baby, .*Did you mean "baby"\?$/],
  [['match', 'play', 'babby.js', 'baby'], 'Did you mean "baby"?'],
  [
    ['match', 'play', 'baby', 'baby', '--game', 'speker'],
    /specker, haggle, punter, cops, cows\. Did you mean "specker"\?$/,
  ],
  [['match', 'play', 'baby', 'baby', '--challenge', 'max-cps'], /knapsack.*Did you mean "max-csp"\?$/],
  [['challenge', 'print', 'max-cps'], 'Did you mean "max-csp"?'],
  [['agent', 'check', 'babby'], 'Did you mean "baby"?'],
  [
    ['match', 'play', 'baby', 'baby', '--config', rubbish.object],
    /config: there is no field "a"; the only fields are challenge, /,
  ],
  // Files that are not what they should be.
  ...Object.values(rubbish).flatMap((file) =>
    [
      ['history', 'show', file],
      ['entries', 'show', file],
      ['entries', 'import', file],
      ['specker', 'targeting', file],
      ['specker', 'predicates', file],
      ['match', 'replay', file, '--seat', '0', '--until', '1', '--agent', 'baby'],
      ['haggle', '--replay', file],
      ['challenge', 'evaluate', 'max-csp', file, file],
      ['challenge', 'print', 'max-csp', file, '--class', 'Instance'],
      ['challenge', 'import', file, '--challenge', 'max-csp'],
      ['challenge', 'export', file, '--challenge', 'max-sat'],
      ['specker', 'solve', file, '--challenge', 'max-csp'],
    ].map((command) => [command, file] as const),
  ),
  [
    ['haggle', '--replay', stage.write('log.json', '[["offr", 1]]')],
    /Entry 1 .*found "offr"\. Did you mean "offer"\?$/,
  ],
  [['challenge', 'print', rubbish.empty], rubbish.empty],
  [['dictionary', 'parse', rubbish.text, rubbish.text, '--class', 'A'], rubbish.text],
  [['challenge', 'sample', 'max-csp', '--config', rubbish.object], 'There is no setting "a"; the settings are maxVars'],
  [['challenge', 'sample', 'max-csp', '--count', '0'], "'0'"],
  [['specker', 'solve', 'x', '--challenge', 'max-csp', '--seconds', 'NaN'], "'NaN'"],
  [
    ['agent', 'connect', 'ws://127.0.0.1:1', '--credential', rubbish.text, '--', 'x'],
    `${rubbish.text} contains no credential`,
  ],
  // Existing files are not replaced.
  [['kit', 'javascript', '--out', stage.write('kit.zip', '')], 'already exists'],
  [['match', 'play', 'baby', 'baby', '--export', rubbish.object], `${rubbish.object} already exists; use --overwrite`],
  [['match', 'play', 'baby', 'baby', '--export', stage.folder], `${stage.folder} is a folder`],
  [['haggle', haggler, haggler, '--seeds', '1', '--log', rubbish.object], 'already exists; use --overwrite'],
]

/** Places that cannot be written: exit code 3, before any work is done. */
const unwritable: readonly (readonly [readonly string[], string])[] = [
  [
    ['match', 'play', 'baby', 'baby', '--export', at('none/x')],
    `Cannot write ${at('none/x')}: there is no folder ${at('none')}.`,
  ],
  [['match', 'play', 'baby', 'baby', '--export', join(rubbish.empty, 'x')], 'a part of the path is not a folder'],
  [['haggle', haggler, haggler, '--seeds', '1', '--log', at('none/x')], `there is no folder ${at('none')}`],
  [['kit', 'javascript', '--out', join(rubbish.empty, 'x.zip')], 'a part of the path is not a folder'],
  [['kit', 'javascript', '--out', at(`${'x'.repeat(300)}.zip`)], 'the name is too long'],
  [['contest', 'run', 'sample', '--data', rubbish.empty], rubbish.empty],
]
const inProc: readonly (readonly [readonly string[], string])[] = [
  [['kit', 'javascript', '--out', '/proc/x.zip'], 'Cannot write /proc/x.zip: nothing can be created in /proc.'],
  [['kit', 'javascript', '--out', '/proc/x'], 'there is no folder /proc/x'],
  [['match', 'play', 'baby', 'baby', '--export', '/proc/x'], 'nothing can be created in /proc'],
  [['contest', 'run', 'sample', '--data', '/proc/x'], 'nothing can be created in /proc'],
  [['serve', '--data', '/proc/x'], 'nothing can be created in /proc'],
]

test.each(commands)('%j', async (args, says) => {
  const before = readdirSync(stage.folder)
  const plain = await run(...args)
  expectRefusal(plain, 2, says)
  expect(plain.stdout).toBe('')
  const json = await run(...args.slice(0, 2), '--json', ...args.slice(2))
  expect(json.code).toBe(2)
  if (json.stdout !== '') expect(JSON.parse(json.stdout)).toMatchObject({ error: expect.any(String) as string })
  expect(readdirSync(stage.folder)).toEqual(before)
  expect(readFileSync(rubbish.object, 'utf8')).toBe('{"a":1}')
})

test.each(unwritable)('%j cannot be written', async (args, says) => {
  expectRefusal(await run(...args), 3, says)
})

test.skipIf(process.platform !== 'linux').each(inProc)('%j cannot be written (needs /proc)', async (args, says) => {
  expectRefusal(await run(...args), 3, says)
})

test('a process says it with the same exit code', async () => {
  expectRefusal(await stage.run('contest', 'list', '--data', data), 2, `There is no data folder ${data}`)
})

test('a verb that is missing shows the help', async () => {
  for (const args of [[], ['contest'], ['history']]) {
    const ended = await run(...args)
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toMatch(/^Usage: tartaglia/)
  }
})

test.each([
  [['help'], 'Usage: tartaglia [options]'],
  [['help', 'contest'], 'Usage: tartaglia contest'],
  [['help', 'contest', 'run'], 'Usage: tartaglia contest run'],
  [['contest', 'help', 'run'], 'Usage: tartaglia contest run'],
  [['help', 'haggle', 'arena'], 'Usage: tartaglia haggle arena'],
  [['-h'], 'Usage: tartaglia [options]'],
  [['contest', '--help'], 'Usage: tartaglia contest'],
])('%j shows help, exit code 0', async (args, begins) => {
  const { code, stdout, stderr } = await run(...args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.startsWith(begins)).toBe(true)
})

test.each(['-v', '-V', '--version'])('%s shows the version, exit code 0', async (option) => {
  expect(await run(option)).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' })
})

test('-V means what a verb says that it means', async () => {
  const { code, stdout } = await run('haggle', 'scenario', '--seeds', '1', '-V', '20', '--json')
  expect([code, stdout]).toEqual([0, expect.stringContaining('"seed":1')])
})
