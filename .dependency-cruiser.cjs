const { readdirSync } = require('node:fs')

// The import rules of docs/architecture.md. Each room lists what it may import of ours; packages are not restricted
// except where a room is pure.
const rooms = [
  'contract',
  'referees',
  'players',
  'histories',
  'worker',
  'administrator',
  'services',
  'app',
  'cli',
  'desktop',
  'operator',
  'portal',
  'arenas',
  'http',
]

/** A room may import itself and what `allowed` matches (paths from the root), and nothing else of ours. */
function room(name, path, allowed) {
  return {
    name,
    severity: 'error',
    from: { path },
    to: { path: '^(main|grammars|agents|test|scripts|renderer)/', pathNot: [path, ...allowed] },
  }
}

// The floors of the services, the lowest first: a room imports rooms that stand before it in this list. A new room is a
// line here.
const floorsOfServices = [
  'files',
  'machine',
  'schemas',
  'packages',
  'remote-class',
  'cluster',
  'texts',
  'challenges',
  'pseudonyms',
  'components',
  'agents',
  'entries',
  'histories',
  'matches',
  'contests',
  'games',
  'people',
  'hand-in',
  'record',
  'evidence',
  'cases',
  'grades',
  'homes',
  'archive',
]

/** The rooms within main/services/contests, the lowest first. The first four are pure. */
const floorsOfContests = [
  'statistics',
  'formats',
  'schedule',
  'standings',
  'engine',
  'arena',
  'descriptions',
  'results',
  'kept',
  'reports',
  'running',
  'recurring',
  'human',
  'command',
]

/** No room of `parent` imports a room above it, and every folder there has a place in the list. */
function floors(parent, names) {
  const folder = `^main/${parent}/`
  const name = parent.replaceAll('/', '-')
  return [
    ...names.map((room, at) => ({
      name: `${name}-${room}-imports-lower-floors`,
      severity: 'error',
      from: { path: `${folder}${room}/` },
      to: { path: `${folder}[^/]+/`, pathNot: names.slice(0, at + 1).map((lower) => `${folder}${lower}/`) },
    })),
    {
      name: `${name}-has-a-floor-for-every-room`,
      comment: 'A new folder needs a line in the list of floors.',
      severity: 'error',
      from: { path: `${folder}[^/]+/`, pathNot: names.map((room) => `${folder}${room}/`) },
      to: {},
    },
    {
      name: `${name}-common-files-import-no-room`,
      comment: 'Files beside the rooms are below all of them.',
      severity: 'error',
      from: { path: `${folder}[^/]+\\.ts$` },
      to: { path: `${folder}[^/]+/` },
    },
  ]
}

/** A game's folders: what lies in one of them is that game's. */
const gameFolders = 'main/referees|main/arenas|main/services/games|main/cli/verbs|renderer/games|agents/kits|agents'
const games = readdirSync('main/referees', { withFileTypes: true })
  .filter((item) => item.isDirectory())
  .map(({ name }) => name)
const aGame = `^(?:${gameFolders})/(${games.join('|')})/`
const registries = ['^main/referees/games\\.ts$', '^main/cli/games\\.ts$', '^renderer/games\\.ts$']

/** Code that reads texts, packages and whole histories, which strangers may have made so that it takes seconds. */
const parsers = [
  '^grammars/(class-dictionary|challenges|language-services)/',
  '^main/services/packages/(archives|prepare|tar|zip)\\.ts$',
  '^main/services/entries/entries-file\\.ts$',
  '^main/services/agents/similarity/code-tokens\\.ts$',
  '^main/histories/(history-source|verify)\\.ts$',
]

/** Everybody else asks the reading process or a worker (docs/architecture.md). */
const mayParse = [
  // The parsers themselves, and the jobs of the reading process.
  ...parsers,
  '^main/app/reading-jobs\\.ts$',
  '^main/services/packages/',
  '^main/services/agents/similarity/',
  '^main/services/agents/(foreign-scripts|handed-in-files|public-sources)\\.ts$',
  '^main/services/challenges/(challenge-files|challenge-play|class-challenges|dictionary-files|exchange|instance-files)\\.ts$',
  // The language server is a process of its own.
  '^main/services/challenges/language-server/',
  '^main/services/components/prepare-component\\.ts$',
  // The command line, which has nobody to hold up: files of contests, of games, and histories.
  '^main/services/contests/descriptions/contest-agents\\.ts$',
  '^main/services/texts/named-challenges\\.ts$',
  '^main/services/archive/member-reader\\.ts$',
  '^main/services/entries/(entered-agents|entries-command)\\.ts$',
  '^main/services/games/',
  '^main/services/histories/verify-histories\\.ts$',
  '^main/services/matches/replay/',
  // Downloaded dossiers: the command line, and a job of the reading process.
  '^main/services/evidence/(check-dossier|open-dossier|other-courses|told-lines|jobs)\\.ts$',
  // It writes a zip of somebody's own data.
  '^main/services/homes/own-data\\.ts$',
  // It writes the zip of a dossier.
  '^main/app/handlers/dossier-handlers\\.ts$',
  // They write archives, take the bytes of an upload, or have nothing to read.
  '^main/services/agents/kits\\.ts$',
  // The command line alone, which has nobody to hold up.
  '^main/services/agents/update-kit\\.ts$',
  '^main/services/archive/export-class\\.ts$',
  '^main/services/entries/export-entries\\.ts$',
  '^main/services/histories/history-archive\\.ts$',
  '^main/app/handlers/agent-handlers\\.ts$',
  '^main/services/matches/match-verification\\.ts$',
]

const contract = '^main/contract/'
const grammars = '^grammars/'
const referees = '^main/referees/'
const players = '^main/players/'
const histories = '^main/histories/'
const http = '^main/http/'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    room('contract-imports-nothing-of-ours', contract, []),
    room('grammars-import-nothing-of-ours', grammars, []),
    room('referees-import-contract-and-grammars', referees, [contract, grammars]),
    room('players-import-contract', players, [contract]),
    room('histories-import-contract', histories, [contract]),
    room('worker-imports-what-a-match-needs', '^main/worker/', [
      referees,
      players,
      histories,
      contract,
      '^grammars/formulas/index\\.ts$',
    ]),
    room('administrator-imports-contract-and-histories', '^main/administrator/', [contract, histories]),
    room('http-imports-nothing-of-ours', http, []),
    room('operator-imports-http-and-contract', '^main/operator/', [contract, http]),
    // The messages of a game's own clients are defined once, by the game.
    room('arenas-import-contract-players-and-frames', '^main/arenas/', [
      contract,
      players,
      http,
      '^main/referees/[^/]+/frames\\.ts$',
    ]),
    room('services-import-what-they-combine', '^main/services/', [
      ...rooms
        .filter((name) => !['app', 'cli', 'desktop', 'operator', 'portal'].includes(name))
        .map((name) => `^main/${name}/`),
      grammars,
      '^agents/[^/]+/(mathematics|solvers|knowledge)/',
    ]),
    ...floors('services', floorsOfServices),
    ...floors('services/contests', floorsOfContests),
    {
      name: 'pure-rooms-of-contests-import-no-service',
      comment: 'Pairing and counting follow from their arguments alone.',
      severity: 'error',
      from: { path: '^main/services/contests/(statistics|formats|schedule|standings)/' },
      to: {
        path: '^(main|agents|grammars)/',
        pathNot: ['^main/services/contests/(statistics|formats|schedule|standings)/', contract, histories],
      },
    },
    {
      name: 'rules-of-grades-are-pure',
      comment: 'A grade follows from recorded facts alone.',
      severity: 'error',
      from: { path: '^main/services/grades/(term|schemes)/' },
      to: {
        path: '^(main|agents|grammars)/',
        pathNot: [
          '^main/services/grades/(term|schemes)/',
          '^main/services/contests/statistics/',
          contract,
          '^grammars/(grades|formulas)/',
        ],
      },
    },
    {
      name: 'services-take-of-agents-what-their-game-knows',
      comment: 'Knowledge of the agents that ship, as verbs of their game: prices and solutions.',
      severity: 'error',
      from: { path: '^main/services/', pathNot: '^main/services/games/[^/]+/' },
      to: { path: '^agents/' },
    },
    {
      name: 'a-game-is-imported-by-its-registries-alone',
      comment: 'Shared code reaches a game through main/referees/games.ts, main/cli/games.ts and renderer/games.ts.',
      severity: 'error',
      from: { path: '^(main|renderer|agents|grammars)/', pathNot: [aGame, ...registries] },
      to: { path: aGame },
    },
    {
      name: 'no-game-imports-another-game',
      severity: 'error',
      from: { path: aGame },
      // $1: the game of the importing file.
      to: { path: aGame, pathNot: `^(?:${gameFolders})/$1/` },
    },
    room('app-imports-what-it-wires', '^main/app/', [
      contract,
      histories,
      '^main/administrator/',
      '^main/arenas/',
      '^main/operator/',
      '^main/portal/',
      '^main/services/',
    ]),
    room('desktop-imports-app-services-and-contract', '^main/desktop/', [
      '^main/app/',
      '^main/services/',
      contract,
      '^main/administrator/procedures/',
    ]),
    room('cli-imports-app-services-and-contract', '^main/cli/', ['^main/app/', '^main/services/', contract]),
    room('renderer-imports-contract-grammars-rules-and-configs', '^renderer/', [
      contract,
      grammars,
      '^main/referees/[^/]+/(rules|config|challenge-name|choices|objects|player-view|kinds|messages|secrets)\\.ts$',
      '^main/referees/[^/]+/narration/',
    ]),
    {
      name: 'games-of-the-window-import-no-screens',
      comment: 'Screens show games. Code that both use lies in renderer/games, parts, charts or challenge-worker.',
      severity: 'error',
      from: { path: '^renderer/(games|parts|charts|challenge-worker)/' },
      to: { path: '^renderer/screens/' },
    },
    room('agents-import-grammars-and-types-of-messages', '^agents/', [
      grammars,
      contract,
      '^main/referees/[^/]+/(messages|kinds|secrets)\\.ts$',
    ]),
    {
      name: 'agents-take-no-code-from-main',
      comment:
        'But for what a game says of itself in pure code: how its kinds are called, how a secret is committed to.',
      severity: 'error',
      from: { path: '^agents/' },
      to: { path: '^main/', pathNot: '^main/referees/[^/]+/(kinds|secrets)\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'texts-of-strangers-are-read-in-another-process',
      comment: 'The main process carries the bytes of network agents: make a ReadingJob of it, and a line in mayParse.',
      severity: 'error',
      from: { path: '^main/(services|administrator|app|portal|arenas|desktop)/', pathNot: mayParse },
      to: { path: parsers, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'every-room-has-a-rule',
      comment: 'A new folder in main/ needs a line above.',
      severity: 'error',
      from: { path: '^main/', pathNot: rooms.map((name) => `^main/${name}/`) },
      to: {},
    },
    {
      name: 'the-agent-host-is-alone',
      comment: 'It runs inside the box: built to one file, Node only.',
      severity: 'error',
      from: { path: '^main/players/inside/' },
      to: { dependencyTypesNot: ['core', 'type-only'], pathNot: '^main/players/inside/' },
    },
    {
      name: 'pure-rooms-use-no-node',
      severity: 'error',
      from: {
        path: [
          grammars,
          contract,
          '^main/referees/[^/]+/rules\\.ts$',
          '^agents/',
          '^main/services/grades/(term|schemes)/',
        ],
        // The file that starts a kit's Tartaglia is not an agent.
        pathNot: ['\\.test\\.', '^agents/kits/shared/tartaglia\\.mjs$'],
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'nobody-imports-tests-or-scripts',
      severity: 'error',
      from: { pathNot: '^(test|scripts)/' },
      to: { path: '^(test|scripts)/' },
    },
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'resolvable',
      comment: "The build makes the agents of JavaScript kits, which the kits' tests import.",
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^\\./agent\\.cjs$' },
    },
    {
      name: 'declared-packages-only',
      comment: 'Electron itself is not packed into the app: the app is packed into it.',
      severity: 'error',
      from: { path: '^(main|grammars|agents)/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
        pathNot: '^node_modules/electron/',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
