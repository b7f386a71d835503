// Selects the tests that `npm test -- --changed` runs. Vitest follows imports, so it knows the tests of a changed source file; tests that
// see the program only as a process, a whole classroom or a page are chosen by the table below.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Plain, root } from './setup.mjs'

const service = ['main/app/classroom-service.ts', 'main/app/rooms.ts', 'main/app/handlers/']
const procedures = [
  'main/administrator/procedures/',
  'main/contract/procedures/procedure',
  'main/contract/contests/contest-procedures.ts',
  'main/contract/contests/recurring-procedures.ts',
  'main/contract/contests/entry-procedures.ts',
]
const packages = ['main/services/packages/', 'main/services/agents/named-agents.ts']
const agents = ['main/services/agents/', ...packages]
const isolation = ['main/players/', 'main/services/machine/isolation', ...packages]
const histories = [
  'main/histories/',
  'main/services/histories/',
  'main/services/files/export-folder.ts',
  'main/services/files/output-file.ts',
]
const contests = [
  'main/services/contests/',
  'main/services/matches/',
  'main/services/machine/data-folder.ts',
  ...histories,
]
const words = ['main/contract/complaints.ts', 'main/contract/near-miss.ts', 'main/contract/names.ts']
const screens = (...names) => names.map((name) => `renderer/screens/${name}/`)
const frame = ['renderer/app.svelte', 'renderer/frame/', 'renderer/navigation/', 'renderer/theme.css']
const page = ['renderer/parts/', 'renderer/connection/']

/** Folders are named after games everywhere, and so are their tests. */
const referees = join(root, 'main', 'referees')
const games = existsSync(referees)
  ? readdirSync(referees, { withFileTypes: true }).filter((item) => item.isDirectory())
  : []
const chosenByGame = games.flatMap(({ name }) => [
  {
    tests: [`test/conformance/${name}/`, `test/conformance/agents-${name}/`],
    rooms: [`main/referees/${name}/`, `main/services/games/${name}/`, `agents/${name}/`],
  },
  { tests: [`test/e2e/${name}`], rooms: [`renderer/games/${name}/`, 'renderer/games/game.ts'] },
  {
    tests: [`test/e2e/play-${name}`],
    rooms: [...screens('play'), `renderer/games/${name}/`, 'main/services/contests/human/'],
  },
])

/**
 * The beginnings of test files' paths, and of the source files that they are about. A test file that is here is chosen when one of
 * those has changed, however much else it reaches.
 */
const chosenByRoom = [
  {
    tests: ['test/conformance/cli/', 'test/conformance/verbs/', 'test/hostile/adversary/verbs'],
    rooms: ['main/cli/', 'main/app/', 'main/services/', ...words, 'scripts/launch.mjs', 'scripts/tartaglia.mjs'],
  },
  {
    tests: ['test/conformance/kits/'],
    rooms: [
      'agents/kits/',
      'docs/agents.md',
      'docs/games/',
      'main/services/remote-class/',
      'main/services/matches/replay/',
      'main/cli/verbs/',
      // The types in the kits are made from the messages of the games.
      'main/contract/game/',
      'main/referees/',
      ...agents,
    ],
  },
  { tests: ['test/unit/kits/strength'], rooms: ['agents/', 'grammars/', 'main/referees/', 'test/bench/opponents'] },
  { tests: ['test/unit/renderer/help'], rooms: ['docs/', 'renderer/help/', 'scripts/manual.ts'] },
  {
    tests: ['test/e2e/docs-site', 'test/unit/docs/site'],
    rooms: [
      'docs/',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'scripts/docs-site/',
      'renderer/site/',
      'renderer/help/',
      'main/services/machine/docs-pages.ts',
      'main/portal/window-files.ts',
    ],
  },
  {
    tests: ['test/conformance/cli/single-file'],
    rooms: ['scripts/single-file', 'scripts/npm-package.mjs'],
  },
  { tests: ['test/unit/docs/'], rooms: ['docs/', 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'agents/'] },
  { tests: ['test/conformance/service/agents'], rooms: agents },
  {
    tests: ['contests', 'arena', 'phases', 'class-phrase', 'recurring'].map(
      (name) => `test/conformance/service/${name}`,
    ),
    rooms: ['main/services/contests/'],
  },
  {
    tests: ['test/conformance/service/matches', 'test/conformance/service/coming', 'test/conformance/service/lying'],
    rooms: ['main/services/matches/', 'main/services/files/in-place-file.ts', ...histories],
  },
  { tests: ['test/conformance/service/challenges'], rooms: ['main/services/challenges/'] },
  { tests: ['test/conformance/service/human-matches'], rooms: ['main/services/contests/human/'] },
  {
    tests: ['test/conformance/service/live-matches'],
    rooms: ['main/services/matches/live-', 'main/worker/spectators.ts', 'main/contract/game/live-match.ts'],
  },
  { tests: ['test/conformance/service/'], rooms: [...service, ...procedures] },
  {
    tests: ['test/conformance/network/', 'test/conformance/arenas/'],
    rooms: ['main/arenas/', 'main/services/contests/arena/'],
  },
  { tests: ['test/conformance/cluster/'], rooms: ['main/services/cluster/', 'main/cli/verbs/worker.ts'] },
  { tests: ['test/hostile/arenas/'], rooms: ['main/arenas/', 'main/http/'] },
  { tests: ['test/hostile/packages/'], rooms: packages },
  { tests: ['test/hostile/record/'], rooms: ['main/services/record/', 'main/services/machine/reading.ts'] },
  {
    tests: ['test/hostile/portal/'],
    rooms: ['main/portal/', 'main/http/', 'main/administrator/people/', 'main/services/people/', ...procedures],
  },
  {
    tests: ['test/hostile/sign-up/', 'test/hostile/hand-in/'],
    rooms: ['main/administrator/people/', 'main/services/people/', 'main/services/hand-in/'],
  },
  {
    tests: ['test/hostile/players/', 'test/hostile/contests/shared', 'test/hostile/contests/sample'],
    rooms: isolation,
  },
  { tests: ['test/hostile/adversary/'], rooms: isolation },
  {
    tests: ['test/hostile/contests/data-folder', 'test/hostile/contests/troubles'],
    rooms: ['main/administrator/', ...contests],
  },
  {
    tests: ['test/hostile/contests/kills', 'test/hostile/contests/villains', 'test/hostile/contests/soak'],
    rooms: ['main/services/contests/engine/', 'main/worker/'],
  },
  ...chosenByGame,
  {
    tests: ['test/e2e/agents'],
    rooms: [...screens('agent', 'agents'), 'renderer/parts/files/drop-zone.svelte', ...agents],
  },
  {
    tests: ['test/e2e/arena'],
    rooms: ['renderer/screens/contests/arena/', 'main/arenas/', 'main/services/contests/arena/'],
  },
  { tests: ['test/e2e/analysis'], rooms: [...screens('analysis'), 'main/services/record/'] },
  {
    tests: ['test/e2e/challenges', 'test/e2e/challenge-tutorial'],
    rooms: [...screens('challenge', 'challenges'), 'renderer/challenge-worker/'],
  },
  { tests: ['test/e2e/class.spec'], rooms: [...screens('class'), ...frame, ...page] },
  {
    tests: ['test/e2e/classes'],
    rooms: [...screens('classes'), 'main/app/sample-term/', 'main/app/class-shelf.ts', 'main/app/served-classes.ts'],
  },
  {
    tests: ['test/e2e/first-hour', 'test/e2e/class-term'],
    rooms: [
      ...screens('hand-in', 'me', 'people', 'sign-in', 'team'),
      'main/services/people/',
      'main/services/hand-in/',
      'main/services/homes/',
    ],
  },
  {
    tests: ['test/e2e/contest', 'test/e2e/recurring', 'test/e2e/targeting'],
    rooms: [...screens('contests'), 'renderer/charts/'],
  },
  {
    tests: ['test/e2e/gradebook'],
    rooms: [...screens('grades'), 'main/services/grades/', 'main/contract/grades/'],
  },
  {
    tests: ['test/e2e/hearings'],
    rooms: [...screens('hearings'), 'main/services/cases/', 'main/contract/cases/'],
  },
  {
    tests: ['test/e2e/histories'],
    rooms: [...screens('histories'), 'main/services/matches/opened-files.ts', 'main/services/histories/'],
  },
  {
    tests: ['test/e2e/joint-contest'],
    rooms: [
      ...screens('agents', 'contests', 'histories'),
      'main/services/entries/',
      'main/app/handlers/agent-handlers.ts',
    ],
  },
  { tests: ['test/e2e/match'], rooms: [...screens('match'), 'renderer/charts/', 'renderer/games/'] },
  {
    tests: ['test/e2e/play.spec'],
    rooms: [...screens('play'), 'renderer/games/', 'main/services/contests/human/'],
  },
  {
    tests: ['test/e2e/evidence'],
    rooms: [...screens('evidence'), 'main/services/evidence/', 'main/contract/evidence/'],
  },
  {
    tests: ['test/e2e/replay-page'],
    rooms: ['renderer/replay/', ...screens('match'), 'main/services/matches/match-page.ts', 'vite.replay.config.ts'],
  },
  { tests: ['test/e2e/rules'], rooms: ['renderer/rules/', 'scripts/rulebooks.ts'] },
  { tests: ['test/e2e/settings'], rooms: [...screens('settings'), 'main/services/machine/doctor.ts'] },
  {
    tests: ['test/e2e/narrow'],
    rooms: [...frame, ...page, ...screens('hand-in', 'hearings', 'me', 'people', 'sign-in', 'team')],
  },
  { tests: ['test/e2e/sources'], rooms: [...screens('sources'), 'main/services/agents/public-sources.ts'] },
  { tests: ['test/e2e/components'], rooms: [...screens('components'), 'main/services/components/'] },
  { tests: ['test/e2e/start-portal'], rooms: ['main/portal/', 'main/cli/verbs/serve.ts'] },
  {
    tests: ['test/e2e/start.spec'],
    rooms: ['scripts/open-classroom.mjs', 'scripts/start.mjs', 'scripts/app-window.mjs', 'scripts/choose-window.mjs'],
  },
  {
    tests: ['test/e2e/installed'],
    rooms: ['scripts/npm-package.mjs', 'scripts/prepare.mjs', 'scripts/tartaglia.mjs', 'scripts/open-classroom.mjs'],
  },
  { tests: ['test/e2e/desktop'], rooms: ['main/desktop/', 'electron-builder.yml', 'scripts/package.mjs'] },
]

/** Files that decide how all tests run; a change of theirs is tested by a whole `npm test`. */
const ofEverything = /^(package(-lock)?\.json|vitest\.config\.ts|vite\.config\.ts|playwright\.config\.ts|tsconfig.*)$/

/**
 * commit: what is compared with the working tree; files that git does not know count as changed. all: every test file. Gives the
 * `changed` files; those `sources` of them whose tests Vitest finds by imports; the test files that are `chosen` without it; those
 * that only the table chooses, whatever they import (`chosenByTable`); and a changed file that all tests depend on, if there is one
 * (`testsAll`). Throws Plain.
 */
export function changedTests(commit, all) {
  const changed = changedSince(commit)
  const about = (test) => chosenByRoom.filter(({ tests }) => startsWithOne(test, tests)).flatMap(({ rooms }) => rooms)
  return {
    changed,
    sources: changed.filter((file) => /\.(ts|mjs|svelte|json)$/.test(file) && existsSync(join(root, file))),
    chosen: all.filter((test) => changed.includes(test) || changed.some((file) => startsWithOne(file, about(test)))),
    chosenByTable: all.filter((test) => about(test).length > 0),
    testsAll: changed.find((file) => ofEverything.test(file)),
  }
}

function changedSince(commit) {
  const git = (...args) => {
    try {
      return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    } catch (error) {
      throw new Plain(`git cannot tell what has changed: ${(error.stderr || error.message).trim().split('\n', 1)[0]}`)
    }
  }
  const lines = (text) => text.split('\n').filter((line) => line !== '')
  return [
    ...lines(git('diff', '--name-only', '--no-renames', '--relative', commit, '--')),
    ...lines(git('ls-files', '--others', '--exclude-standard')),
  ]
}

function startsWithOne(path, beginnings) {
  return beginnings.some((start) => path.startsWith(start))
}
