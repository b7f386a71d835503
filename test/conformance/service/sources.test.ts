import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filesOfZip } from '../../../main/services/packages/archives.ts'
import { run } from '../../unit/cli/environment.ts'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'
import { handIn, handInVersion } from './handed-in.ts'
import { zip } from './zip.ts'
import { refusal, saying } from '../../refusal.ts'

const place = openPlace('service-sources')
let room: Room
beforeAll(async () => {
  room = await openRoom(join(place.folder, 'data'))
}, 120_000)
afterAll(async () => {
  await room.service.close()
  place.remove()
})

const evil = '</script><img src=x onerror=alert(1)>\u001b[2J\u202e'
const list = async () => (await room.call('sources.list', {})).items.map(({ name, agent }) => ({ name, agent }))

async function submit(fileName: string, content: string | Uint8Array): Promise<{ name: string; agent: string }> {
  const { name, versions } = await room.submit({
    fileName,
    content,
    game: 'specker',
    wait: false,
  })
  return { name, agent: versions[0]!.agent }
}

async function play(entrants: readonly { name: string; agent: string }[], more: object = {}): Promise<void> {
  const created = await room.call('contests.create', { draft: draftOf([...entrants], more) })
  await room.call('contests.start', created)
  await room.until(created.contest, ({ summary }) => summary.state === 'ended')
}

test('a source becomes public when the version has taken part in the set number of contests, with the files of its team', async () => {
  const [secret, baby] = await handIn(room, ['greedy', 'baby'])
  await room.call('settings.set', { revealAfter: 2 })
  const main = `import { turn } from './lib/__proto__.ts'\nexport default turn // ${evil}\n`
  const own = await submit(
    'packed.zip',
    zip([
      ['agent.json', JSON.stringify({ name: 'anna', game: 'specker', kind: 'script', main: 'main.ts' })],
      ['main.ts', main],
      ['lib/__proto__.ts', 'export const turn = null'],
      ['picture.png', Buffer.from([0x89, 0x50, 0, 1])],
      ['latin1.txt', Buffer.from([0xe9, 0x21])],
    ]),
  )
  expect((await room.call('agents.get', { name: 'anna' })).versions[0]!.reveal).toEqual({ after: 2, contests: 0 })
  await play([own, baby!])
  await play([own, secret!], { practice: true })
  for (const name of ['sources.get', 'sources.download'] as const) {
    await expect(room.call(name, own)).rejects.toThrow(refusal('source-not-public', 'anna', 2, 1))
  }
  await expect(room.call('sources.file', { ...own, path: 'main.ts' })).rejects.toThrow(
    refusal('source-not-public', 'anna'),
  )
  expect(await list()).toEqual([])

  await play([own, secret!])
  expect(await list()).toEqual([own])
  const source = await room.call('sources.get', own)
  expect(source.remark).toBeNull()
  expect(source.files.map(({ path, shown }) => ({ path, shown }))).toEqual([
    { path: 'agent.json', shown: true },
    { path: 'main.ts', shown: true },
    { path: 'lib/__proto__.ts', shown: true },
    { path: 'picture.png', shown: false },
    { path: 'latin1.txt', shown: false },
  ])
  expect(await room.call('sources.file', { ...own, path: 'main.ts' })).toEqual({ text: main })
  for (const path of ['picture.png', '../../class.json', 'main.ts/', '__proto__', 'toString'])
    await expect(room.call('sources.file', { ...own, path })).rejects.toThrow(
      refusal('source-unavailable', JSON.stringify(path)),
    )
  const { fileName, download } = await room.call('sources.download', own)
  const { content, last } = await room.call('downloads.piece', { download })
  expect(last).toBe(true)
  expect(fileName).toMatch(/^source-[0-9a-f]{12}\.zip$/)
  const files = filesOfZip(fileName, Buffer.from(content, 'base64'))
  expect(files.map(({ path, bytes }) => [path, bytes.length])).toEqual(source.files.map((one) => [one.path, one.bytes]))

  // Its opponents were handed in when no rule held, and a change of the rule reveals or hides nothing.
  await room.call('settings.set', { revealAfter: 1 })
  expect(await list()).toEqual([own])
  await expect(room.call('sources.get', secret!)).rejects.toThrow(refusal('source-not-public', secret!.name))
  await room.call('settings.set', { revealAfter: 0 })
  expect(await list()).toEqual([own])
  const newer = await handInVersion(room, 'greedy', 'never revealed')
  await play([{ name: 'greedy', agent: newer }, baby!])
  expect(await list()).toEqual([own])
})

test('agents without source files say so: a web application, and a program of which only the result was handed in', async () => {
  await room.call('settings.set', { revealAfter: 1, webAddresses: ['http://10.0.0.7:8080/'] })
  const json = { name: 'elsewhere', game: 'specker', kind: 'web', address: 'http://10.0.0.7:8080/x' }
  const web = await submit('agent.json', JSON.stringify(json))
  const program = await submit(
    'compiled.zip',
    zip([
      ['agent.json', JSON.stringify({ name: 'compiled', game: 'specker', kind: 'program', command: ['./run'] })],
      ['run', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1])],
    ]),
  )
  const python = await submit(
    'python.zip',
    zip([
      ['agent.json', JSON.stringify({ name: 'snake', game: 'specker', kind: 'program', command: ['python3', 'a.py'] })],
      ['a.py', 'import sys\n'],
    ]),
  )
  // None of them can play here; a contest that has ended counts, whatever happened in it.
  const data = room.data
  await room.service.close()
  const path = join(data, 'class.json')
  const content = JSON.parse(readFileSync(path, 'utf8')) as { contests: { description: { entrants: unknown[] } }[] }
  content.contests[0]!.description.entrants.push(web, program, python)
  writeFileSync(path, JSON.stringify(content))
  room = await openRoom(data)

  expect(await room.call('sources.get', web)).toMatchObject({ files: [], remark: expect.stringContaining('web') })
  await expect(room.call('sources.download', web)).rejects.toThrow(refusal('source-unavailable', web.name))
  expect((await room.call('sources.get', program)).remark).toEqual(saying('"compiled"', 'no source'))
  expect(await room.call('sources.file', { ...python, path: 'a.py' })).toEqual({ text: 'import sys\n' })
})

test('the terminal shows and saves the same sources', async () => {
  const data = room.data
  const shown = await run('agent', 'source', 'anna', '--data', data)
  expect(shown.code).toBe(0)
  expect(shown.stdout).toContain('==== main.ts ====')
  expect(shown.stdout).toContain('onerror=alert(1)>\\x1b[2J\\u202e')
  expect(shown.stderr).toEqual(saying('2 files', 'not shown'))
  const file = await run('agent', 'source', 'anna', '--file', 'lib/__proto__.ts', '--data', data)
  expect(file.stdout).toBe('export const turn = null\n')
  const out = join(place.folder, 'anna.zip')
  expect((await run('agent', 'source', 'anna', '--out', out, '--data', data)).code).toBe(0)
  expect(filesOfZip(out, readFileSync(out))).toHaveLength(5)
  expect((await run('agent', 'source', 'anna', '--out', out, '--data', data)).stderr).toContain('already exists')
  const refused = await run('agent', 'source', 'greedy', '--data', data)
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toEqual(saying('"greedy"', 'source', 'public'))

  await room.service.close()
  const set = await run('agent', 'reveal', '--after', '3', '--data', data, '--json')
  expect(JSON.parse(set.stdout)).toMatchObject({ revealAfter: 3 })
  const table = (await run('agent', 'reveal', '--data', data)).stdout
  expect(table.split('\n')).toContainEqual(saying('public', 'class', '3 contests'))
  expect(table).toMatch(/anna +[0-9a-f]{12} +2 of 2 +public/)
  room = await openRoom(data)
})
