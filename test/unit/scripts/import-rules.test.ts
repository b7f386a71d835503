import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')

/** An import that breaks a rule, and the rule. Every file imports exactly one thing. */
const violations: readonly (readonly [file: string, imports: string, rule: string])[] = [
  ['main/contract/a.ts', '../histories/target.ts', 'contract-imports-nothing-of-ours'],
  ['grammars/a.ts', '../main/contract/target.ts', 'grammars-import-nothing-of-ours'],
  ['main/referees/x/a.ts', '../../players/target.ts', 'referees-import-contract-and-grammars'],
  ['main/players/a.ts', '../../grammars/target.ts', 'players-import-contract'],
  ['main/histories/a.ts', '../referees/target.ts', 'histories-import-contract'],
  ['main/worker/a.ts', '../administrator/target.ts', 'worker-imports-what-a-match-needs'],
  ['main/administrator/a.ts', '../worker/target.ts', 'administrator-imports-contract-and-histories'],
  ['main/services/x/a.ts', '../../app/target.ts', 'services-import-what-they-combine'],
  ['main/services/agents/a.ts', '../contests/target.ts', 'services-agents-imports-lower-floors'],
  ['main/services/histories/a.ts', '../matches/target.ts', 'services-histories-imports-lower-floors'],
  ['main/services/novelty/a.ts', '../agents/target.ts', 'services-has-a-floor-for-every-room'],
  ['main/services/a.ts', './agents/target.ts', 'services-common-files-import-no-room'],
  ['main/services/contests/kept/a.ts', '../running/target.ts', 'services-contests-kept-imports-lower-floors'],
  ['main/services/contests/novelty/a.ts', '../kept/target.ts', 'services-contests-has-a-floor-for-every-room'],
  ['main/services/contests/formats/a.ts', '../../agents/target.ts', 'pure-rooms-of-contests-import-no-service'],
  ['main/services/grades/schemes/a.ts', '../../agents/target.ts', 'rules-of-grades-are-pure'],
  ['main/app/a.ts', '../cli/target.ts', 'app-imports-what-it-wires'],
  ['main/cli/a.ts', '../histories/target.ts', 'cli-imports-app-services-and-contract'],
  ['renderer/games/x/a.ts', '../../screens/match/target.ts', 'games-of-the-window-import-no-screens'],
  ['agents/x/a.ts', '../../main/players/target.ts', 'agents-import-grammars-and-types-of-messages'],
  ['agents/x/b.ts', '../../main/referees/x/messages.ts', 'agents-take-no-code-from-main'],
  ['main/app/f.ts', '../histories/verify.ts', 'texts-of-strangers-are-read-in-another-process'],
  ['main/services/agents/b.ts', '../packages/zip.ts', 'texts-of-strangers-are-read-in-another-process'],
  [
    'main/services/contests/kept/b.ts',
    '../../entries/entries-file.ts',
    'texts-of-strangers-are-read-in-another-process',
  ],
  ['main/services/x/d.ts', '../../../grammars/challenges/index.ts', 'texts-of-strangers-are-read-in-another-process'],
  ['main/desktop/a.ts', '../services/packages/prepare.ts', 'texts-of-strangers-are-read-in-another-process'],
  ['main/novelty/a.ts', '../contract/target.ts', 'every-room-has-a-rule'],
  ['main/players/inside/host.ts', '../target.ts', 'the-agent-host-is-alone'],
  ['main/referees/x/rules.ts', 'node:fs', 'pure-rooms-use-no-node'],
  ['main/app/b.ts', '../../test/target.ts', 'nobody-imports-tests-or-scripts'],
  ['main/app/c.ts', './d.ts', 'no-circle'],
  ['main/app/e.ts', './nowhere.ts', 'resolvable'],
  ['main/worker/b.ts', '../referees/x/messages.ts', 'a-game-is-imported-by-its-registries-alone'],
  ['renderer/a.ts', './games/x/target.ts', 'a-game-is-imported-by-its-registries-alone'],
  ['main/referees/y/a.ts', '../x/messages.ts', 'no-game-imports-another-game'],
  ['agents/y/a.ts', '../x/knowledge/target.ts', 'no-game-imports-another-game'],
  ['main/services/x/c.ts', '../../../agents/x/knowledge/target.ts', 'services-take-of-agents-what-their-game-knows'],
]

/** Imports that the rules allow. */
const allowed: readonly (readonly [file: string, statement: string])[] = [
  ['main/administrator/fine.ts', "import '../histories/target.ts'"],
  ['main/cli/fine.ts', "import '../app/target.ts'"],
  ['agents/x/fine.ts', "import type { T } from '../../main/referees/x/messages.ts'\nexport type U = T"],
  ['agents/x/fine-too.ts', "import '../../grammars/target.ts'"],
  ['renderer/screens/match/fine.ts', "import '../../games/target.ts'"],
  ['main/players/fine.ts', "import 'node:fs'"],
  ['test/fine.ts', "import '../main/histories/target.ts'"],
  ['main/referees/games.ts', "import './x/messages.ts'"],
  ['main/services/contests/fine.ts', "import '../agents/target.ts'"],
  ['main/services/contests/running/fine.ts', "import '../kept/target.ts'\nimport '../../matches/target.ts'"],
  ['main/services/agents/handed-in-files.ts', "import '../packages/prepare.ts'"],
  ['main/app/fine.ts', "import type { T } from '../histories/verify.ts'\nexport type U = T"],
  ['main/worker/fine.ts', "import '../histories/verify.ts'"],
  ['renderer/games.ts', "import './games/x/target.ts'"],
  ['main/cli/games.ts', "import './verbs/x/target.ts'"],
  ['main/services/games/x/fine.ts', "import '../../../../agents/x/knowledge/target.ts'"],
  ['main/services/games/x/fine-too.ts', "import '../../../referees/x/messages.ts'"],
  ['main/cli/verbs/x/fine.ts', "import '../../../services/games/x/fine.ts'"],
  ['renderer/games/x/fine.ts', "import '../../../main/referees/x/messages.ts'"],
]

let folder = ''
let found = new Set<string>()

beforeAll(() => {
  folder = temporaryFolder('rules')
  for (const config of ['.dependency-cruiser.cjs', 'tsconfig.json', 'tsconfig.base.json', 'package.json']) {
    cpSync(join(root, config), join(folder, config))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const rooms = ['contract', 'histories', 'players', 'referees', 'administrator', 'worker', 'cli', 'app', 'services']
  const ofGame = ['main/referees/y', 'main/cli/verbs/x', 'renderer/games/x', 'agents/x/knowledge']
  const ofServices = ['agents', 'contests', 'contests/kept', 'contests/running', 'matches'].map(
    (room) => `main/services/${room}`,
  )
  const ofWindow = ['renderer/games', 'renderer/screens/match']
  for (const path of [
    ...rooms.map((room) => `main/${room}`),
    'grammars',
    'test',
    ...ofGame,
    ...ofServices,
    ...ofWindow,
  ]) {
    write(`${path}/target.ts`, 'export type T = 1\nexport const value = 1')
  }
  for (const parser of [
    'main/histories/verify',
    'main/services/packages/zip',
    'main/services/packages/prepare',
    'main/services/entries/entries-file',
    'grammars/challenges/index',
  ])
    write(`${parser}.ts`, 'export type T = 1\nexport const value = 1')
  write('main/app/d.ts', "import './c.ts'")
  write('main/referees/x/messages.ts', 'export type T = 1\nexport const value = 1')
  for (const [file, imports] of violations) write(file, `import ${JSON.stringify(imports)}\nexport const here = 1`)
  for (const [file, statement] of allowed) write(file, statement)
  found = violationsIn(folder)
})

test.each(violations)('%s may not import %s', (file, _imports, rule) => {
  expect(found).toContain(`${rule}: ${file}`)
})

test.each(allowed)('%s is fine', (file) => {
  expect([...found].filter((one) => one.endsWith(`: ${file}`))).toEqual([])
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), `${text}\n`)
}

/** `rule: file` for every violation. */
function violationsIn(cwd: string): Set<string> {
  const tool = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  const args = [
    tool,
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'json',
    'main',
    'grammars',
    'agents',
    'renderer',
    'test',
  ]
  const { stdout } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 })
  const { summary } = JSON.parse(stdout) as {
    summary: { violations: { from: string; rule: { name: string } }[] }
  }
  return new Set(summary.violations.map(({ from, rule }) => `${rule.name}: ${from}`))
}
