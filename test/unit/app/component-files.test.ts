import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { componentPath, importLine, type Component } from '../../../main/contract/procedures/components.ts'
import {
  findComponents,
  findNeighbours,
  hasRecord,
  mentionsComponents,
  recordedComponents,
  withRecord,
  type ComponentSource,
} from '../../../main/services/packages/component-files.ts'
import { refusal } from '../../refusal.ts'

/** A market in memory. */
function market(): ComponentSource & { add(name: string, text: string): string } {
  const known = new Map<string, Uint8Array>()
  return {
    add(name, text) {
      const path = componentPath({ name, hash: hash('sha256', text), ending: 'js' })
      known.set(path, Buffer.from(text))
      return path
    },
    find: async ({ name, digits, ending }) => known.get(`components/${name}@${digits}.${ending}`) ?? null,
    missing: 'is not there',
  }
}
const neighbour = (path: string): string => `import './${path.slice('components/'.length)}'\n`
const mainFile = (text: string) => [{ path: 'main.js', bytes: Buffer.from(text) }]

test('components are found through each other, once each, up to a depth, a number and a size', async () => {
  const source = market()
  const low = source.add('low', 'export const a = 1')
  const high = source.add('high', neighbour(low) + neighbour(low))
  const found = await findComponents('x', mainFile(`import './${high}'\nimport "../${low}"`), source)
  expect(found.files.map(({ path }) => path)).toEqual([high, low])
  expect([...found.uses.values()].map(({ name }) => name)).toEqual(['high', 'low'])

  let chain = source.add('chain', 'export const c = 0')
  for (let at = 1; at < 8; at++) chain = source.add('chain', `${neighbour(chain)}// ${at}`)
  expect((await findComponents('x', mainFile(`import './${chain}'`), source)).files).toHaveLength(8)
  chain = source.add('chain', neighbour(chain))
  await expect(findComponents('x', mainFile(`import './${chain}'`), source)).rejects.toThrow(
    refusal('component-limit', 'x', 8),
  )
  const many = Array.from({ length: 65 }, (_, at) => source.add(`n${at}`, `export const n = ${at}`))
  await expect(
    findComponents('x', mainFile(many.map((path) => `import './${path}'`).join('\n')), source),
  ).rejects.toThrow(refusal('component-limit', 64))
  const large = Array.from({ length: 9 }, (_, at) => source.add('large', `//${at}`.padEnd(1024 * 1024)))
  await expect(findNeighbours('x', Buffer.from(large.map(neighbour).join('')), source)).rejects.toThrow(
    refusal('too-large', 'x', '8 MB'),
  )
})

test('a cycle ends, should anybody ever find two texts with the hashes of each other', async () => {
  const asked: string[] = []
  const [a, b] = ['a@0000000000000000', 'b@0000000000000000']
  const source: ComponentSource = {
    find: async ({ name }) => {
      asked.push(name)
      return Buffer.from(`import './${name === 'a' ? b : a}.js'`)
    },
    missing: '',
  }
  // The hashes do not fit, so it ends with the first.
  await expect(findComponents('x', mainFile(`import './components/${a}.js'`), source)).rejects.toThrow(
    refusal('component-forged', 'x', a!),
  )
  expect(asked).toEqual(['a'])
})

test('only a whole reference in a folder of components is one', () => {
  const digits = '0123456789abcdef'
  const is = (text: string) => mentionsComponents(Buffer.from(text))
  expect(is(`import './components/a-b@${digits}.js'`)).toBe(true)
  expect(is(`import "../components/a@${digits}.ts"`)).toBe(true)
  for (const path of [
    `components/a@${digits}.json`,
    `components/a@${digits}0.js`,
    `components/A@${digits}.js`,
    `components/-a@${digits}.js`,
    `components/../a@${digits}.js`,
    `components/a@${digits.toUpperCase()}.js`,
    `mycomponents/a@${digits}.js`,
    `components/${'a'.repeat(41)}@${digits}.js`,
    'components/util.js',
  ]) {
    expect(is(`import './${path}'`), path).toBe(false)
  }
})

test('a record is read from the first line only, and is what was written', () => {
  const uses = [
    { name: 'b', hash: 'b'.repeat(64) },
    { name: 'a-1', hash: 'a'.repeat(64) },
  ]
  const script = withRecord(uses, Buffer.from('code'))
  expect(Buffer.from(script).toString().split('\n')[1]).toBe('code')
  expect(recordedComponents(script)).toEqual(uses.toReversed())
  expect(withRecord([], script)).toBe(script)
  expect(hasRecord(script)).toBe(true)
  expect(recordedComponents(Buffer.concat([Buffer.from('\n'), script]))).toEqual([])
  expect(recordedComponents(Buffer.from('/* Tartaglia components: __proto__@x a@1 */\n'))).toEqual([])
  expect(recordedComponents(Buffer.from([0xff, 0xfe]))).toEqual([])
})

test('the import line names what can be named', () => {
  const facts = { name: 'map-maker', hash: 'a'.repeat(64), ending: 'js' as const }
  const line = (exports: Component['exports']) => importLine({ ...facts, exports })
  const path = `'./components/map-maker@${'a'.repeat(16)}.js'`
  expect(line(['default'])).toBe(`import mapMaker from ${path}`)
  expect(line(['b', 'default', 'a b', "';alert(1)//"])).toBe(`import mapMaker, { b } from ${path}`)
  expect(line([])).toBe(`import ${path}`)
})
