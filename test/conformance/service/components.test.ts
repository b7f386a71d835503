import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readClass } from '../../../main/administrator/classroom/classroom.ts'
import { componentPath, importLine, type ComponentSummary } from '../../../main/contract/procedures/components.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { recordedComponents } from '../../../main/services/packages/component-files.ts'
import { run } from '../../unit/cli/environment.ts'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'
import { zip } from './zip.ts'
import { refusal, type Fact, saying, refusedCommand } from '../../refusal.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'

const place = openPlace('service-components')
let room: Room
beforeAll(async () => {
  room = await openRoom(join(place.folder, 'data'))
  await room.call('settings.set', { isolation: 'permission' })
}, 120_000)
afterAll(async () => {
  await room.service.close()
  place.remove()
})

const baby = readFileSync(join(resources.agents, 'haggle', 'baby.js'), 'utf8')

async function publish(
  name: string,
  text: string | Uint8Array,
  { fileName = `${name}.js`, ...more }: { readonly fileName?: string; readonly [field: string]: string } = {},
): Promise<ComponentSummary> {
  const file = await room.upload(fileName, text)
  return room.call('components.publish', { file, name, author: 'Team Anna', ...more })
}

async function submit(fileName: string, content: string | Uint8Array): Promise<{ name: string; agent: string }> {
  const given = { fileName, content, game: 'haggle', wait: false }
  const { name, versions } = await room.submit(given)
  return { name, agent: versions[0]!.agent }
}

const stored = (agent: string): string => readFileSync(join(room.data, 'agents', `${agent}.js`), 'utf8')
const usesOf = (agent: string) => recordedComponents(Buffer.from(stored(agent)))
const useOf = ({ name, hash: whole }: ComponentSummary) => ({ name, hash: whole })

test('a module is published under the hash of its bytes, and listed with what it exports', async () => {
  const text = 'export const twice = (n) => 2 * n\nexport default class {}\n'
  const one = await publish('twice', text, { description: 'Doubles numbers' })
  expect(one).toMatchObject({ hash: hash('sha256', text), ending: 'js', exports: ['default', 'twice'], uses: [] })
  expect(importLine(one)).toBe(`import twice, { twice } from './components/twice@${one.hash.slice(0, 16)}.js'`)
  expect(await room.call('components.get', { component: one.hash })).toMatchObject({ text, author: 'Team Anna' })
  const typed = await publish('typed', 'export const half = (n: number): number => n / 2\n', { fileName: 'typed.ts' })
  expect(typed).toMatchObject({ ending: 'ts', exports: ['half'] })
  const packed = zip({ 'index.ts': "export * from './lib/a.ts'\n", 'lib/a.ts': 'export const a: number = 1\n' })
  expect(await publish('packed', packed, { fileName: 'packed.zip' })).toMatchObject({ ending: 'js', exports: ['a'] })
  const { items } = await room.call('components.list', { search: 'doubles' })
  expect(items).toEqual([one])
})

test('an invalid component is refused in one sentence, and nothing is stored', async () => {
  const before = (await room.call('components.list', {})).total
  const refusals: readonly (readonly [
    string,
    string | Uint8Array,
    Readonly<Record<string, string>>,
    ErrorCode,
    ...Fact[],
  ])[] = [
    ['empty', '', {}, 'package-empty'],
    ['nothing', 'const a = 1', {}, 'component-without-exports'],
    ['broken', 'export const = 1', {}, 'not-bundled', 'components/module.js:1:13'],
    ['files', "import fs from 'node:fs'\nexport { fs }", {}, 'not-bundled', '"node:fs"'],
    ['bare', "export * from 'lodash'", {}, 'not-bundled', '"lodash"'],
    ['address', "export * from 'https://example.org/a.js'", {}, 'import-outside', '"https://example.org/a.js"'],
    ['relative', "export const a = () => import('//example.org/a.js')", {}, 'import-outside', '"//example.org/a.js"'],
    ['climbing', "export * from '../../../../etc/passwd'", {}, 'not-bundled', '"../../../../etc/passwd"'],
    ['itself', "export * from './module.js/../x.js'", {}, 'not-bundled', '"./module.js/../x.js"'],
    ['absent', `export * from './other@${'0'.repeat(16)}.js'`, {}, 'component-unknown', `other@${'0'.repeat(16)}`],
    ['big', `export const a = "${'x'.repeat(1024 * 1024)}"`, {}, 'too-large', '1 MB'],
    ['binary', Buffer.from([1, 0, 2]), {}, 'package-not-text'],
    ['record', '/* Tartaglia components: x */export const a = 1', {}, 'component-record'],
    ['twice', 'export const other = 1', { author: 'Bruno' }, 'name-taken', 'twice', 'Team Anna'],
    [
      'copied',
      'export const twice = (n) => 2 * n\nexport default class {}\n',
      { author: 'Bruno' },
      'component-published',
      'twice',
    ],
    ['python', 'x = 1', { fileName: 'a.py' }, 'package-form-unknown'],
  ]
  for (const [name, text, more, code, ...facts] of refusals)
    await expect(publish(name, text, more), name).rejects.toThrow(refusal(code, ...facts))
  for (const name of ['../x', '__proto__', 'A', '', 'x@y', 'x'.repeat(41)])
    await expect(async () => publish(name, 'export const b = 1'), name).rejects.toThrow('"name"')
  expect((await room.call('components.list', {})).total).toBe(before)
})

test('an agent contains what it imports, also through other components, and says so for ever', async () => {
  const low = await publish('low', 'export const low = () => "from low"\n')
  const high = await publish(
    'high',
    `import { low } from './low@${low.hash.slice(0, 16)}.js'\nexport const high = () => low()\n`,
  )
  expect(high.uses).toEqual([useOf(low)])
  const text = `${importLine(high)}\nmodule.exports = class { constructor() { this.said = high() } }\n`
  const one = await submit('anna.js', text.replace('module.exports =', 'export default'))
  expect(new Set(usesOf(one.agent))).toEqual(new Set([useOf(high), useOf(low)]))
  expect(stored(one.agent)).toContain('from low')
  expect((await room.call('agents.get', { name: 'anna' })).components).toEqual(usesOf(one.agent))
  const played = await room.submit({
    ...{
      fileName: 'anna.js',
      content: `${importLine(low)}\n${baby.replace('module.exports =', 'export default')}\nlow()\n`,
    },
    ...{ game: 'haggle', wait: true },
  })
  expect(played.versions[0]!.smoke).toMatchObject({ ok: true })
  expect((await room.call('components.get', { component: low.hash })).usedBy).toEqual(['anna', 'anna 2'])

  // A copy in the package is the same agent; a changed copy, or one under another name, is refused.
  const path = componentPath(high)
  const main = `${importLine(high)}\nexport default class { constructor() { this.said = high() } }\n`
  const files = { 'anna.js': main, [path]: (await room.call('components.get', { component: high.hash })).text }
  expect((await submit('copy.zip', zip(files))).agent).toBe(one.agent)
  await expect(submit('forged.zip', zip({ ...files, [path]: 'export const high = 1' }))).rejects.toThrow(
    refusal('component-forged', path),
  )
  const other = `components/mine@${high.hash.slice(0, 16)}.js`
  const renamed = { 'anna.js': main.replace(path, other), [other]: files[path]! }
  await expect(submit('renamed.zip', zip(renamed))).rejects.toThrow(
    refusal('component-unknown', `mine@${high.hash.slice(0, 16)}`),
  )
  expect((await room.call('sources.list', {})).total).toBe(0)
})

test('a use can be neither claimed nor mentioned by accident', async () => {
  const [low] = (await room.call('components.list', { search: 'low' })).items
  const claim = `/* Tartaglia components: low@${low!.hash} */\n${baby}`
  for (const text of [claim, `\n${claim}`, `\ufeff${claim}`])
    await expect(submit('claim.js', text)).rejects.toThrow(refusal('component-record'))
  await expect(submit('claim.zip', zip({ 'agent.js': claim }))).rejects.toThrow(refusal('component-record'))
  // Not even in a file whose name is its hash, as data folders have it; a match of such a file can be played.
  const named = `${hash('sha256', claim)}.js`
  await expect(submit(named, claim)).rejects.toThrow(refusal('component-record'))
  writeFileSync(join(place.folder, named), claim)
  const checked = await run(
    'agent',
    'check',
    join(place.folder, named),
    '--game',
    'haggle',
    '--isolation',
    'permission',
  )
  expect(checked.stdout).toContain('fine')
  const mention = `// see './${componentPath(low!)}'\n${baby}`
  const { agent } = await submit('mention.js', mention)
  expect(stored(agent)).toBe(mention)
  const absent = `import { x } from './components/absent@${'0'.repeat(16)}.js'\nexport default class {}\n`
  await expect(submit('absent.js', absent)).rejects.toThrow(
    refusal('component-unknown', 'absent.js', `absent@${'0'.repeat(16)}`),
  )
})

test('at home an agent runs with the files of the folder beside it, exactly as in class', async () => {
  const kind = await publish('kind', 'export const accept = true\n')
  const line = importLine(kind)
  const agent = `${line}\n${baby.replace('module.exports =', 'export default')}\nif (!accept) throw new Error('no')\n`
  const home = join(place.folder, 'home')
  mkdirSync(join(home, 'components'), { recursive: true })
  const mine = join(home, 'mine.js')
  writeFileSync(mine, agent)
  const without = await run('agent', 'check', mine, '--game', 'haggle', '--isolation', 'permission')
  expect(without).toMatchObject({ code: 2, stderr: saying('folder "components"') })
  const { text } = await room.call('components.get', { component: kind.hash })
  writeFileSync(join(home, componentPath(kind)), text)
  const checked = await run('agent', 'check', mine, '--game', 'haggle', '--isolation', 'permission')
  expect(checked.stdout).toContain('fine')
  const { agent: inClass } = await submit('mine.js', agent)
  expect(usesOf(inClass)).toEqual([useOf(kind)])
  writeFileSync(join(home, componentPath(kind)), `${text}//`)
  const changed = await run('agent', 'check', mine, '--game', 'haggle', '--json')
  expect([changed.code, JSON.parse(changed.stdout)]).toEqual([
    2,
    refusedCommand('component-forged', 'mine.js', componentPath(kind)),
  ])
})

test('a contest with a share has a standing of its own, which follows from histories and entries', async () => {
  const part = await publish('part', 'export const part = 1\n', { author: 'Carla' })
  const text = `${importLine(part)}\n${baby.replace('module.exports =', 'export default')}\nif (!part) throw part\n`
  const user = await submit('user.js', text)
  const plain = await submit('plain.js', `${baby}\n// plain\n`)
  const format = { type: 'ordered-pairs', seeds: 3, finalists: 0, finalSeeds: 1 } as const
  const draft = draftOf([user, plain], { game: 'haggle', config: {}, format, componentShare: 10, title: 'Shared' })
  const { contest } = await room.call('contests.create', { draft })
  await room.call('contests.start', { contest })
  const ended = await room.until(contest, ({ summary }) => summary.state === 'ended')
  const points = new Map(ended.standings.map((row) => [row.agent, row.points]))
  const [own, other] = [points.get('user')!, points.get('plain')!]
  expect(own).toBeGreaterThan(0)
  const rows = new Map(ended.shares!.map(({ rank: _, ...row }) => [row.team, row]))
  const share = Math.floor(own * 10)
  expect(rows.get('user')).toEqual({ team: 'user', points: own, given: share, received: 0, total: own - share / 100 })
  expect(rows.get('plain')).toEqual({ team: 'plain', points: other, given: 0, received: 0, total: other })
  expect(rows.get('Carla')).toMatchObject({ points: 0, given: 0, received: share })

  // Neither a restart nor a later version nor the removal of the component's text from the agent changes it.
  await room.submit({
    ...{ fileName: 'user.js', content: `${baby}\n// without\n`, game: 'haggle', wait: false },
    becomes: { what: 'version', of: 'user' },
  })
  await room.service.close()
  room = await openRoom(room.data)
  expect((await room.call('contests.get', { contest })).shares).toEqual(ended.shares)
  await room.call('agents.remove', { name: 'user' })
  const left = await room.call('contests.get', { contest })
  expect(left.shares?.find(({ team }) => team === 'Carla')?.received).toBe(share)
  await expect(async () => room.call('contests.create', { draft: { ...draft, componentShare: 51 } })).rejects.toThrow(
    '"componentShare"',
  )
})

test('the terminal publishes, lists and saves components, and a contest file may set the share', async () => {
  const data = room.data
  await room.service.close()
  const file = join(place.folder, 'steady.ts')
  writeFileSync(file, 'export const steady = (n: number): number => n\n')
  const published = await run('component', 'publish', file, '--author', 'Dora', '--data', data, '--json')
  const steady = JSON.parse(published.stdout) as ComponentSummary
  expect(steady).toMatchObject({ name: 'steady', ending: 'ts', exports: ['steady'], author: 'Dora' })
  expect((await run('component', 'list', '--data', data)).stdout).toMatch(/steady@[0-9a-f]{12} +Dora/)
  expect((await run('component', 'show', 'steady', '--data', data)).stdout).toContain(importLine(steady))
  const kit = join(place.folder, 'kit')
  expect((await run('component', 'show', 'high', '--to', kit, '--data', data)).code).toBe(0)
  const { components } = await readClass(data)
  for (const each of components.filter(({ name }) => name === 'high' || name === 'low'))
    expect(hash('sha256', readFileSync(join(kit, componentPath(each))))).toBe(each.hash)

  const agent = `${importLine(steady)}\n${baby.replace('module.exports =', 'export default')}\nsteady(1)\n`
  writeFileSync(join(place.folder, 'dora.js'), agent)
  writeFileSync(join(place.folder, 'emil.js'), agent.replace('steady(1)', 'steady(2)'))
  const contest = {
    ...{
      title: 'Terminal',
      game: 'haggle',
      format: { type: 'ordered-pairs', seeds: 3 },
      seed: 's',
      isolation: 'permission',
    },
    componentShare: 20,
    entrants: ['dora', 'emil'].map((name) => ({ name, agent: `${name}.js` })),
  }
  writeFileSync(join(place.folder, 'contest.json'), JSON.stringify(contest))
  const played = await run('contest', 'run', join(place.folder, 'contest.json'), '--data', data, '--json')
  const { shares } = JSON.parse(played.stdout) as { shares: { team: string; given: number; received: number }[] }
  // The author's own agent gives nothing for its own component.
  expect(shares.find(({ team }) => team === 'dora')).toMatchObject({ given: 0 })
  const given = shares.find(({ team }) => team === 'emil')!.given
  expect(given).toBeGreaterThan(0)
  expect(shares.find(({ team }) => team === 'dora')!.received).toBe(given)
  const shown = await run('contest', 'run', join(place.folder, 'contest.json'), '--data', data)
  expect(shown.stdout).toEqual(saying('shares', 'authors', 'components'))
  room = await openRoom(data)
})

test('a withdrawn component cannot be imported any more, agents that contain it keep it, and it can be offered again', async () => {
  const one = await publish('fleeting', 'export const gone = 1\n')
  const user = await publish(
    'keeper',
    `export { gone } from '../${componentPath(one)}'\n`.replace('../components', '.'),
  )
  const agent = `${importLine(one)}\nexport default class { constructor() { this.gone = gone } }\n`
  const through = `${importLine(user)}\nexport default class { constructor() { this.gone = gone } }\n`
  const before = await submit('early.js', agent)
  await room.call('components.withdraw', { component: one.hash, isWithdrawn: true })
  for (const text of [agent, through]) {
    await expect(submit('late.js', text)).rejects.toThrow(
      refusal('component-unknown', 'late.js', `fleeting@${one.hash.slice(0, 16)}`),
    )
  }
  expect(usesOf(before.agent)).toEqual([useOf(one)])
  // The same file can be handed in again as a version of its agent, and of no other; a changed one cannot.
  const again = (fileName: string, content: string, of: string) =>
    room.submit({ fileName, content, game: 'haggle', becomes: { what: 'version', of }, wait: false })
  const same = await again('early.js', agent, 'early')
  expect(same.versions.map((each) => each.agent)).toEqual([before.agent])
  expect(same.note).toContain('withdrawn')
  await submit('other.js', 'module.exports = class {}\n')
  for (const [text, of] of [
    [agent, 'other'],
    [agent.replace('= gone', '= gone + 1'), 'early'],
  ] as const)
    await expect(again('early.js', text, of)).rejects.toThrow(refusal('component-unknown'))
  const detail = await room.call('components.get', { component: one.hash })
  expect(detail).toMatchObject({ usedBy: ['early'], text: 'export const gone = 1\n' })
  expect(Date.parse(detail.withdrawn ?? '')).not.toBeNaN()
  const absent = { component: 'f'.repeat(64), isWithdrawn: true }
  await expect(room.call('components.withdraw', absent)).rejects.toMatchObject({ code: 'component-unknown' })
  await room.call('components.withdraw', { component: one.hash, isWithdrawn: false })
  expect((await submit('later.js', through)).name).toBe('later')
})

test('an educator names a team of the class as author, which then owns the component; a name that looks like it is refused', async () => {
  await room.call('people.import', { content: Buffer.from('Ada Lovelace').toString('base64') })
  const { people } = await room.call('people.list', {})
  const members = people.flatMap((person) => (person.role === 'student' ? [person.id] : []))
  const { id } = await room.call('teams.change', { team: null, name: 'Falcons', members })
  const text = 'export const falcon = 1\n'
  expect(await publish('falcon', text, { author: 'falcons' })).toMatchObject({ author: 'Falcons', owner: id })
  await expect(publish('falcon-two', `${text}//`, { author: 'Fa1cons' })).rejects.toEqual(refusal('name-taken'))
  expect(await publish('heron', 'export const heron = 1\n', { author: 'Herons' })).not.toHaveProperty('owner')
})
