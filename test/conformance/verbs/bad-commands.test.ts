import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { resources } from '../../../main/services/machine/resources.ts'
import { errorCodes, type ErrorCode } from '../../../main/contract/error-codes.ts'
import { refusedCommand, type Fact } from '../../refusal.ts'
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

/** Command lines, a fact of the sentence, and where it matters which refusal it is its code and another fact. */
const commands: [readonly string[], string | RegExp, ErrorCode?, string?][] = [
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
  [['entries', 'export', at('x.entries'), 'anna', '--data', data], data, 'data-folder-unknown'],
  [['entries', 'export', at('x.entries'), 'anna', '--data', openClass], '--school', 'option-missing'],
  [['entries', 'export', at('x.entries'), 'anna', '--data', openClass, '--school', 'x'], '"anna"', 'agent-unknown'],
  [['entries', 'export', at('x.entries'), 'anna', '--data', openClass, '--school', '../x'], '', 'input-invalid'],
  [['entries', 'import', at('none.entries')], at('none.entries')],
  [['history', 'verify', 'x', '--key', rubbish.text, '--key', '-x'], '--key', 'option-missing', '"-x"'],
  [['history', 'verify'], "'files'"],
  [['history', 'show', join(stage.folder, 'none.jsonl')], join(stage.folder, 'none.jsonl')],
  [['history', 'show', stage.folder], stage.folder],
  [['history', 'verify', 'x', '--key'], '--key'],
  [['agent', 'check'], "'file'"],
  [['agent', 'check', join(stage.folder, 'none.js')], join(stage.folder, 'none.js')],
  [['agent', 'check', stage.folder], stage.folder],
  [['--jsno'], '--jsno'],
  // Help has no --json, which is what it says there.
  [['help', 'contst'], '"contest"', 'option-unknown', '"contst"'],
  [['help', 'contest', 'rum'], '"run"', 'option-unknown', '"rum"'],
  [['contest', 'help', 'nothing'], '"nothing"'],
  [['contest', 'run', 'sampel', '--data', data], '"sample"', 'file-unreadable', 'sampel'],
  // A data folder that is only read is not made.
  [['contest', 'list', '--data', data], data, 'data-folder-unknown'],
  [['contest', 'cancel', 'x', '--data', data], data, 'data-folder-unknown'],
  [['contest', 'recurring', '--data', data], data, 'data-folder-unknown'],
  [['contest', 'resume', 'x', '--data', data], data, 'data-folder-unknown'],
  [['contest', 'rerun', 'x', '--data', data], data, 'data-folder-unknown'],
  [['contest', 'bounty', 'x', 'y', '--why', 'z', '--data', data], data, 'data-folder-unknown'],
  [['history', 'export', 'x', '--to', at('to'), '--data', data], data, 'data-folder-unknown'],
  [['agent', 'addresses', '--data', data], data, 'data-folder-unknown'],
  [['agent', 'reveal', '--data', data], data, 'data-folder-unknown'],
  [['agent', 'reveal', '--after', '-1', '--data', openClass], '-1'],
  [['agent', 'reveal', '--after', '1001', '--data', openClass], '1000', 'input-invalid', "'1001'"],
  [['agent', 'source'], "'name'"],
  [['component', 'publish'], '--author'],
  [['component', 'publish', rubbish.text, '--data', openClass], '--author'],
  [['component', 'publish', rubbish.text, '--author', 'a', '--data', openClass], 'text', 'package-form-unknown'],
  [['component', 'publish', rubbish.none, '--author', 'a', '--data', openClass], rubbish.none],
  [['component', 'publish', haggler, '--author', 'a', '--name', '__proto__', '--data', openClass], '--name'],
  [['component', 'publish', haggler, '--author', 'a', '--data', data], data, 'data-folder-unknown'],
  [['component', 'list', '--data', data], data, 'data-folder-unknown'],
  [['component', 'show', '\u001b[2J', '--data', openClass], '"\\x1b[2J"', 'component-unknown'],
  [['agent', 'source', 'fior', '--data', data], data, 'data-folder-unknown'],
  [['agent', 'source', '\u001b[2J', '--data', openClass], '"\\x1b[2J"', 'agent-unknown'],
  [['agent', 'source', 'fior', '--file', 'a', '--out', at('a.zip'), '--data', openClass], '--out'],
  [['agent', 'addresses', '--forbid', 'http://x', '--data', data], data, 'data-folder-unknown'],
  [['match', 'play', 'baby', 'baby', '--data', data], data, 'data-folder-unknown'],
  [['challenge', 'sample', 'max-csp', '--data', data], data, 'data-folder-unknown'],
  [['contest', 'list', '--data', rubbish.empty], rubbish.empty, 'data-folder-invalid'],
  [['contest', 'bounty', 'x', 'y', '--why', 'z', '--energy', 'NaN'], "'NaN'"],
  [['history', 'export', 'x', '-1', '--to', at('to')], "'-1'"],
  // Names that nobody knows.
  [['match', 'play', 'babby', 'baby'], /"babby".*\bspecker\b.*\bbaby, .*"baby"/, 'agent-unknown'],
  [['match', 'play', 'babby.js', 'baby'], '"baby"', 'agent-unknown', 'babby'],
  [['match', 'play', 'baby', 'baby', '--game', 'speker'], /specker, haggle, punter, cops, cows\b.*"specker"/],
  [
    ['match', 'play', 'baby', 'baby', '--challenge', 'max-cps'],
    /knapsack.*"max-csp"/,
    'challenge-unknown',
    '"max-cps"',
  ],
  [['challenge', 'print', 'max-cps'], '"max-csp"', 'challenge-unknown', '"max-cps"'],
  [['agent', 'check', 'babby'], '"baby"', 'agent-unknown', 'babby'],
  [['match', 'play', 'baby', 'baby', '--config', rubbish.object], /config: .*"a".* challenge, /],
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
    ].map((command): [string[], string] => [command, file]),
  ),
  [['haggle', '--replay', stage.write('log.json', '[["offr", 1]]')], /\b1\b.*"offr".*"offer"/, 'file-invalid'],
  [['challenge', 'print', rubbish.empty], rubbish.empty],
  [['dictionary', 'parse', rubbish.text, rubbish.text, '--class', 'A'], rubbish.text],
  [['challenge', 'sample', 'max-csp', '--config', rubbish.object], /"a".*\bmaxVars\b/, 'settings-invalid'],
  [['challenge', 'sample', 'max-csp', '--count', '0'], "'0'"],
  [['specker', 'solve', 'x', '--challenge', 'max-csp', '--seconds', 'NaN'], "'NaN'"],
  [['agent', 'connect', 'ws://127.0.0.1:1', '--credential', rubbish.text, '--', 'x'], rubbish.text, 'input-invalid'],
  // Existing files are not replaced.
  [['kit', 'javascript', '--out', stage.write('kit.zip', '')], at('kit.zip'), 'file-exists'],
  [['match', 'play', 'baby', 'baby', '--export', rubbish.object], rubbish.object, 'file-exists', '--overwrite'],
  [['match', 'play', 'baby', 'baby', '--export', stage.folder], stage.folder, 'file-unreadable'],
  [['haggle', haggler, haggler, '--seeds', '1', '--log', rubbish.object], rubbish.object, 'file-exists', '--overwrite'],
]

/** Places that cannot be written: exit code 3, before any work is done. */
const unwritable: [readonly string[], ErrorCode, ...Fact[]][] = [
  [['match', 'play', 'baby', 'baby', '--export', at('none/x')], 'path-unusable', at('none/x'), at('none')],
  [['match', 'play', 'baby', 'baby', '--export', join(rubbish.empty, 'x')], 'path-unusable', join(rubbish.empty, 'x')],
  [['haggle', haggler, haggler, '--seeds', '1', '--log', at('none/x')], 'path-unusable', at('none')],
  [['kit', 'javascript', '--out', join(rubbish.empty, 'x.zip')], 'path-unusable', join(rubbish.empty, 'x.zip')],
  [['kit', 'javascript', '--out', at(`${'x'.repeat(300)}.zip`)], 'path-unusable', 'x'.repeat(300)],
  [['contest', 'run', 'sample', '--data', rubbish.empty], 'path-unusable', rubbish.empty],
]
const inProc: [readonly string[], ErrorCode, ...Fact[]][] = [
  [['kit', 'javascript', '--out', '/proc/x.zip'], 'path-unusable', '/proc/x.zip', '/proc'],
  [['kit', 'javascript', '--out', '/proc/x'], 'path-unusable', '/proc/x'],
  [['match', 'play', 'baby', 'baby', '--export', '/proc/x'], 'path-unusable', '/proc/x'],
  [['contest', 'run', 'sample', '--data', '/proc/x'], 'path-unusable', '/proc/x'],
  [['serve', '--data', '/proc/x'], 'path-unusable', '/proc/x'],
]

test.each(commands)('%j', async (args, says, code, fact = '') => {
  const before = readdirSync(stage.folder)
  const plain = await run(...args)
  expectRefusal(plain, 2, says, fact)
  expect(plain.stdout).toBe('')
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const json = await run(...args.slice(0, end), '--json', ...args.slice(end))
  expect(json.code).toBe(2)
  const refused = JSON.parse(json.stdout) as { code: ErrorCode }
  expect(refused).toMatchObject({ error: expect.any(String) as string, code: code ?? expect.any(String) })
  expect(errorCodes).toContain(refused.code)
  expect(readdirSync(stage.folder)).toEqual(before)
  expect(readFileSync(rubbish.object, 'utf8')).toBe('{"a":1}')
})

test.each(unwritable)('%j cannot be written', async (args, code, ...facts) => {
  expectRefusal(await run(...args, '--json'), 3, refusedCommand(code, ...facts))
})

test.skipIf(process.platform !== 'linux').each(inProc)(
  '%j cannot be written (needs /proc)',
  async (args, code, ...facts) => {
    expectRefusal(await run(...args, '--json'), 3, refusedCommand(code, ...facts))
  },
)

test('a process says it with the same exit code', async () => {
  expectRefusal(await stage.run('contest', 'list', '--data', data), 2, data)
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
