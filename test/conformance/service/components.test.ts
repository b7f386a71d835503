import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { componentPath, importLine, type ComponentSummary } from '../../../main/contract/components.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { recordedComponents } from '../../../main/services/packages/component-files.ts'
import { run } from '../../unit/cli/environment.ts'
import { base64, openPlace, openRoom, type Room } from './classroom.ts'
import { zip } from './zip.ts'

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

function publish(name: string, text: string | Uint8Array, more: object = {}): Promise<ComponentSummary> {
  const given = { fileName: `${name}.js`, content: base64(text), name, author: 'Team Anna', ...more }
  return room.call('components.publish', given)
}

async function submit(fileName: string, content: string | Uint8Array): Promise<{ name: string; agent: string }> {
  const given = { fileName, content: base64(content), game: 'haggle', wait: false }
  const { name, versions } = await room.call('agents.submit', given)
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

test('what is no component is refused in one sentence, and stores nothing', async () => {
  const before = (await room.call('components.list', {})).total
  const refusals: readonly (readonly [string, string | Uint8Array, object, RegExp])[] = [
    ['empty', '', {}, /it is empty/],
    ['nothing', 'const a = 1', {}, /exports nothing/],
    ['broken', 'export const = 1', {}, /components\/module\.js:1:13/],
    ['files', "import fs from 'node:fs'\nexport { fs }", {}, /Could not resolve "node:fs"/],
    ['bare', "export * from 'lodash'", {}, /Could not resolve "lodash"/],
    ['climbing', "export * from '../../../../etc/passwd'", {}, /Could not resolve/],
    ['itself', "export * from './module.js/../x.js'", {}, /Could not resolve/],
    [
      'absent',
      `export * from './other@${'0'.repeat(16)}.js'`,
      {},
      /component other@0{16} is not published in this class/,
    ],
    ['big', `export const a = "${'x'.repeat(1024 * 1024)}"`, {}, /larger than 1 MB/],
    ['binary', Buffer.from([1, 0, 2]), {}, /it is not text/],
    ['record', '/* Tartaglia components: x */export const a = 1', {}, /begins like an agent/],
    ['twice', 'export const other = 1', { author: 'Bruno' }, /name twice belongs to the team "Team Anna"/],
    [
      'copied',
      'export const twice = (n) => 2 * n\nexport default class {}\n',
      { author: 'Bruno' },
      /very bytes.*twice/,
    ],
    ['python', 'x = 1', { fileName: 'a.py' }, /only \.js and \.ts/],
  ]
  for (const [name, text, more, says] of refusals) await expect(publish(name, text, more), name).rejects.toThrow(says)
  for (const name of ['../x', '__proto__', 'A', '', 'x@y', 'x'.repeat(41)])
    await expect(async () => publish(name, 'export const b = 1'), name).rejects.toThrow()
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
  expect((await room.call('components.get', { component: low.hash })).usedBy).toEqual(['anna'])

  // A copy in the package is the same agent; a changed copy, or one under another name, is refused.
  const path = componentPath(high)
  const main = `${importLine(high)}\nexport default class { constructor() { this.said = high() } }\n`
  const files = { 'anna.js': main, [path]: (await room.call('components.get', { component: high.hash })).text }
  expect((await submit('copy.zip', zip(files))).agent).toBe(one.agent)
  await expect(submit('forged.zip', zip({ ...files, [path]: 'export const high = 1' }))).rejects.toThrow(
    `${path} is not that component: its SHA-256 begins with `,
  )
  const other = `components/mine@${high.hash.slice(0, 16)}.js`
  const renamed = { 'anna.js': main.replace(path, other), [other]: files[path]! }
  await expect(submit('renamed.zip', zip(renamed))).rejects.toThrow('is not published in this class')
  expect((await room.call('sources.list', {})).total).toBe(0)
})

test('a use can be neither claimed nor mentioned by accident', async () => {
  const [low] = (await room.call('components.list', { search: 'low' })).items
  const claim = `/* Tartaglia components: low@${low!.hash} */\n${baby}`
  for (const text of [claim, `\n${claim}`, `\ufeff${claim}`])
    await expect(submit('claim.js', text)).rejects.toThrow('begins with the record of components')
  await expect(submit('claim.zip', zip({ 'agent.js': claim }))).rejects.toThrow('begins with the record of components')
  const mention = `// see './${componentPath(low!)}'\n${baby}`
  const { agent } = await submit('mention.js', mention)
  expect(stored(agent)).toBe(mention)
  const absent = `import { x } from './components/absent@${'0'.repeat(16)}.js'\nexport default class {}\n`
  await expect(submit('absent.js', absent)).rejects.toThrow(
    `absent.js cannot be accepted: the component absent@${'0'.repeat(16)} is not published in this class.`,
  )
})

test('chains of components and their number are bounded', async () => {
  let last = await publish('chain', 'export const c0 = 0\n')
  for (let at = 1; at <= 8; at++) {
    const text = `export { c${at - 1} as c${at} } from './chain@${last.hash.slice(0, 16)}.js'\n`
    last = await publish('chain', text)
  }
  await expect(publish('chain', `export * from './chain@${last.hash.slice(0, 16)}.js'\n`)).rejects.toThrow(
    'its components import each other over more than 8 steps',
  )
  const many = Array.from({ length: 65 }, (_, at) => `import './components/x@${String(at).padStart(16, '0')}.js'`)
  await expect(submit('many.js', many.join('\n'))).rejects.toThrow('it mentions more than 64 components')
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
  expect(without.stderr).toContain('is not in the folder "components" beside it')
  const { text } = await room.call('components.get', { component: kind.hash })
  writeFileSync(join(home, componentPath(kind)), text)
  const checked = await run('agent', 'check', mine, '--game', 'haggle', '--isolation', 'permission')
  expect(checked.stdout).toContain('fine')
  const { agent: inClass } = await submit('mine.js', agent)
  expect(usesOf(inClass)).toEqual([useOf(kind)])
  writeFileSync(join(home, componentPath(kind)), `${text}//`)
  expect((await run('agent', 'check', mine, '--game', 'haggle')).stderr).toContain('is not that component')
})
