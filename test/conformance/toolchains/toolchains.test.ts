import { homedir } from 'node:os'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import {
  declaredFolders,
  toolchainsFile,
  TOOLCHAINS_VARIABLE,
} from '../../../main/players/isolation/declared-toolchains.ts'
import { findToolchains } from '../../../main/players/isolation/toolchain-versions.ts'
import { buildProgram } from '../../../main/services/packages/build.ts'
import { prepareAgent } from '../../../main/services/packages/prepare.ts'
import { toolchainsOf } from '../../../main/worker/program-toolchains.ts'
import { requireToolchains } from '../../../main/services/machine/toolchains.ts'
import { refusal, refusedCommand } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { zip } from '../service/zip.ts'

// Boxes have a /tmp of their own, so that a toolchain cannot lie there.
const outside = mkdtempSync('/var/tmp/tartaglia-toolchains-')
chmodSync(outside, 0o755)
afterAll(() => rmSync(outside, { recursive: true, force: true }))
afterEach(() => vi.unstubAllEnvs())
const hasBoxes = existsSync('/usr/bin/bwrap')
const hasPython = existsSync('/usr/bin/python3')

/** A toolchain that is not one of the system: a Go that says its version, and reads a variable. */
function declareGo(): string {
  const folder = join(outside, 'go')
  mkdirSync(join(folder, 'tools'), { recursive: true })
  writeFileSync(join(folder, 'tools', 'go'), '#!/bin/sh\necho "go version go9.8.7 $GOROOT"\n', { mode: 0o755 })
  const file = join(outside, 'toolchains.json')
  writeFileSync(file, JSON.stringify({ go: { folder, path: ['tools'], environment: { GOROOT: '{folder}/root' } } }))
  vi.stubEnv(TOOLCHAINS_VARIABLE, file)
  return folder
}

test.skipIf(!hasBoxes)(
  'a declared toolchain is found in the box, before that of the system (needs bubblewrap)',
  async () => {
    const folder = declareGo()
    expect(await findToolchains('bubblewrap', process.execPath, { names: ['go'] })).toEqual([
      { name: 'go', version: '9.8.7' },
    ])
    const read = await declaredFolders()
    expect(read).toMatchObject({
      folders: [folder],
      path: [join(folder, 'tools')],
      environment: { GOROOT: `${folder}/root` },
    })
    for (const tier of ['bubblewrap', 'shared'] as const)
      await requireToolchains([{ name: 'go', version: '9.8' }], tier)
    await expect(requireToolchains([{ name: 'go', version: '9.9' }], 'bubblewrap')).rejects.toThrow(
      refusal('toolchain-missing', 'Go 9.9', '9.8.7'),
    )
  },
)

test('the old numbers of Java are those of today without their 1', async () => {
  const folder = join(outside, 'jdk')
  mkdirSync(join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'bin', 'javac'), '#!/bin/sh\necho "javac 1.8.0_392" >&2\n', { mode: 0o755 })
  const file = join(outside, 'toolchains.json')
  writeFileSync(file, JSON.stringify({ jdk: { folder } }))
  vi.stubEnv(TOOLCHAINS_VARIABLE, file)
  const tier = hasBoxes ? 'bubblewrap' : 'none'
  await requireToolchains([{ name: 'jdk', version: '8' }], tier)
  await expect(requireToolchains([{ name: 'jdk', version: '11' }], tier)).rejects.toThrow(
    refusal('toolchain-missing', 'JDK 11', '8.0'),
  )
})

test('a toolchain that is replaced while a worker plays is named with its new version', async () => {
  const folder = declareGo()
  const agents = [{ folder, command: ['go', 'run'], toolchains: ['go'], process: 'match' }] as const
  const tier = hasBoxes ? 'bubblewrap' : 'none'
  const declared = declaredFolders()
  expect(await toolchainsOf(agents, tier, declared)).toEqual({ go: '9.8.7' })
  writeFileSync(join(folder, 'tools', 'go'), '#!/bin/sh\necho "go version go10.0.1"\n')
  expect(await toolchainsOf(agents, tier, declared)).toEqual({ go: '10.0.1' })
  // The programs of this worker are started with the folders that it has read.
  const other = join(outside, 'other-go')
  mkdirSync(join(other, 'bin'), { recursive: true })
  writeFileSync(join(other, 'bin', 'go'), '#!/bin/sh\necho "go version go8.0.2"\n', { mode: 0o755 })
  writeFileSync(toolchainsFile(), JSON.stringify({ go: { folder: other } }))
  expect(await toolchainsOf(agents, tier, declared)).toEqual({ go: '10.0.1' })
  writeFileSync(join(folder, 'tools', 'go'), '#!/bin/sh\necho "go version go10.0.2"\n')
  expect(await toolchainsOf(agents, tier, declared)).toEqual({ go: '10.0.2' })
})

test.skipIf(!hasBoxes)('a build uses it, and nothing else of the machine appears (needs bubblewrap)', async () => {
  declareGo()
  const files = [{ path: 'agent.json', bytes: Buffer.from('{}') }]
  const command = ['/bin/sh', '-c', `go > version.txt; ls ${join(outside)} > listed.txt`]
  const made = await buildProgram({
    fileName: 'agent.zip',
    files,
    command,
    isolation: () => Promise.resolve('bubblewrap'),
  })
  const text = (path: string): string => Buffer.from(made.find((each) => each.path === path)?.bytes ?? []).toString()
  expect(text('version.txt')).toBe(`go version go9.8.7 ${join(outside, 'go')}/root\n`)
  expect(text('listed.txt')).toBe('go\n')
})

describe('a declaration that cannot be used', () => {
  const file = join(outside, 'wrong.json')
  symlinkSync('/proc', join(outside, 'processes'))
  const odd = join(outside, 'odd')
  mkdirSync(join(odd, 'bin'), { recursive: true })
  writeFileSync(join(outside, 'rustc'), '#!/bin/sh\n', { mode: 0o755 })
  symlinkSync('../../rustc', join(odd, 'bin', 'rustc'))
  writeFileSync(join(odd, 'bin', 'go'), '#!/bin/sh\n', { mode: 0o644 })
  test.each([
    ['not JSON', '{', []],
    ['a name that is not a toolchain', { perl: { folder: '/usr' } }, ['perl']],
    ['a folder that is not there', { go: { folder: '/usr/no-such-folder' } }, ['go', '/usr/no-such-folder']],
    ['the whole disk', { go: { folder: '/' } }, ['go']],
    ['a folder with much else', { go: { folder: '/var' } }, ['go', '/var']],
    ["a folder of many programs' data", { go: { folder: '/var/lib' } }, ['go', '/var/lib']],
    ['a link to a folder of boxes', { go: { folder: join(outside, 'processes') } }, ['go', 'processes']],
    ['a folder of boxes', { go: { folder: '/tmp' } }, ['go', '/tmp']],
    ['a relative path', { go: { folder: 'go' } }, ['folder']],
    ['a path that only looks like another one', { go: { folder: '/./tmp/go' } }, ['go']],
    ['a way out of its folder', { go: { folder: '/usr/lib', path: ['../../etc'] } }, ['path']],
  ])('%s', async (_, declared, facts) => {
    const message = await refusalOf(declared, facts)
    // Its programs are not looked for.
    expect(message).not.toMatch(/\bprogram\b/)
  })

  test.each([
    ['a folder without programs', { go: { folder: '/usr/share' } }, ['go', '/usr/share', 'bin']],
    [
      'a folder without the program of its toolchain',
      { go: { folder: '/usr', path: ['share', 'include'] } },
      ['go', 'share', 'include'],
    ],
    ['a link out of the folder', { rust: { folder: odd } }, ['rust', join(outside, 'rustc')]],
    ['a program that is not executable', { go: { folder: odd } }, ['go', odd, 'executed']],
  ])('%s', async (_, declared, facts) => {
    await refusalOf(declared, ['program', ...facts])
  })

  /** Declares these toolchains, and expects a refusal with these facts. Returns its sentence. */
  async function refusalOf(declared: string | object, facts: readonly string[]): Promise<string> {
    writeFileSync(file, typeof declared === 'string' ? declared : JSON.stringify(declared))
    const wrong = (await declaredFolders(file).catch((error: unknown) => error)) as Error
    expect(wrong).toBeInstanceOf(Error)
    for (const fact of [file, ...facts]) expect(wrong.message).toContain(fact)
    return wrong.message
  }

  test("is not that of a program that a box can start through links, nor that of Node, which is Tartaglia's own", async () => {
    const linked = join(outside, 'linked')
    for (const place of ['bin', 'lib']) mkdirSync(join(linked, place), { recursive: true })
    writeFileSync(join(linked, 'lib', 'go'), '#!/bin/sh\n', { mode: 0o755 })
    symlinkSync('../lib/go', join(linked, 'bin', 'go'))
    symlinkSync('/usr/bin/env', join(linked, 'bin', 'rustc'))
    symlinkSync(linked, join(outside, 'current'))
    const rust = { folder: linked }
    for (const go of [{ folder: linked }, { folder: join(outside, 'current') }]) {
      writeFileSync(file, JSON.stringify({ go, rust, node: { folder: odd } }))
      expect((await declaredFolders(file)).folders).toEqual([go.folder, linked, odd])
    }
  })

  test('is told by programs, builds and the command line, and scripts play on', async () => {
    writeFileSync(file, '{')
    vi.stubEnv(TOOLCHAINS_VARIABLE, file)
    const asked = await run('toolchains', '--json')
    expect(asked.code).toBe(3)
    expect(JSON.parse(asked.stdout)).toMatchObject(refusedCommand('toolchain-missing', file))
    const doctor = await run('doctor', '--quick', '--json', '--data', temporaryFolder('toolchains-doctor'))
    const { findings } = JSON.parse(doctor.stdout) as { findings: readonly { name: string; verdict: string }[] }
    expect(findings.find(({ name }) => name === 'toolchains')?.verdict).toBe('weak')
    expect(doctor.code).toBe(0)
  })
})

test('a relative folder of settings is ignored, by the XDG specification', () => {
  vi.stubEnv(TOOLCHAINS_VARIABLE, undefined)
  const inHome = join(homedir(), '.config', 'tartaglia', 'toolchains.json')
  for (const [given, file] of [
    ['settings', inHome],
    ['', inHome],
    ['/settings', '/settings/tartaglia/toolchains.json'],
  ] as const) {
    vi.stubEnv('XDG_CONFIG_HOME', given)
    expect(toolchainsFile()).toBe(file)
  }
})

test('a build that takes longer than the class allows is ended', async () => {
  const files = [{ path: 'agent.json', bytes: Buffer.from('{}') }]
  const isolation = (): Promise<'bubblewrap' | 'none'> => Promise.resolve(hasBoxes ? 'bubblewrap' : 'none')
  const limits = { seconds: 1, memoryMb: 256 }
  await expect(
    buildProgram({ fileName: 'agent.zip', files, command: ['sleep', '30'], isolation, limits }),
  ).rejects.toThrow(refusal('build-failed', 'agent.zip', '1 s'))
})

test('a hand-in that needs what its contest does not offer is refused before it is built', async () => {
  const manifest = { name: 'a', game: 'punter', kind: 'program', build: ['cargo', 'build'], command: ['./a'] }
  const content = zip({ 'agent.json': JSON.stringify(manifest) })
  const isolation = (): Promise<never> => Promise.reject(new Error('it is being built'))
  await expect(
    prepareAgent({ fileName: 'a.zip', content, game: 'punter', isolation, toolchains: [{ name: 'go' }] }),
  ).rejects.toThrow(refusal('toolchain-not-offered', 'a.zip', 'Rust', 'Go'))
})

describe.skipIf(!hasPython)('contests that offer toolchains (need Python)', () => {
  const folder = temporaryFolder('offering')
  const agent = join(folder, 'passer.zip')
  const pass = `import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("question") is None: continue
    answer = {"ready": message["punter"]} if message["type"] == "setup" else {"stopped": True} if message["type"] == "stop" else {"pass": {"punter": 0}}
    print(json.dumps({**answer, "question": message["question"]}), flush=True)
`
  writeFileSync(
    agent,
    zip({
      'agent.json': JSON.stringify({
        name: 'passer',
        game: 'punter',
        kind: 'program',
        command: ['python3', 'agent.py'],
      }),
      'agent.py': pass,
    }),
  )
  const contestWith = (toolchains: object): string => {
    const file = join(folder, 'contest.json')
    const entrants = [
      { name: 'passer', agent },
      { name: 'other', agent },
    ]
    const config = { map: 'sample' }
    const isolation = hasBoxes ? 'bubblewrap' : 'none'
    writeFileSync(
      file,
      JSON.stringify({
        title: 'Cup',
        game: 'punter',
        config,
        seed: 's',
        isolation,
        format: { type: 'single' },
        entrants,
        toolchains,
      }),
    )
    return file
  }
  const play = (toolchains: object, ...more: readonly string[]) =>
    run('contest', 'run', contestWith(toolchains), '--data', join(folder, 'data'), '--json', ...more)

  test('take no program that needs another one', async () => {
    const refused = await play([{ name: 'go' }])
    expect(refused.code).toBe(2)
    expect(JSON.parse(refused.stdout)).toMatchObject(refusedCommand('toolchain-not-offered', 'passer', 'Python', 'Go'))
  })

  test('do not begin on a machine that lacks them', async () => {
    const toolchains = [{ name: 'python', version: '99.1' }]
    const refused = await play(toolchains)
    expect(refused.code).toBe(3)
    expect(JSON.parse(refused.stdout)).toMatchObject(refusedCommand('toolchain-missing', 'Python 99.1'))
    const asked = await run('toolchains', contestWith(toolchains), '--json')
    expect(asked.code).toBe(3)
    const packages = await play([{ name: 'python', packages: ['no-such-package'] }])
    expect(JSON.parse(packages.stdout)).toMatchObject(refusedCommand('toolchain-missing', 'no-such-package'))
  })

  test('are played, and each history names the versions that played', async () => {
    const exported = join(folder, 'histories')
    const played = await play([{ name: 'python', version: '3' }], '--export', exported)
    expect(played.code, played.stdout).toBe(0)
    const [found] = await findToolchains(hasBoxes ? 'bubblewrap' : 'none', process.execPath, { names: ['python'] })
    const shown = await run(
      'history',
      'show',
      join(
        exported,
        readdirSync(exported).find((name) => name.endsWith('.jsonl'))!,
      ),
    )
    expect(shown.stdout).toContain(`Python ${found!.version!}`)
  })
})
