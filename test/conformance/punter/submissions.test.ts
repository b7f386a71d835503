import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { prepareAgent } from '../../../main/services/packages/prepare.ts'
import { PackageProblem } from '../../../main/services/packages/files.ts'
import { readTar, writeTar } from '../../../main/services/packages/tar.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { refusal, type Fact } from '../../refusal.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'

const folder = temporaryFolder('punter-submissions')

const bot = readFileSync(join(import.meta.dirname, 'offline-bot.mjs'), 'utf8')
/** A submission as section 7 wants it: `install` makes `punter` out of what is in `src`. */
const submission = {
  install: "#!/bin/sh\necho run >> installs\nprintf '#!/bin/sh\\nexec node src/bot.mjs\\n' > punter\n",
  PACKAGES: 'nodejs\n\n# a comment\npython3-numpy\nnodejs\n',
  README: 'Alice and Bob\n',
  'src/bot.mjs': bot,
}
const packed = (files: Readonly<Record<string, string>>, top = ''): Uint8Array =>
  gzipSync(writeTar(Object.entries(files).map(([path, text]) => ({ path: top + path, bytes: Buffer.from(text) }))))
const name = `icfp-${'0'.repeat(36)}.tar.gz`
const prepare = (content: Uint8Array, fileName = name, game = 'punter') =>
  prepareAgent({ fileName, content, game, isolation: () => Promise.resolve('none') })

describe('a submission of 2017', () => {
  test('is installed once and becomes a program with a process for each move; its packages are listed', async () => {
    const { manifest, agent, source } = await prepare(packed(submission))
    expect(manifest).toEqual({
      name: `icfp-${'0'.repeat(36)}`,
      game: 'punter',
      kind: 'program',
      command: ['./punter'],
      build: ['./install'],
      process: 'move',
      packages: ['nodejs', 'python3-numpy'],
    })
    expect(source).toEqual(packed(submission))
    const files = readTar(agent.bytes)
    if (files instanceof PackageProblem) throw new Error(files.why)
    const text = (wanted: string): string => Buffer.from(files.find(({ path }) => path === wanted)!.bytes).toString()
    expect(text('installs')).toBe('run\n')
    expect(text('punter')).toBe('#!/bin/sh\nexec node src/bot.mjs\n')
    expect(JSON.parse(text('agent.json'))).toEqual(manifest)
  })

  test('may lie in a folder, may have its punter already, and may be a .tgz', async () => {
    const ready = { punter: submission.install, 'src/bot.mjs': bot }
    for (const [content, file] of [
      [packed(ready, 'team/'), 'team.tar.gz'],
      [packed({ ...ready, '._punter': 'x' }), 'team.TGZ'],
    ] as const) {
      const { manifest } = await prepare(content, file)
      expect(manifest).toMatchObject({ name: 'team', command: ['./punter'], process: 'move', packages: [] })
      expect(manifest.build).toBeUndefined()
    }
  })

  test('plays its trial match, and agent check lists its packages', async () => {
    const file = join(folder, name)
    writeFileSync(file, packed(submission))
    const { code, stdout } = await run('agent', 'check', '--game', 'punter', file, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, packages: ['nodejs', 'python3-numpy'] })
    expect(code).toBe(0)
  }, 60_000)

  test('is shown with the whole log by agent check if its install fails', async () => {
    const file = join(folder, name)
    writeFileSync(file, packed({ ...submission, install: '#!/bin/sh\necho first words\necho no make\nexit 3\n' }))
    const { code, stderr } = await run('agent', 'check', '--game', 'punter', file)
    expect([code, stderr.split('\n').slice(1)]).toEqual([2, ['first words', 'no make', '']])
  })

  test.each<[string, Uint8Array, ErrorCode, ...Fact[]]>([
    ['no gzip', new TextEncoder().encode('x'), 'not-a-gzip'],
    ['no archive', gzipSync('x'.repeat(2_000)), 'archive-damaged'],
    ['a file outside', packed({ ...submission, '../x': 'x' }), 'path-leaves-package', '"../x"'],
    [
      'an install that makes no punter',
      packed({ ...submission, install: '#!/bin/sh\n' }),
      'build-incomplete',
      './punter',
    ],
    [
      'an install that fails',
      packed({ ...submission, install: '#!/bin/sh\necho no make\nexit 3\n' }),
      'build-failed',
      3,
      'no make',
    ],
    [
      'neither install nor punter',
      packed({ README: 'x', PACKAGES: '' }),
      'submission-incomplete',
      './punter',
      './install',
    ],
    ['an install alone', packed({ README: 'x', install: '#!/bin/sh\n' }), 'submission-incomplete', './PACKAGES'],
    ['none of the files', packed({ README: 'x' }), 'script-missing'],
  ])('%s is refused in a sentence', async (_, content, code, ...facts) => {
    await expect(prepare(content)).rejects.toThrow(refusal(code, name, ...facts))
  })

  test('that unpacks to more than a package may hold is refused before it fills the memory', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024))
    await expect(prepare(bomb)).rejects.toThrow(refusal('archive-too-large', name, '64 MB'))
  })

  test('does not exist for a game without such a form, whose own packages may be a .tar.gz', async () => {
    await expect(prepare(packed({ punter: 'x', install: 'x' }), name, 'specker')).rejects.toThrow(
      refusal('script-missing', name),
    )
    const agentJson = JSON.stringify({ name: 'a', game: 'specker', kind: 'program', command: ['./run'] })
    const { manifest } = await prepare(packed({ 'agent.json': agentJson, run: 'x' }), name, 'specker')
    expect(manifest).toMatchObject({ name: 'a', command: ['./run'] })
  })
})
