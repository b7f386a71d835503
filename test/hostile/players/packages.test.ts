import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ExpectedError } from '../../../main/contract/expected-error.ts'
import { checkAgent } from '../../../main/services/contests/command/check-agent.ts'
import { playContestFile } from '../../../main/services/contests/command/contest-command.ts'
import { playSingleMatch } from '../../../main/services/contests/command/play-match.ts'
import type { PackageFile } from '../../../main/services/packages/files.ts'
import { prepareAgent, type PreparedAgent } from '../../../main/services/packages/prepare.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { readForeignTar, readTar, writeTar } from '../../../main/services/packages/tar.ts'
import type { IsolationTier } from '../../../main/contract/limits.ts'
import { zip } from '../../conformance/service/zip.ts'
import { pythonKit } from '../../python-kit.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { has, hasPython } from './programs.ts'
import { refusal, saying, type Fact } from '../../refusal.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'

const folder = temporaryFolder('packages')

const prepare = (
  content: Uint8Array,
  fileName = 'mine.zip',
  isolation: IsolationTier = 'bubblewrap',
): Promise<PreparedAgent> =>
  prepareAgent({ fileName, content, game: 'specker', isolation: () => Promise.resolve(isolation) })

const manifest = (more: object): string => JSON.stringify({ name: 'mine', game: 'specker', kind: 'program', ...more })
const command = ['python3', 'agent.py']

/** A zip's list says that this one is a link, a pipe, a device. */
const kindOnUnix = (mode: number) => (central: Buffer, name: string) => {
  if (name !== 'x') return
  central[5] = 3
  central.writeUInt32LE(mode * 0x10000, 38)
}

describe('a zip', () => {
  const good = { 'agent.json': manifest({ command }), 'agent.py': '' }
  test.each<[string, Buffer, ErrorCode, ...Fact[]]>([
    ['that climbs', zip({ ...good, '../x': '' }), 'path-leaves-package', '"../x"'],
    ['that climbs on Windows', zip({ ...good, 'a\\..\\..\\x': '' }), 'path-leaves-package', '"a/../../x"'],
    ['with an absolute path', zip({ ...good, '/etc/x': '' }), 'path-absolute', '"/etc/x"'],
    ['with a drive', zip({ ...good, 'C:/x': '' }), 'path-absolute', '"C:/x"'],
    ['with a link', zip({ ...good, x: '/etc/passwd' }, kindOnUnix(0o120777)), 'archive-link', '"x"'],
    ['with a device', zip({ ...good, x: '' }, kindOnUnix(0o020666)), 'archive-link', '"x"'],
    ['with a pipe', zip({ ...good, x: '' }, kindOnUnix(0o010666)), 'archive-link', '"x"'],
    ['with a name twice', zip([...Object.entries(good), ['x', '1'], ['x', '2']]), 'path-twice', '"x"'],
    [
      'with names that differ in case',
      zip({ ...good, 'a/Read': '', 'A/read': '' }),
      'paths-alike',
      '"a/Read"',
      '"A/read"',
    ],
    ['with names that differ in spelling', zip({ ...good, '\u00e9': '', 'e\u0301': '' }), 'path-twice', '"\u00e9"'],
    ['with a file that is a folder', zip({ ...good, a: '', 'a/b': '' }), 'path-file-and-folder', '"a"'],
    ['with the name of a device', zip({ ...good, 'aux.py': '' }), 'path-device-name', '"aux.py"'],
    ['with a line end in a name', zip({ ...good, 'a\nb': '' }), 'path-characters', '"a\\nb"'],
    ['with bytes in a name', zip({ ...good, 'a\ufffd': '' }), 'path-characters', '"a\ufffd"'],
    ['with a long name', zip({ ...good, ['x'.repeat(101)]: '' }), 'path-too-long', 'x'.repeat(79)],
    ['that is a bomb', zip({ ...good, x: new Uint8Array(30_000_000) }), 'archive-bomb', '"x"'],
    [
      'that is many small bombs',
      zip(Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`x${at}`, new Uint8Array(1_000_000)]))),
      'archive-too-large',
      '64 MB',
    ],
    [
      'with too many files',
      zip(Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`x${at}`, '']))),
      'archive-too-many-files',
      2000,
    ],
    ['of a program without a command', zip({ 'agent.json': manifest({}) }), 'manifest-invalid', 'command'],
    ['of a network agent', zip({ 'agent.json': manifest({ kind: 'network' }) }), 'kind-not-accepted', 'network'],
  ])('%s is refused', async (_what, content, code, ...facts) => {
    await expect(prepare(content)).rejects.toThrow(refusal(code, ...facts))
  })

  test('in a zip is a file like any other', async () => {
    const { agent } = await prepare(zip({ ...good, 'inner.zip': zip({ '../x': 'x' }) }))
    expect((readTar(agent.bytes) as PackageFile[]).map(({ path }) => path)).toContain('inner.zip')
  })

  test('of equal files is the same agent, whenever and however it was packed', async () => {
    const [one, other] = await Promise.all([
      prepare(zip({ a: '1', b: '2', ...good })),
      prepare(zip({ 'bot/agent.py': '', 'bot/b': '2', 'bot/agent.json': good['agent.json'], 'bot/a': '1' })),
    ])
    expect(one.agent.bytes).toEqual(other.agent.bytes)
    expect(one.source).not.toEqual(other.source)
  })
})

describe('an archive', () => {
  const archive = Buffer.from(writeTar([{ path: 'a', bytes: Buffer.from('x') }]))
  /** Changes a header field and mends the checksum. */
  const changed = (at: number, text: string): Buffer => {
    const made = Buffer.from(archive)
    made.write(text, at)
    made.write('        ', 148)
    let sum = 0
    for (const byte of made.subarray(0, 512)) sum += byte
    made.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return made
  }
  test.each<[string, Buffer, ErrorCode, ErrorCode?]>([
    ['a link', changed(156, '2'), 'archive-link'],
    ['a hard link', changed(156, '1'), 'archive-link'],
    ['a device', changed(156, '3'), 'archive-link'],
    ['a long size', changed(124, '77777777777'), 'archive-cut-off', 'archive-too-large'],
    ['a path that climbs', changed(0, '../'), 'path-leaves-package'],
    ['another checksum', Buffer.from(archive.map((byte, at) => (at === 0 ? byte + 1 : byte))), 'archive-damaged'],
    ['no end', archive.subarray(0, 700), 'archive-cut-off'],
  ])('with %s is refused, be it ours or another program’s', async (_what, content, code, foreignCode = code) => {
    expect(readTar(content)).toMatchObject({ code })
    expect(await readForeignTar(content)).toMatchObject({ code: foreignCode })
  })

  test('holds what was put in, long paths too', () => {
    const path = `${'d'.repeat(50)}/${'e'.repeat(100)}`
    expect(readTar(writeTar([{ path, bytes: Buffer.from('x') }]))).toMatchObject([{ path }])
  })
})

describe('an archive of another program', () => {
  const folder = temporaryFolder('foreign')
  const long = `${'very-'.repeat(15)}long/${'näme-'.repeat(8)}.py`
  mkdirSync(dirname(join(folder, long)), { recursive: true })
  writeFileSync(join(folder, long), 'print(1)')
  writeFileSync(join(folder, 'agent.json'), '{}')
  symlinkSync('/etc/passwd', join(folder, 'link'))
  const packed = (format: string, ...names: readonly string[]): Buffer =>
    execFileSync('tar', ['-cf', '-', `--format=${format}`, ...names], { cwd: folder })
  const missing = spawnSync('tar', ['--version']).error !== undefined

  test.skipIf(missing).each(['pax', 'gnu'])(
    'of the format %s is read, long names and all (needs tar)',
    async (format) => {
      expect(await readForeignTar(packed(format, './agent.json', long))).toEqual([
        { path: 'agent.json', bytes: Buffer.from('{}') },
        { path: long, bytes: Buffer.from('print(1)') },
      ])
      expect(await readForeignTar(packed(format, 'link'))).toMatchObject({
        code: 'archive-link',
        why: saying('"link"'),
      })
      expect(await readForeignTar(packed(format, 'agent.json', long).subarray(0, 1_800))).toMatchObject({
        code: expect.stringMatching(/^archive-(cut-off|damaged)$/) as string,
      })
    },
  )
})

const boxed = test.skipIf(!has('bubblewrap'))

describe('bundling and building (building needs bubblewrap)', () => {
  const script = { name: 'mine', game: 'specker', kind: 'script' }

  test('scripts and TypeScript become one script; what was handed in is kept', async () => {
    const content = zip({
      'agent.json': JSON.stringify({ ...script, main: 'src/main.ts' }),
      'src/main.ts': `import { one } from './one.ts'\nexport default class { turn(): number { return one } }`,
      'src/one.ts': 'export const one: number = 1',
    })
    const { agent, source, manifest: told } = await prepare(content)
    const module: { exports: new () => { turn(): number } } = {
      exports: class {
        turn = () => 0
      },
    }
    new Function('module', Buffer.from(agent.bytes).toString())(module)
    expect(new module.exports().turn()).toBe(1)
    expect(source).toBe(content)
    expect(told).toMatchObject({ name: 'mine', kind: 'script' })
    expect((await prepare(Buffer.from('export default class { x: number = 1 }'), 'a.ts')).agent.kind).toBe('script')
  })

  test.each<[string, string, ...Fact[]]>([
    ['what is not in the package', `import fs from './nope.ts'\nfs()`, 'main.ts:1:15', '"./nope.ts"'],
    ['a file of the host', `import x from ${JSON.stringify(join(folder, 'secret.json'))}\nx()`, 'main.ts:1:14'],
    ['a climbing path', `import x from '../../../../etc/passwd'\nx()`, 'main.ts:1:14'],
    ['an invalid script', 'class {', 'main.ts:1:6'],
  ])('%s cannot be bundled', async (_what, text, ...facts) => {
    writeFileSync(join(folder, 'secret.json'), '"secret"')
    const content = zip({ 'agent.json': JSON.stringify({ ...script, main: 'main.ts' }), 'main.ts': text })
    await expect(prepare(content)).rejects.toThrow(refusal('not-bundled', 'mine.zip', ...facts))
  })

  const build = (text: string, isolation: IsolationTier = 'bubblewrap'): Promise<PreparedAgent> => {
    const content = zip({
      'agent.json': manifest({ command: ['./made'], build: ['sh', 'build.sh'] }),
      'build.sh': text,
    })
    return prepare(content, 'mine.zip', isolation)
  }

  test("Node's permissions hold no build, in a sentence", async () => {
    await expect(build('', 'permission')).rejects.toThrow(
      refusal('build-unavailable', 'mine.zip', 'bubblewrap', '"none"'),
    )
  })

  const unboxed = test.skipIf(process.platform === 'win32')
  unboxed('with consent to nothing a build runs without a box, and nothing of it is left', async () => {
    const { agent } = await build(
      'pwd > made; ln -s made link; ln made hard; mkdir sub; chmod 0 sub build.sh; chmod 700 sub build.sh; (sleep 1000 &)',
      'none',
    )
    const files = readTar(agent.bytes) as PackageFile[]
    expect(files.map(({ path }) => path).sort()).toEqual(['agent.json', 'build.sh', 'hard', 'link', 'made'])
    const where = Buffer.from(files.find(({ path }) => path === 'made')!.bytes)
      .toString()
      .trim()
    expect([where, existsSync(where)]).toEqual([expect.stringContaining('tartaglia-agent-'), false])
    const refused = await build('touch left; echo "a.c:3:1: error: mistaken" >&2; pwd >&2; exit 3', 'none').then(
      () => expect.fail('the build succeeded'),
      (error: unknown) => error as ExpectedError,
    )
    expect(refused).toEqual(refusal('build-failed', 'a.c', 3, 1, 'mistaken'))
    const failed = refused.details!.trim().split('\n').at(-1)
    expect([failed, existsSync(failed!)]).toEqual([expect.stringContaining('tartaglia-agent-'), false])
  })

  unboxed('the command line prints all that a failed build has printed below its sentence', async () => {
    const file = join(folder, 'failing.zip')
    const log = 'note 1\nnote 2\na.c:3:1: error: mistaken\n  it stands here\nnote 3\n'
    const files = {
      'agent.json': manifest({ command: ['./made'], build: ['sh', 'build.sh'] }),
      'build.sh': 'cat log; exit 3',
      log,
    }
    writeFileSync(file, zip(files))
    const { code, stdout, stderr } = await run('agent', 'check', file, '--isolation', 'none')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    const [sentence] = stderr.slice(0, stderr.indexOf(log)).trimEnd().split('\n').slice(-1)
    expect(sentence).toEqual(saying('failing.zip', 'a.c', 3, 'mistaken'))
    expect(stderr.endsWith(log)).toBe(true)
    const { error, details } = JSON.parse(
      (await run('agent', 'check', file, '--isolation', 'none', '--json')).stdout,
    ) as {
      error: string
      details: string
    }
    expect([error, details]).toEqual([sentence, log])
  })

  boxed('what a build leaves is the agent, links followed; its agent.json is the one handed in', async () => {
    const { agent, source } = await build(
      `echo building; echo made > made; ln -s made link; mkdir sub; ln /work/made sub/hard; echo '{}' > agent.json`,
    )
    const files = readTar(agent.bytes) as PackageFile[]
    expect(files.map(({ path, bytes }) => [path, path === 'agent.json' ? '' : Buffer.from(bytes).toString()])).toEqual([
      ['agent.json', ''],
      ['build.sh', expect.any(String)],
      ['link', 'made\n'],
      ['made', 'made\n'],
      ['sub/hard', 'made\n'],
    ])
    expect(Buffer.from(files[0]!.bytes).toString()).toContain('./made')
    expect(source).not.toBeNull()
  })

  boxed.each<[string, string, ErrorCode, ...Fact[]]>([
    ['fails', 'echo reason >&2; exit 3', 'build-failed', 3, 'reason'],
    [
      'fills the disk',
      'yes > a & yes > b & yes > c & wait; head -c 70000000 /dev/zero > big && exit 0; exit 9',
      'build-failed',
      '16 MB',
    ],
    ['prints without end', 'yes', 'build-failed', '64 MB'],
    ['leaves a pipe', 'mkfifo pipe', 'archive-link', '"pipe"'],
    ['leaves an odd name', `touch 'a\nb'`, 'path-characters', '"a\\nb"'],
    ['reads the host', `cat ${JSON.stringify(folder)}/secret.json > x`, 'build-failed', 1],
    ['looks for the network', 'cat < /dev/tcp/127.0.0.1/1', 'build-failed'],
  ])('a build that %s is refused', async (_what, text, code, ...facts) => {
    await expect(build(text)).rejects.toThrow(refusal(code, 'mine.zip', ...facts))
  })
})

const python = test.skipIf(!has('bubblewrap') || !hasPython)

describe('packages of programs (needs bubblewrap, python3)', () => {
  const file = (name: string, content: Uint8Array): string => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
  const options = {
    data: join(folder, 'none'),
    config: {},
    signal: new AbortController().signal,
    onNotice: () => undefined,
  } as const

  python('the kit for Python plays its match against the baby, as its check says', { timeout: 240_000 }, async () => {
    const mine = file('mine.zip', zip(pythonKit('specker')))
    const config = { challenge: 'max-csp' }
    const { ok, text } = await checkAgent({ ...options, config, file: mine, game: 'specker', isolation: 'bubblewrap' })
    expect([ok, text]).toEqual([true, saying('match', 'baby', 'to the end')])
  })

  python('the kit for Python haggles', { timeout: 240_000 }, async () => {
    const agent = `from haggle import play_haggle
class Agent:
    def __init__(self, me, counts, values, max_rounds): self.counts = counts
    def offer(self, o): return self.counts if o is None else None
play_haggle(Agent)`
    const mine = file('haggler.zip', zip({ ...pythonKit('haggle'), 'agent.py': agent }))
    const greedy = file(
      'greedy.js',
      Buffer.from('module.exports = class { constructor(me, c) { this.c = c } offer(o) { return this.c } }'),
    )
    const played = await playSingleMatch({
      ...options,
      game: 'haggle',
      agents: [greedy, mine],
      seed: 'x',
      clock: 'frozen',
      isolation: 'bubblewrap',
    })
    // The second accepts whatever it is left: nothing.
    expect(played.seats.map(({ score, faults }) => [score, faults])).toEqual([
      [10, []],
      [0, []],
    ])
  })

  python(
    'a contest with hostile programs in it ends, and is right for everybody else',
    { timeout: 300_000 },
    async () => {
      const dead = `import sys, json, os, time
for line in sys.stdin:
    m = json.loads(line)
    if m['type'] == 'turn': `
      const hostile: Record<string, [string, string]> = {
        bomb: ['while True:\n      try: os.fork()\n      except OSError: pass', 'isolation'],
        hog: ['x = []\n    while m["type"] == "turn": x.append(bytearray(10_000_000))', 'memory'],
        flood: ['pass\n    while m["type"] == "turn": os.write(1, b"x" * 65536)', 'protocol'],
        rubbish: ['os.write(1, b"\\xff\\xfe\\n")', 'protocol'],
        quitter: ['sys.exit(7)', 'crash'],
      }
      // A process a move, which remembers the number of its turns and offers another predicate in each.
      const forgetful = manifest({ command, process: 'move' })
      const idle = `import sys, json
print('{"ready":true}', flush=True)
m = json.loads(sys.stdin.readline())
turns = (m['state'] or 0) + 1
actions = []
if m['type'] == 'turn':
    me, config = m['start']['me'], m['start']['config']
    for each in m['toDeliver']:
        constraint = {'weight': 1, 'relation': each['predicate']['relations'][0], 'variables': [1, 2, 3]}
        instance = {'variables': 3, 'constraints': [constraint]}
        actions.append({'type': 'deliver', 'challenge': each['challenge'], 'instance': instance})
    if m['trading']:
        for each in m['store']:
            lower = max(0, each['price'] - config['mindec'])
            if each['seller'] != me:
                actions.append({'type': 'reoffer', 'challenge': each['challenge'], 'price': lower})
        actions.append({'type': 'offer', 'predicate': {'relations': [turns, 250]}, 'price': 900000000})
print(json.dumps({'question': m['question'], 'actions': actions, 'state': turns}), flush=True)`
      const entrants = [
        ...Object.entries(hostile).map(([name, [text]]) => ({
          name,
          agent: file(
            `${name}.zip`,
            zip({
              'agent.json': manifest({ command }),
              'agent.py': `${dead}${text}\n    print(json.dumps({'question': m['question'], 'actions': []}), flush=True)`,
            }),
          ),
        })),
        { name: 'honest', agent: file('mine.zip', zip(pythonKit('specker'))) },
        { name: 'forgetful', agent: file('forgetful.zip', zip({ 'agent.json': forgetful, 'agent.py': idle })) },
        { name: 'script', agent: join(resources.agents, 'specker', 'baby.js') },
      ]
      const contest = file(
        'contest.json',
        Buffer.from(
          JSON.stringify({
            title: 'Hostile programs',
            game: 'specker',
            config: { challenge: 'max-csp', maxTurns: 2 },
            format: { type: 'round-robin', seats: 2 },
            seed: 'x',
            limits: { memoryMb: 512, moveMs: 20_000 },
            entrants,
          }),
        ),
      )
      const { signal, onNotice } = options
      const report = await playContestFile({
        contest,
        data: join(folder, 'data'),
        cores: 2,
        signal,
        onNotice,
        onProgress: () => undefined,
      })
      expect(report.state).toBe('finished')
      expect(report.matches).toMatchObject({ total: 28, played: 28, void: 0 })
      for (const { agent, faults, removals } of report.standings) {
        const mean = agent in hostile
        expect([agent, faults > 0, removals > 0]).toEqual([agent, mean, mean])
      }
      const good = report.standings.filter(({ agent }) => !(agent in hostile)).map(({ rank }) => rank)
      expect(Math.max(...good)).toBeLessThanOrEqual(3)
      expect(existsSync(join(folder, 'data'))).toBe(true)
    },
  )
})
