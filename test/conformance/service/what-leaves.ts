import { readdirSync, writeFileSync } from 'node:fs'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { RECORDED_MATCH } from '../../../main/contract/histories/recorded-match.ts'
import type { ProcedureName } from '../../../main/contract/procedures/procedures.ts'
import type { Topics } from '../../../main/contract/procedures/topics.ts'
import { readZip, type ZipEntry } from '../../../main/services/packages/zip.ts'

// Everything by which something of a class leaves the machine: calls and topics for students and guests, and verbs of the command line. Tests hold
// these lists against the registries, so that nothing new is forgotten.

/** Objects of a class that others may look at. */
export interface LookedAt {
  readonly contest: string
  /** A contest that has not begun. */
  readonly open: string
  readonly agent: string
  readonly hash: string
  readonly component: string
  readonly case: string
  readonly dossier: string
  readonly item: string
}

/** The class as verbs of the command line find it. */
export interface Kept extends LookedAt {
  readonly data: string
  /** A contest that has not begun, and is played at once. */
  readonly unplayed: string
  /** The path of a downloaded dossier. */
  readonly dossierFile: string
}

/** The name of the component of the class. */
export const COMPONENT = 'matcher'

const request = '00000000-0000-4000-8000-000000000000'
const source = ({ contest }: LookedAt): object => ({ source: { from: 'contest', contest, match: 0 } })
const one = ({ contest }: LookedAt): object => ({ contest })
const agent = ({ agent: name }: LookedAt): object => ({ name })
const version = ({ agent: name, hash }: LookedAt): object => ({ name, agent: hash })
const sql = 'SELECT * FROM matches'

/** The inputs of all calls that students or guests may make and that only read. `own`: answers about the caller alone, with their own name. */
export const reads: Readonly<Partial<Record<ProcedureName, (those: LookedAt) => object>>> = {
  ...{ 'class.overview': () => ({}), 'agents.list': () => ({}), 'agents.get': agent, 'agents.faults': agent },
  ...{ 'agents.results': agent, 'agents.trialMatch': version, 'agents.console': agent, 'sources.list': () => ({}) },
  ...{ 'sources.get': version, 'sources.file': (those) => ({ ...version(those), path: 'agent.js' }) },
  ...{
    'sources.download': version,
    'components.list': () => ({}),
    'components.get': ({ component }) => ({ component }),
  },
  ...{ 'kits.get': () => ({ game: 'haggle', kit: 'javascript' }), 'challenges.list': () => ({}) },
  ...{ 'challenges.get': () => ({ name: 'max-csp' }), 'texts.list': () => ({ game: 'punter', field: 'map' }) },
  ...{ 'texts.get': () => ({ game: 'punter', field: 'map', name: 'lambda' }), 'contests.list': () => ({}) },
  ...{ 'contests.result': one, 'contests.get': one, 'contests.standings': one, 'contests.breakdowns': one },
  ...{ 'contests.parts': one, 'contests.entrants': one, 'contests.teams': one, 'contests.matches': one },
  ...{ 'registrations.get': ({ open }) => ({ contest: open }), 'recurring.list': () => ({}), 'teams.mine': () => ({}) },
  ...{
    'student.home': () => ({}),
    'student.news': () => ({}),
    'student.losses': () => ({}),
    'practice.get': () => ({}),
  },
  ...{ 'practice.match': () => ({ match: 1 }), 'handIn.attempts': () => ({}), 'handIn.queue': () => ({}) },
  ...{ 'handIn.rules': () => ({}), 'receipts.list': () => ({}), 'receipts.get': () => ({ n: 1 }) },
  ...{ 'receipts.head': () => ({}), 'deadlines.get': ({ open }) => ({ contest: open }), 'cases.list': () => ({}) },
  ...{ 'cases.get': ({ case: id }) => ({ case: id }), 'cases.tokens': () => ({}) },
  'grades.mine': () => ({}),
  'cases.precedents': () => ({ book: 'haggle' }),
  'cases.export': ({ case: id }) => ({ case: id, form: 'record' }),
  ...{ 'grades.term': () => ({ game: null }), 'matches.get': source, 'matches.events': source },
  'matches.live': ({ contest }) => ({ contest, match: 0 }),
  'matches.outline': (those) => ({ ...source(those), from: 0 }),
  'matches.state': (those) => ({ ...source(those), position: 0 }),
  ...{ 'play.opponents': () => ({ game: 'haggle' }), 'play.get': one, 'histories.list': () => ({}) },
  ...{ 'histories.facets': () => ({}), 'histories.export': ({ contest }) => ({ contest, match: 0 }) },
  'histories.replay': ({ contest }) => ({ contest, match: 0 }),
  ...{ 'mining.questions': () => ({ game: 'haggle' }), 'mining.tables': () => ({ game: 'haggle' }) },
  'mining.ask': ({ contest }) => ({ contest, request, question: 'worst-losses', parameters: {} }),
  'mining.compare': ({ hash }) => ({
    ...{ request, game: 'haggle', question: 'worst-losses' },
    first: hash,
    second: hash,
  }),
  'mining.query': ({ contest }) => ({ contest, request, sql }),
  'mining.search': ({ contest }) => ({ contest, request, words: 'a' }),
  'mining.download': ({ contest }) => ({ contest, request, asked: { sql }, as: 'csv' }),
  ...{ 'mining.stop': () => ({ request }), 'dossiers.list': () => ({}) },
  'dossiers.get': ({ dossier }) => ({ dossier }),
  'dossiers.rerunOffer': ({ dossier, item }) => ({ dossier, item }),
  'dossiers.stopRerun': ({ dossier }) => ({ dossier, request }),
  ...{ 'dossiers.rules': () => ({ book: 'haggle' }), 'downloads.piece': () => ({ download: 'none' }) },
  ...{ 'downloads.drop': () => ({ download: 'none' }), 'settings.get': () => ({}), 'me.get': () => ({}) },
  ...{ 'me.sessions': () => ({}), 'me.download': () => ({}) },
}

/** The rest of the name of each topic to which students or guests may listen; '': it has none. */
export const topics: Readonly<Partial<Record<keyof Topics, (those: LookedAt) => string>>> = {
  ...{ status: () => '', agents: () => '', cases: () => '', recurring: () => '', settings: () => '' },
  contest: ({ contest }) => contest,
  case: ({ case: id }) => id,
  caseRoom: ({ case: id }) => id,
  live: ({ contest }) => `${contest}/0`,
  play: ({ contest }) => contest,
  rerun: () => request,
}

/** Inputs with a text that becomes public, for each procedure that has one: the rest of an input is read later. */
export const published: Readonly<Partial<Record<ProcedureName, (text: string) => object>>> = {
  'agents.submit': (text) => ({ becomes: { what: 'agent', name: text } }),
  'agents.rename': (to) => ({ to }),
  'components.publish': (description) => ({ description }),
  'challenges.save': (source) => ({ source }),
  'texts.add': (text) => ({ text }),
  'contests.create': (title) => ({ draft: { title } }),
  'contests.decide': (reason) => ({ wish: { reason } }),
  'recurring.add': (title) => ({ draft: { title } }),
  'recurring.repeat': (title) => ({ title }),
  'recurring.edit': (title) => ({ title }),
  'handIn.submit': (agent) => ({ agent }),
  'cases.file': (text) => ({ text, evidence: [] }),
  'cases.act': (text) => ({ act: { do: 'answered', text } }),
  'play.begin': (seed) => ({ config: {}, seed }),
  'histories.comment': (text) => ({ comment: { text } }),
  'dossiers.make': (title) => ({ title }),
  'dossiers.rename': (title) => ({ title }),
  'dossiers.note': (text) => ({ text }),
}

/** `nothing`: it reads no class, or writes nothing that leaves. `educator`: its output is about people, for the educator. */
export type Leaves = 'nothing' | 'educator' | ((those: Kept, to: string) => Iterable<readonly string[]>)

/** The exit code of a command: 3 (a fault of the host) if it waits for agents that do not connect, else 0. */
export const exitCodeOf = (args: readonly string[]): number => (args.includes('--credentials') ? 3 : 0)

const once =
  (...args: readonly string[]): Leaves =>
  () => [args]

/** Each verb of the command line, and what of a class it gives away: command lines, whose output and files are searched. */
export const verbs: Readonly<Record<string, Leaves>> = {
  ...{
    serve: 'nothing',
    address: 'nothing',
    submit: 'nothing',
    worker: 'nothing',
    doctor: 'nothing',
    toolchains: 'nothing',
    try: 'nothing',
    pack: 'nothing',
    update: 'nothing',
    schema: 'nothing',
  },
  ...{ 'language-server': 'nothing', kit: 'nothing' },
  // An archive is the class itself; a new term is tested beside it.
  ...{
    'class export': 'educator',
    'class import': 'nothing',
    'class new-term': 'nothing',
    'class sample-term': 'nothing',
  },
  ...{ 'class people import': 'educator', 'class people list': 'educator', 'class people code': 'educator' },
  ...{ 'class people remove': 'educator', 'class people erase': 'educator', 'class people pseudonym': 'educator' },
  ...{
    'class people data': 'educator',
    'class kept': 'educator',
    'class gradebook show': 'educator',
    'class gradebook keep': 'nothing',
    'class gradebook by-hand': 'educator',
    'class gradebook release': 'educator',
    'class pseudonyms': 'educator',
    'class passphrase': 'educator',
    'class grades': 'educator',
  },
  'class table': () => [
    ['class', 'table'],
    ['class', 'table', '--json'],
  ],
  *'contest run'({ agent: name, hash }, to) {
    const entrants = [
      { name, agent: `${name}@${hash}` },
      { name: 'baby', agent: 'baby' },
    ]
    const file = { title: 'Alone', game: 'haggle', format: { type: 'round-robin' }, seed: '1', entrants }
    writeFileSync(`${to}/contest.json`, JSON.stringify(file))
    yield ['contest', 'run', `${to}/contest.json`, '--export', `${to}/histories`, '--isolation', 'permission', '--json']
    const connecting = entrants.map((each) => (each.name === name ? { name, network: true } : each))
    writeFileSync(`${to}/network.json`, JSON.stringify({ ...file, title: 'Far away', entrants: connecting }))
    const arena = ['--arena', '0', '--sign-in', '1', '--credentials', `${to}/credentials.json`]
    yield ['contest', 'run', `${to}/network.json`, ...arena, '--isolation', 'permission', '--json']
  },
  'contest resume': ({ unplayed }, to) => [
    ['contest', 'pair', unplayed],
    ['contest', 'pair', unplayed, '--json'],
    ['contest', 'resume', unplayed, '--export', `${to}/histories`, '--isolation', 'permission', '--json'],
  ],
  'contest rerun': ({ unplayed }, to) => [
    ['contest', 'rerun', unplayed, '--export', `${to}/histories`, '--isolation', 'permission', '--json'],
  ],
  'contest recurring': once('contest', 'recurring', '--json'),
  ...{
    'contest cancel': 'nothing',
    'contest archive': 'nothing',
    'contest delete': 'nothing',
    'contest bounty': 'nothing',
  },
  ...{
    'contest withdraw': 'nothing',
    'contest enter': 'nothing',
    // Before it is resumed: see there.
    'contest pair': 'nothing',
    'contest accept': 'nothing',
  },
  'contest list': once('contest', 'list', '--json'),
  'contest standings': ({ contest }) => [
    ['contest', 'standings', contest],
    ['contest', 'standings', contest, '--json'],
  ],
  'match play': 'nothing',
  *'match replay'({ contest, agent: name }, to) {
    yield ['history', 'export', contest, '0', '--to', `${to}/histories`]
    const [match = ''] = readdirSync(`${to}/histories`).filter((each) => each.endsWith('.jsonl'))
    yield ['agent', 'source', name, '--out', `${to}/agent.zip`]
    const asked = ['--agent', `${to}/agent.zip`, '--seat', '0', '--until', '1', '--isolation', 'permission', '--json']
    yield ['match', 'replay', `${to}/histories/${match}`, ...asked, '--save', `${to}/case.json`]
  },
  // They have no data folder.
  ...{ run: 'nothing', test: 'nothing', debug: 'nothing' },
  *replay({ contest }, to) {
    yield ['history', 'export', contest, '--to', `${to}/histories`]
    const [match = ''] = readdirSync(`${to}/histories`).filter((name) => name.endsWith('.jsonl'))
    yield ['replay', `${to}/histories/${match}`, '--json']
    yield ['replay', `${to}/histories/${match}`, '--html', `${to}/match.html`]
  },
  'history list': once('history', 'list', '--json'),
  *'history show'({ contest }, to) {
    const histories = `${to}/histories`
    yield ['history', 'export', contest, '--to', histories]
    const [match = ''] = readdirSync(histories).filter((name) => name.endsWith('.jsonl'))
    yield ['history', 'show', `${histories}/${match}`]
    yield ['history', 'show', `${histories}/${match}`, '--json']
  },
  *'history verify'({ contest }, to) {
    yield ['history', 'export', contest, '--to', `${to}/histories`]
    yield ['history', 'verify', `${to}/histories`]
  },
  'history export': ({ contest }, to) => [
    ['history', 'export', contest, '--to', `${to}/histories`],
    ['history', 'export', '--archive', `${to}/all.tar`],
    ['history', 'export', contest, '0', '--html', `${to}/match.html`],
  ],
  mine: ({ contest }) => [['mine', contest, '--query', sql, '--json']],
  ...{ 'case list': once('case', 'list', '--json'), 'case verify': ({ case: id }) => [['case', 'verify', id]] },
  'case show': ({ case: id }) => [
    ['case', 'show', id],
    ['case', 'show', id, '--json'],
  ],
  'case export': ({ case: id }, to) => [['case', 'export', id, '--to', to]],
  'receipt verify': ({ data }) => [
    ['receipt', 'verify', `${data}/receipts/chain.jsonl`],
    ['receipt', 'verify', `${data}/receipts/chain.jsonl`, '--json'],
  ],
  'dossier verify': ({ dossierFile }) => [
    ['dossier', 'verify', dossierFile],
    ['dossier', 'verify', dossierFile, '--json'],
  ],
  'dossier show': ({ dossierFile }) => [
    ['dossier', 'show', dossierFile],
    ['dossier', 'show', dossierFile, '--json'],
  ],
  ...{
    'agent check': 'nothing',
    'agent addresses': 'nothing',
    'agent reveal': once('agent', 'reveal', '--json'),
    'agent connect': 'nothing',
  },
  'agent source': ({ agent: name }, to) => [
    ['agent', 'source', name, '--json'],
    ['agent', 'source', name, '--out', `${to}/source.zip`],
  ],
  ...{ 'agent similar': 'educator', completion: 'nothing', docs: 'nothing' },
  ...{ 'component publish': 'nothing', 'component withdraw': 'nothing' },
  'component show': (_, to) => [
    ['component', 'show', COMPONENT, '--json'],
    ['component', 'show', COMPONENT, '--to', to],
  ],
  'component list': once('component', 'list', '--json'),
  'entries export': ({ agent: name }, to) => [['entries', 'export', `${to}/all.entries`, name, '--school', 'A school']],
  ...{ 'entries show': 'nothing', 'entries import': 'nothing' },
}

/** Options that name files or folders which are read, or which hold no more than the class itself does. */
export const readOptions: ReadonlySet<string> = new Set([
  ...['--data', '--cert', '--key', '--backups', '--log', '--identity', '--from', '--scheme', '--next', '--config'],
  ...['--contest', '--against', '--credential', '--folder', '--file', '--cache', '--agent'],
])

/** Options by which something is written that no test tries, with the reason. */
export const untriedOptions: Readonly<Record<string, string>> = {
  'class grades --out': 'a file of grades, for the educator',
  'match play --export': 'no class',
  'kit --out': 'no class',
  'docs --export': 'no class',
  'try --export': 'no class',
  'pack --out': 'no class',
  'submit --receipts': "the student's own machine",
}

/** Verbs of languages and of single games, which read files that are given, and no class. */
export const isWithoutClass = (verb: string): boolean =>
  /^(dictionary|challenge|specker|haggle|punter|cops|cows)\b/.test(verb)

/** The bytes of a file, and of whatever is packed in it, as texts. */
export function textsOf(bytes: Uint8Array): readonly string[] {
  const inner = [...unpacked(bytes), ...recordedIn(bytes)]
  return [Buffer.from(bytes).toString('utf8'), ...inner.flatMap(textsOf)]
}

function unpacked(bytes: Uint8Array): readonly Uint8Array[] {
  const head = Buffer.from(bytes.subarray(0, 4)).toString('hex')
  if (head.startsWith('1f8b')) return [gunzipSync(bytes)]
  if (head === '28b52ffd') return [zstdDecompressSync(bytes)]
  if (head !== '504b0304') return []
  const files = readZip(bytes)
  if (!Array.isArray(files)) throw new Error('a zip that cannot be read')
  return (files as readonly ZipEntry[]).map((file) => {
    const inner = file.read(file.size)
    if (!ArrayBuffer.isView(inner)) throw new Error(`${file.path} in a zip cannot be read`)
    return inner
  })
}

/** The match that a page holds, packed, if there is one; also within an answer in JSON. */
function recordedIn(bytes: Uint8Array): readonly Uint8Array[] {
  const found = new RegExp(`id=\\\\?"${RECORDED_MATCH}\\\\?">([A-Za-z0-9+/=]+)<`).exec(
    Buffer.from(bytes).toString('latin1'),
  )
  return found === null ? [] : [Buffer.from(found[1]!, 'base64')]
}

/** Writes of a name: as it is, as JSON escapes it, and as addresses do. */
const writesOf = (name: string): readonly string[] => [
  ...new Set([
    name,
    name.normalize('NFD'),
    encodeURIComponent(name),
    name.replaceAll(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ]),
]

/** The names that are in some bytes, packed or not. */
export function namesIn(bytes: Uint8Array | string, names: readonly string[]): readonly string[] {
  const texts = textsOf(typeof bytes === 'string' ? Buffer.from(bytes) : bytes)
  return names.filter((name) => writesOf(name).some((written) => texts.some((text) => text.includes(written))))
}
