import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import { errorOutput } from '../../../main/contract/outputs/error-output.ts'
import { verbOutputs, type VerbWithOutput } from '../../../main/contract/outputs/verb-outputs.ts'
import { openContests } from '../../../main/services/contests/kept/class-contests.ts'
import { checkPublished } from '../../published-output.ts'
import { run } from '../../unit/cli/environment.ts'
import { sampleFiles } from '../../unit/evidence/sample-dossier.ts'
import { openStage } from './stage.ts'

// The output of each verb with --json, as the command line prints it, has the form that `tartaglia schema` publishes.

const stage = openStage('outputs')
afterAll(() => stage.remove())
const data = join(stage.folder, 'data')
const at = (name: string): string => join(stage.folder, name)
const contest = 'hostile-contest-1'
const baby = join(stage.folder, 'dist', 'agents', 'haggle', 'baby.js')
const ada = 'Ada Lovelace'
const dictionary = at('pair.cd')
const texts = {
  'roster.csv': `name,email\nAda Lovelace,ada@example.org\n`,
  'part.js': 'exports.add = (a, b) => a + b\n',
  'pair.cd': 'Pair = <first> int "," <second> int.\n',
  'wrong.cd': 'Pair = <first> nonesuch.\n',
  'pair.txt': '1, 2\n',
  'pair.json': '{"first": 1, "second": 2}\n',
  'wrong.challenge': 'nonesuch\n',
  'small.cnf': 'p cnf 2 2\n1 -2 0\n2 0\n',
}
const held = ['--isolation', 'permission']

/** Verbs whose output another file shows: every command that a test runs with --json is held against its schema. */
const shownElsewhere: Readonly<Partial<Record<VerbWithOutput, string>>> = {
  'contest resume': 'verbs/kept-contests.test.ts',
  'punter serve': 'punter/serve.test.ts',
  'punter play': 'punter/verbs.test.ts',
  'punter rescore': 'punter/verbs.test.ts',
  'cops play': 'cops/verbs.test.ts',
  'cows serve': 'cows/clients.test.ts',
  'haggle arena': 'arenas/verb.test.ts',
  'class gradebook show': 'service/sample-term.test.ts',
}

/** Verbs whose output no test shows, and why: their schema is held against the types of the verb alone. */
const notShown: Readonly<Partial<Record<VerbWithOutput, string>>> = {
  ...{ submit: 'needs a class on the network', 'agent connect': 'needs an arena', worker: 'needs a Redis' },
  ...{ run: 'needs the folder of a kit', test: 'needs the folder of a kit', debug: 'waits for a debugger' },
  'contest accept': 'needs a repeated contest that went differently',
  ...{ 'entries import': 'needs another class', 'receipt verify': 'needs a receipt of a class' },
  ...{ 'contest bounty': 'needs a contest of practice', 'agent source': 'needs an agent whose source is public' },
  ...{ 'class gradebook keep': 'needs a scheme', 'class gradebook by-hand': 'needs a scheme' },
  'class gradebook release': 'needs a scheme',
  ...{ 'class grades': 'needs a scheme', 'class sample-term': 'plays a whole term' },
  ...{ 'case show': 'needs a case', 'case verify': 'needs a case', 'case export': 'needs a case' },
}

type Command = readonly [VerbWithOutput, ...(readonly string[])]

/** Decisions about a contest that has not been played; the last one ends it. */
const ofOpen = (id: string): readonly Command[] => [
  ['contest pair', id],
  ['contest enter', id, 'baby'],
  ['contest withdraw', id, 'bea'],
  ['contest cancel', id],
]

/** In this order: later commands need what earlier ones have made. */
const commands: readonly Command[] = [
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
  ['contest rerun', contest],
  ['mine', contest, '--question', 'faults'],
  ['mine', contest, '--query', 'SELECT 1 AS one'],
  ['mine', contest, '--rebuild'],
  ['mine', contest, '--verify'],
  ['class passphrase'],
  ['contest archive', contest],
  ['contest delete', 'hostile-contest-2', '--yes'],
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
const withoutClass: readonly Command[] = [
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
  ['specker predicates', at('exported/match-0000.jsonl')],
  ['specker targeting', at('exported/match-0000.jsonl')],
  ['toolchains'],
  ['schema'],
  ['schema', 'error'],
  ['mine', '--schema'],
  ['mine', '--questions'],
  ['dossier verify', at('dossier')],
  ['dossier show', at('dossier')],
  ['dictionary check', dictionary],
  ['dictionary check', at('wrong.cd')],
  ['dictionary check', at('none.cd')],
  ['dictionary print', dictionary],
  ['dictionary print', dictionary, at('pair.json'), '--class', 'Pair'],
  ['dictionary parse', dictionary, at('pair.txt'), '--class', 'Pair'],
  ['dictionary parse', dictionary, at('part.js'), '--class', 'Pair'],
  ['dictionary sample', dictionary, '--class', 'Pair', '--count', '2'],
  ['dictionary types', dictionary, '--class', 'Pair'],
  ['dictionary types', dictionary, '--class', 'Pair', '--schema'],
  ['challenge check', 'knapsack'],
  ['challenge check', at('wrong.challenge'), at('none.challenge')],
  ['challenge check', 'knapsack', '--no-play'],
  ['challenge print', 'knapsack'],
  ['challenge sample', 'knapsack', '--count', '2'],
  ['challenge sample', 'max-sat', '--from', 'generate', '--with-planted'],
  ['challenge import', at('small.cnf'), '--challenge', 'max-sat'],
  ['challenge export', 'knapsack', '--to', 'minizinc'],
  ['challenge evaluate', 'max-csp', at('instance.json'), at('solution.json')],
  ['specker solve', at('instance.json'), '--challenge', 'max-csp', '--seconds', '0.1'],
  ['specker price', '--relations', '2,6,22'],
  ['specker price', '--clauses', '1,1;2,0', '--vars', '6'],
  ['haggle', baby, baby, '--seed', '1'],
  ['haggle', baby, baby, '--seed', '1', '--log', at('session.log')],
  ['haggle', '--replay', at('session.log')],
  ['haggle scenario', '--seeds', '1..3'],
  ['punter map', 'gabriel', '--sites', '8'],
  ['punter map', 'gabriel', '--sites', '8', '--out', at('punter.json')],
  ['cops map'],
  ['cows map', 'maze'],
]

test('every published output is shown by a command, or is said not to be', () => {
  const shown = [...commands, ...ofOpen(''), ...withoutClass].map(([verb]) => verb)
  const others = Object.keys({ ...shownElsewhere, ...notShown })
  const alone: readonly VerbWithOutput[] = ['contest run', 'serve', 'address']
  expect(new Set([...shown, ...alone, ...others])).toEqual(new Set(Object.keys(verbOutputs)))
  expect(shown.filter((verb) => others.includes(verb))).toEqual([])
})

describe('the outputs of verbs fit their schemas', () => {
  // Classes that the command makes.
  const made: Readonly<Partial<Record<VerbWithOutput, string>>> = {
    'class new-term': at('next'),
    'class import': at('imported'),
  }
  beforeAll(async () => {
    for (const [name, text] of Object.entries(texts)) writeFileSync(at(name), text)
    for (const [path, bytes] of await sampleFiles()) {
      mkdirSync(dirname(at(join('dossier', path))), { recursive: true })
      writeFileSync(at(join('dossier', path)), bytes)
    }
    const [sample = ''] = (await run('challenge', 'sample', 'max-csp', '--json')).stdout.split('\n')
    for (const part of ['instance', 'solution'] as const)
      writeFileSync(at(`${part}.json`), JSON.stringify((JSON.parse(sample) as Record<typeof part, unknown>)[part]))
    const played = ['contest', 'run', stage.contest('contest.json'), '--data', data, '--json']
    expect(await stage.run(...played)).toMatchObject({ code: 0 })
  })

  const all = [
    ...commands.map((each) => [each, ['--data', made[each[0]] ?? data]] as const),
    ...withoutClass.map((each) => [each, []] as const),
  ]
  // In this order: some show what others have made.
  test.each(all.map(([[verb, ...args], more]) => ({ verb, args: [...args, ...more] })))(
    '$verb',
    async ({ verb, args }) => {
      const { stdout } = await run(...verb.split(' '), ...args, '--json')
      const lines = stdout.split('\n').filter((line) => line !== '')
      expect(lines).not.toEqual([])
      // A refusal, which has a schema too, shows nothing of the verb's.
      expect(errorOutput.safeParse(JSON.parse(lines[0]!)).success, stdout).toBe(false)
    },
  )

  test('a match is exported as a page', () => {
    expect(existsSync(at('match.html'))).toBe(true)
  })
})

test('the outputs of decisions about a contest fit their schemas', async () => {
  const open = at('open')
  const home = await openClassFolder(open)
  const entrants = ['anna', 'bea', 'carl', 'dora'].map((name) => ({ name, agent: 'a'.repeat(64) }))
  const facts = { title: 'Open', game: 'haggle', format: { type: 'swiss', rounds: 3 }, seed: 'x', entrants }
  const { id } = await openContests(home).add(contestDescription.parse(facts))
  await home.close()
  for (const [verb, ...args] of ofOpen(id)) {
    const ran = await run(...verb.split(' '), ...args, '--data', open, '--json')
    expect([verb, ran.code, ran.stderr]).toEqual([verb, 0, ''])
  }
})

test('the outputs of a classroom that is being served fit their schemas', async () => {
  const served = stage.begin('serve', '--data', at('served'), '--port', '0', '--json')
  let stdout = ''
  await new Promise<void>((resolve, reject) => {
    served.child.stdout?.on('data', (text: string) => {
      stdout += text
      if (stdout.endsWith('\n')) resolve()
    })
    served.ended.then(({ stderr }) => reject(new Error(stderr)), reject)
  })
  checkPublished(['serve', '--json'], stdout)
  expect((await stage.run('address', '--data', at('served'), '--json')).code).toBe(0)
  served.child.kill('SIGTERM')
  await served.ended
})

test.each([
  [['contest', 'list', '--json'], '{"data":"x"}'],
  [['contest', 'list', '--json'], '{"error":"No.","code":"no-such-code"}'],
  [['nonesuch', '--json'], '{"data":"x","contests":[]}'],
])('an output that fits neither schema is found: %j', (args, stdout) => {
  expect(() => checkPublished(args, stdout)).toThrow('refuses')
})
