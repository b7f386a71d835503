import { existsSync } from 'node:fs'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listContests } from '../../../main/services/contests/command/kept-contests.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import type { AgentSummary, MatchEvent } from '../../../main/contract/procedures/procedures.ts'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'
import { zip } from './zip.ts'
import { pythonKit } from '../../python-kit.ts'
import { refusal, type Fact, saying } from '../../refusal.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'

const place = openPlace('service-agents')
let room: Room

beforeAll(async () => {
  room = await openRoom(join(place.folder, 'data'))
  await room.call('settings.set', { isolation: 'permission' })
})
afterAll(async () => {
  await room.service.close()
  place.remove()
})

const baby = (): Promise<string> => readFile(join(resources.agents, 'specker', 'baby.js'), 'utf8')
const submit = (fileName: string, content: string | Uint8Array, game = 'specker') =>
  room.submit({ fileName, content, game })
/** As the newest version of the agent that is there. */
const submitTo = (of: string, content: string | Uint8Array, belonging = {}, fileName = 'agent.js') =>
  room.submit({
    fileName,
    content,
    game: 'specker',
    belonging,
    becomes: { what: 'version', of },
  })

/** Prints and then throws, in its first turn. */
const chatty = `module.exports = class {
  constructor() { console.log('hello <b>world</b>\\u202e') }
  turn() { throw new Error('no more') }
}`

test('an agent that plays is told so, one that does not is told why, and versions stay', async () => {
  const good = await submit('walker.js', await baby())
  expect(good).toMatchObject({ name: 'walker', game: 'specker', kind: 'script', faults: 0 })
  expect(good.versions).toHaveLength(1)
  expect(good.versions[0]!.smoke).toMatchObject({ ok: true })
  expect(Date.parse(good.versions[0]!.submitted)).not.toBeNaN()

  const second = await submitTo('walker', 'module.exports = class { constructor() { throw new Error("not today") } }')
  expect(second.versions.map(({ smoke }) => smoke?.ok)).toEqual([false, true])
  expect(second.versions[0]!.smoke?.text).toContain('not today')
  // Its trial match is a history like any other, which shows the fault.
  const { file } = await room.call('agents.trialMatch', { name: 'walker', agent: second.versions[0]!.agent })
  const trial = { source: { from: 'file', file } } as const
  expect((await room.call('matches.get', trial)).facts.seats.map(({ agent }) => agent)).toContain(
    second.versions[0]!.agent,
  )
  const { items } = await room.call('matches.events', trial)
  expect(items).toContainEqual(expect.objectContaining({ kind: 'fault' }))
  await expect(room.call('agents.trialMatch', { name: 'walker', agent: 'f'.repeat(64) })).rejects.toThrow(
    refusal('agent-version-unknown', 'walker'),
  )
  expect(await room.call('agents.results', { name: 'walker' })).toEqual({ opponents: [], versions: [] })

  const { source } = await room.call('agents.get', { name: 'walker' })
  expect(source).toContain('not today')
  const { attention } = await room.call('class.overview', {})
  expect(attention).toEqual([{ text: saying('walker', 'not today'), link: '#/agents/walker' }])

  // The first package once more is the newest again, and is not tried twice.
  const again = await submitTo('walker', await baby())
  expect(again.note).toEqual(saying('"walker"', 'older version', 'again'))
  expect(again.versions.map(({ agent }) => agent)).toEqual(second.versions.map(({ agent }) => agent).toReversed())
  expect(again.versions[0]!.smoke).toEqual(good.versions[0]!.smoke)
})

test('the agents that come with a game join the class, once, under names that are free', async () => {
  await submit('conceder.js', await baby())
  const names = ['baby', 'conceder-haggle', 'hard', 'learner', 'tartaglia']
  await submit('baby-haggle.js', await baby())
  expect(await room.call('agents.adopt', { game: 'haggle' })).toEqual(names)
  expect(await room.call('agents.adopt', { game: 'haggle' })).toEqual([])
  await expect(room.call('agents.adopt', { game: 'chess' })).rejects.toThrow(refusal('game-unknown', 'chess'))
  for (const name of names) {
    await vi.waitFor(
      async () => {
        const { game, versions } = await room.call('agents.get', { name })
        expect({ game, smoke: versions[0]!.smoke }).toMatchObject({ game: 'haggle', smoke: { ok: true } })
      },
      { timeout: 120_000 },
    )
  }
})

test('a first match need not be waited for, can be stopped, and be played again', async () => {
  // Some tenths of a second a turn: nobody has to hurry. It counts, because its clock stands still.
  const slow = `${await baby()}\nconst Quick = module.exports
    module.exports = class extends Quick {
      turn(...given) { let n = 0; for (let i = 0; i < 100_000_000; i++) n = (n * 31 + i) | 0; return n === 7 ? [] : super.turn(...given) }
    }`
  const newest = async () => (await room.call('agents.get', { name: 'slow' })).versions[0]!
  const handedIn = await room.submit({
    fileName: 'slow.js',
    content: slow,
    game: 'specker',
    wait: false,
  })
  expect(handedIn.versions[0]).toMatchObject({ smoke: null, trial: 'playing' })

  await room.call('agents.stop', { name: 'slow' })
  await vi.waitFor(async () => expect((await newest()).trial).not.toBe('playing'), { timeout: 240_000 })
  expect(await newest()).toMatchObject({ smoke: null, trial: { problem: expect.stringMatching(/stopped/) as string } })
  // Stopping a trial that does not run is allowed.
  await room.call('agents.stop', { name: 'slow' })

  const news: unknown[] = []
  const off = room.service.on('agents', (value) => news.push(value))
  await room.call('agents.try', { name: 'slow' })
  expect(await newest()).toMatchObject({ smoke: null, trial: 'playing' })
  await vi.waitFor(async () => expect(await newest()).toMatchObject({ smoke: { ok: true }, trial: null }), {
    timeout: 120_000,
  })
  expect(news.length).toBeGreaterThan(1)
  off()
  await expect(room.call('agents.try', { name: 'nobody' })).rejects.toThrow(refusal('agent-unknown', 'nobody'))
})

test('names come from file names, however they look', async () => {
  const source = await baby()
  expect((await submit('../../Jürgen’s <bot>.js', source)).name).toBe('Jürgen’s -bot')
  await expect(submit('\u202e--.js', source)).rejects.toThrow(refusal('name-missing'))
  expect((await submit(`${'x'.repeat(200)}.js`, source)).name).toBe('x'.repeat(64))
  const { items, total } = await room.call('agents.list', { search: 'JURGEN' })
  expect([items.map(({ name }) => name), total]).toEqual([['Jürgen’s -bot'], 1])
})

test.each<[string, string, string | Uint8Array, ErrorCode]>([
  ['nothing', 'empty.js', '', 'package-empty'],
  ['a text', 'essay.docx', 'x', 'package-form-unknown'],
  ['bytes', 'agent.js', Buffer.from([1, 0, 2]), 'package-not-text'],
  ['an invalid zip', 'agent.zip', 'PK', 'not-a-zip'],
])('%s is refused', async (_what, fileName, content, code) => {
  await expect(submit(fileName, content)).rejects.toThrow(refusal(code, fileName))
})

test('a game that is not there is refused', async () => {
  await expect(submit('agent.js', 'x', 'chess')).rejects.toThrow(refusal('game-unknown', 'chess'))
})

test('a zip with one script is an agent; its agent.json names it', async () => {
  const manifest = JSON.stringify({ name: 'Ferrari', game: 'specker', kind: 'script', main: 'src/agent.js' })
  const files = { 'bot/agent.json': manifest, 'bot/src/agent.js': await baby(), 'bot/README.md': 'hi' }
  expect(await submit('whatever.zip', zip(files))).toMatchObject({
    name: 'Ferrari',
    versions: [{ smoke: { ok: true } }],
  })
  expect(await submit('plain.zip', zip({ 'a.js': await baby() }))).toMatchObject({ name: 'plain' })
})

test('a team has one active agent a policy: what it handed in last that is meant for it', async () => {
  const packed = async (name: string, more: object): Promise<Uint8Array> => {
    const manifest = JSON.stringify({ name, game: 'specker', kind: 'script', team: 'Scuderia', ...more })
    return zip({ 'agent.json': manifest, 'agent.js': `// ${name}\n${await baby()}` })
  }
  const handIn = async (name: string, more: object): Promise<AgentSummary> =>
    submit(`${name}.zip`, await packed(name, more))
  const everywhere = ['000', '001', '010', '011', '100', '101', '110', '111']
  const rossi = await handIn('rossi', {})
  expect(rossi.versions).toMatchObject([{ team: 'Scuderia', policies: null, active: everywhere }])
  const verdi = await handIn('verdi', { policies: ['01*'] })
  expect(verdi.versions).toMatchObject([{ team: 'Scuderia', policies: ['01*'], active: ['010', '011'] }])
  const { versions } = await room.call('agents.get', { name: 'rossi' })
  expect(versions).toMatchObject([{ active: everywhere.filter((bits) => !bits.startsWith('01')) }])

  const entrant = ({ name, versions: [newest] }: AgentSummary) => ({ name, agent: newest!.agent })
  const single = { format: { type: 'single' } } as const
  const draft = draftOf([entrant(rossi), entrant(verdi)], single)
  await expect(room.call('contests.create', { draft })).rejects.toThrow(
    refusal('team-agent-inactive', 'rossi', 'Scuderia', 'attacks on decisions', 'verdi'),
  )
  const policy = { administratorAttack: true, intelligenceAttack: false, mechanismAttack: false }
  const walker = await room.call('agents.get', { name: 'walker' })
  const practice = draftOf([entrant(verdi), entrant(walker)], { ...single, policy })
  await expect(room.call('contests.create', { draft: practice })).rejects.toThrow(
    refusal('policy-not-meant', 'verdi', '01*', 'administrator'),
  )
  // Handed in once more, rossi is the team's own again.
  const again = await submitTo('rossi', await packed('rossi', {}), {}, 'rossi.zip')
  expect(again.versions).toMatchObject([{ active: everywhere }])
})

test('team and policies of a single file are said when it is handed in; an agent.json that says them wins', async () => {
  const source = `// lone\n${await baby()}`
  const handIn = async (fileName: string, content: string | Uint8Array, belonging: object) =>
    room.submit({ fileName, content, game: 'specker', belonging })
  const belonging = { team: 'Alfa', policies: ['01*'] }
  const lone = await handIn('lone.js', source, belonging)
  expect(lone.versions).toMatchObject([{ ...belonging, active: ['010', '011'], smoke: { ok: true } }])

  const zipped = (more: object): Uint8Array => {
    const manifest = JSON.stringify({ name: 'packed', game: 'specker', kind: 'script', ...more })
    return zip({ 'agent.json': manifest, 'agent.js': `// packed\n${source}` })
  }
  expect((await handIn('packed.zip', zipped({}), belonging)).versions[0]).toMatchObject(belonging)
  const told = async (more: object) => (await submitTo('packed', zipped(more), belonging, 'packed.zip')).versions[0]
  expect(await told({ team: 'Lancia' })).toMatchObject({ team: 'Lancia', policies: ['01*'] })
  expect(await told({ policies: ['1**'] })).toMatchObject({ team: 'Alfa', policies: ['1**'] })

  // The very same file once more: what is said of it now is what holds.
  const again = await submitTo('lone', source)
  expect(again.versions).toMatchObject([{ team: 'lone', policies: null }])
  expect(again.versions).toHaveLength(1)

  await expect(handIn('x.js', source, { team: '<b>' })).rejects.toThrow('"team"')
  await expect(handIn('x.js', source, { policies: ['2'] })).rejects.toThrow('"policies"')
})

test.skipIf(!existsSync('/usr/bin/bwrap') || !existsSync('/usr/bin/python3'))(
  'the kit for Python is handed in like a script (needs bubblewrap, python3)',
  async () => {
    const files = Object.entries(pythonKit('specker'))
    expect(await submit('python.zip', zip(files))).toMatchObject({
      // The kit's own name does not count.
      name: 'python',
      kind: 'program',
      versions: [{ smoke: { ok: true } }],
    })
    const { source } = await room.call('agents.get', { name: 'python' })
    expect(source).toContain('==== agent.py ====')
    expect(source).toContain('class Agent(Player):')
    // The very same files make the very same agent.
    const { versions, note } = await submitTo('python', zip(files.toReversed()), {}, 'again.zip')
    expect(versions).toHaveLength(1)
    expect(note).toEqual(saying('"python"', 'newest version', 'already'))
  },
)

test.each<[string, Buffer, ErrorCode, ...Fact[]]>([
  ['without a script', zip({ 'a.txt': 'x' }), 'script-missing'],
  ['with two', zip({ 'a.js': 'x', 'b.js': 'y' }), 'script-ambiguous', 2],
  [
    'for another game',
    zip({ 'agent.json': '{"name":"a","game":"cows","kind":"script"}', 'a.js': 'x' }),
    'other-game',
    'cows',
    'specker',
  ],
  ['with a broken manifest', zip({ 'agent.json': '{"name":', 'a.js': 'x' }), 'manifest-invalid', 'agent.json:1:9'],
  [
    'whose main is elsewhere',
    zip({ 'agent.json': '{"name":"a","game":"specker","kind":"script","main":"../x.js"}', 'a.js': 'x' }),
    'package-file-missing',
    '../x.js',
  ],
  ['that was changed', zip({ 'a.js': 'x' }, (central) => central.writeUInt32LE(1, 16)), 'archive-damaged', 'a.js'],
  [
    'that promises too much',
    zip({ 'a.js': 'x' }, (central) => central.writeUInt32LE(2 ** 31, 24)),
    'archive-too-large',
    '64 MB',
  ],
  [
    'that unpacks to more than it says',
    zip({ 'a.js': 'x'.repeat(1e6) }, (central) => central.writeUInt32LE(10, 24)),
    'archive-damaged',
    'a.js',
  ],
  ['that points nowhere', zip({ 'a.js': 'x' }, (central) => central.writeUInt32LE(2 ** 30, 42)), 'archive-damaged'],
  ['with a password', zip({ 'a.js': 'x' }, (central) => central.writeUInt16LE(1, 8)), 'archive-encrypted'],
])('a zip %s is refused', async (_what, content, code, ...facts) => {
  await expect(submit('hostile.zip', content)).rejects.toThrow(refusal(code, 'hostile.zip', ...facts))
})

test('faults and console of an agent lead to the exact match, page by page', { timeout: 240_000 }, async () => {
  const { versions } = await submit('chatty.js', chatty)
  const other = await submit('quiet.js', await baby())
  const chattyHash = versions[0]!.agent
  const draft = draftOf(
    [
      { name: 'chatty', agent: chattyHash },
      // Under a name that nobody has handed in it is still that agent.
      { name: 'chatty in disguise', agent: chattyHash },
      { name: 'quiet', agent: other.versions[0]!.agent },
    ],
    { title: 'Faults' },
  )
  const { contest } = await room.call('contests.create', { draft })
  await room.call('contests.start', { contest })
  const { standings } = await room.until(contest, ({ summary }) => summary.state === 'ended')
  expect(standings.find(({ agent }) => agent === 'quiet')).toMatchObject({ faults: 0, rank: 1 })

  const all = await room.call('agents.faults', { name: 'chatty' })
  expect(all.total).toBe(standings.reduce((sum, { faults }) => sum + faults, 0))
  expect(all.total).toBeGreaterThanOrEqual(3)
  const { faults } = await room.call('agents.get', { name: 'chatty' })
  expect(faults).toBe(all.total)
  const paged = []
  for (let offset = 0; offset < all.total; offset++) {
    paged.push(...(await room.call('agents.faults', { name: 'chatty', offset, limit: 1 })).items)
  }
  expect(paged).toEqual(all.items)
  for (const { match, seat, what } of all.items) {
    if (!('fault' in what)) throw new Error('it was removed for another cause')
    const { at, fault } = what
    expect(fault).toMatchObject({ kind: 'crash', text: expect.stringContaining('no more') as string })
    const source = { from: 'contest', contest, match } as const
    const events: readonly MatchEvent[] = (await room.call('matches.events', { source })).items
    expect(events).toContainEqual(expect.objectContaining({ kind: 'fault', seat, at, fault }))
  }

  const printed = await room.call('agents.console', { name: 'chatty' })
  expect(printed.items.map(({ match }) => match)).toEqual([0, 1, 2])
  expect(printed.total).toBe(3)
  for (const { text } of printed.items) expect(text).toContain('hello <b>world</b>\u202e\n')
  expect((await room.call('agents.console', { name: 'quiet' })).total).toBe(0)
  expect((await room.call('agents.faults', { name: 'quiet' })).total).toBe(0)
  const { items } = await room.call('agents.console', { name: 'chatty', offset: 1, limit: 1 })
  expect(items).toEqual([printed.items[1]])
})

test('a backup is a data folder of its own, with agents, contests and their results', async () => {
  const before = await room.call('contests.list', {})
  expect(before.total).toBe(1)
  const { folder, bytes } = await room.call('settings.backup', {})
  expect(folder).toBe(join(`${room.data}-backups`, '1'))
  expect(bytes).toBeGreaterThan(1_000)
  expect((await room.call('settings.backup', {})).folder).toBe(join(`${room.data}-backups`, '2'))
  expect(await listContests(folder, () => undefined)).toHaveLength(1)
  const copy = join(place.folder, 'copy')
  await cp(folder, copy, { recursive: true })
  const other = await openRoom(copy)
  const { contest } = before.items[0]!
  const [mine, copied] = await Promise.all([
    room.call('contests.get', { contest }),
    other.call('contests.get', { contest }),
  ])
  expect(copied).toEqual(mine)
  expect((await other.call('agents.list', {})).items).toEqual((await room.call('agents.list', {})).items)
  expect((await other.call('settings.get', {})).publicKey).toBe((await room.call('settings.get', {})).publicKey)
  expect(await other.call('histories.verify', { source: { from: 'contest', contest, match: 1 } })).toMatchObject({
    ok: true,
    signer: { name: 'this class' },
  })
  await other.service.close()
})

test(
  'a removal that no fault tells of is among its faults, with the rule that it broke',
  { timeout: 240_000 },
  async () => {
    const idle =
      'module.exports = class { turn() { return { actions: [{ type: "solve", challenge: 9, solution: {} }] } } }'
    const first = await submit('idle.js', idle)
    const second = await submit('busy.js', await baby())
    const draft = draftOf(
      [
        { name: 'idle', agent: first.versions[0]!.agent },
        { name: 'busy', agent: second.versions[0]!.agent },
      ],
      { title: 'Removals' },
    )
    const { contest } = await room.call('contests.create', { draft })
    await room.call('contests.start', { contest })
    await room.until(contest, ({ summary }) => summary.state === 'ended')
    const { items, total } = await room.call('agents.faults', { name: 'idle' })
    expect(total).toBe(1)
    expect(items).toEqual([
      expect.objectContaining({ contest, what: { removal: expect.stringMatching(/./) as string } }),
    ])
    expect((await room.call('agents.get', { name: 'idle' })).faults).toBe(1)
    expect((await room.call('agents.faults', { name: 'busy' })).total).toBe(0)
  },
)

test('settings are kept', async () => {
  await room.call('settings.set', { locale: 'de-AT', appearance: 'dark' })
  expect(await room.call('settings.set', { tourSeen: true })).toMatchObject({
    dataFolder: room.data,
    locale: 'de-AT',
    appearance: 'dark',
    tourSeen: true,
    isolation: 'permission',
  })
  const kept = JSON.parse(await readFile(join(room.data, 'class.json'), 'utf8')) as { settings: object }
  expect(kept.settings).toEqual({
    locale: 'de-AT',
    appearance: 'dark',
    tourSeen: true,
    webAddresses: [],
    trustedKeys: [],
    timeZone: '',
    letterKeys: true,
    school: '',
    ...{
      revealAfter: 0,
      game: '',
      kitGiven: false,
      updates: '',
      terms: [],
      trialsAtOnce: 1,
      backups: { folder: '', everyHours: 0 },
      pseudonyms: false,
      retention: { leftDays: 0, contestMonths: 0, classMonths: 0 },
    },
    isolation: 'permission',
  })
})

test('code of a shipped agent is flagged at hand-in and on the agent, and refused nowhere', async () => {
  const copy = `// my own work\n${await readFile(join(resources.agents, 'haggle', 'tartaglia.js'), 'utf8')}`
  const input = { fileName: 'mine.js', content: copy, game: 'haggle', wait: false }
  const { name, note } = await room.submit(input)
  expect(note).toEqual(saying('"tartaglia"', '100 %'))
  expect((await room.call('agents.similar', { name }))[0]).toEqual({ name: 'tartaglia', share: 1 })
  const [own = ''] = await room.call('agents.adopt', { game: 'punter' })
  expect(await room.call('agents.similar', { name: own })).toEqual([])
})

test('hand-ins of the same work by two teams are similar, and a file that still has the name of the kit needs one', async () => {
  const work = `const rest = (all, mine) => all.map((count, type) => Math.max(0, count - mine[type] * 2)).filter((left) => left > 1)
    module.exports = class { constructor(me, counts, values) { this.all = counts; this.prices = values; this.turn = me }
      offer(given) { this.turn += 2; const left = rest(this.all, given ?? this.prices); while (left.length > 3) left.pop()
        if (given !== undefined && left.reduce((sum, each) => sum + each / 2, 0) < this.turn % 5) return undefined
        return this.all.map((count, type) => (this.prices[type] === 0 || this.turn > 7 ? 0 : count)) } }`
  await expect(submit('agent (1).cjs', work, 'haggle')).rejects.toThrow(refusal('name-missing'))
  await submit('worker-one.js', work, 'haggle')
  await submit('worker-two.js', work.replaceAll('left', 'over').replaceAll(' / 2', ' / 2 /* half */'), 'haggle')
  expect(await room.call('agents.similarInClass', { name: 'worker-one' })).toMatchObject([{ name: 'worker-two' }])
  const pairs = await room.call('agents.similarPairs', {})
  expect(pairs).toContainEqual({ names: ['worker-one', 'worker-two'], share: 1, same: false })
})

test('a script that waits for the time fails its trial match as it fails in contests, with the reason', async () => {
  const waiting = `module.exports = class {
    offer() { for (const start = Date.now(); Date.now() - start < 30;); }
  }`
  const { versions } = await submit('waiting.js', waiting, 'haggle')
  expect(versions[0]!.smoke).toMatchObject({ ok: false, text: expect.stringMatching(/clock stands still/) as string })
})
