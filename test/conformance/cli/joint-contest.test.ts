import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import { canonicalText, hashOf, sha256 } from '../../../main/histories/canonical.ts'
import { chainLine, linkHash, tagOf, type ChainValue } from '../../../main/histories/chain.ts'
import { openKeys } from '../../../main/histories/key-files.ts'
import { merkleTree } from '../../../main/histories/merkle.ts'
import { rootText } from '../../../main/histories/segments/seal-texts.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { tartaglia, writeContest, type Ended } from './process.ts'
import { refusedCommand, saying } from '../../refusal.ts'

// Two classes in two data folders, and a panel that has nothing but the exported files and the keys.

let folder = ''
const at = (...path: readonly string[]): string => join(folder, ...path)
const verona = (): string => at('verona')
const padova = (): string => at('padova')

async function ran(...args: readonly string[]): Promise<Ended> {
  const ended = await tartaglia(...args).ended
  if (ended.code !== 0) throw new Error(`${args.join(' ')}: ${ended.stderr}`)
  return ended
}

const shipped = (name: string) => ({ name, agent: name })

/** A contest file of three, two a match. */
function contest(where: string, entrants: readonly object[], title = 'Joint contest'): string {
  return writeContest(at(where), { title, entrants })
}

beforeAll(async () => {
  folder = temporaryFolder('joint')
  const own = contest(
    'padova-file',
    [
      { name: 'anna', agent: 'greedy' },
      { name: 'bert', agent: 'sampler' },
    ],
    'Padova',
  )
  await ran('contest', 'run', own, '--data', padova(), '--export', at('played-in-padova'))
  await ran('entries', 'export', at('padova.entries'), 'anna', 'bert', '--school', 'Liceo Padova', '--data', padova())
  const joint = contest('verona-file', [
    shipped('baby'),
    { name: 'anna', school: 'Padova' },
    { name: 'bert', entries: '../padova.entries' },
  ])
  // Without a confirmed key none of its entries play, and nothing is kept of the attempt.
  const early = await tartaglia('contest', 'run', joint, '--data', verona(), '--json').ended
  expect([early.code, JSON.parse(early.stdout)]).toEqual([2, refusedCommand('entries-missing', '"Padova"')])
  await ran('entries', 'import', at('padova.entries'), '--data', verona(), '--trust', 'Padova')
  await ran('contest', 'run', joint, '--data', verona(), '--export', at('played'))
  // The third machine: the files and the public keys, which both classes publish.
  mkdirSync(at('panel'))
  cpSync(at('played'), at('panel', 'played'), { recursive: true })
  cpSync(at('played-in-padova'), at('panel', 'played-in-padova'), { recursive: true })
}, 120_000)

const hostKey = (): string => at('panel', 'played', 'class.pub')
const schoolKey = (): string => at('panel', 'played-in-padova', 'class.pub')
const linesOf = (text: string): readonly string[] => text.split('\n')
const filesIn = (...path: readonly string[]): readonly string[] =>
  readdirSync(at(...path))
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => at(...path, name))

interface Verified {
  readonly code: number | null
  readonly files: readonly {
    readonly verdict: string
    readonly message?: string
    readonly signer: { readonly name: string }
    readonly entries: readonly { readonly name: string; readonly signer: { readonly name: string | null } }[]
  }[]
}

async function verify(files: readonly string[], ...keys: readonly string[]): Promise<Verified> {
  const options = keys.flatMap((key) => ['--key', key])
  const { code, stdout } = await run('history', 'verify', ...files, ...options, '--json')
  return { ...(JSON.parse(stdout) as Verified), code }
}

describe('a joint contest', () => {
  test('with the keys of both, each seat of the other school is proven', async () => {
    const { code, files } = await verify(filesIn('panel', 'played'), hostKey(), schoolKey())
    expect(code).toBe(0)
    expect(files).toHaveLength(3)
    for (const file of files) {
      expect(file).toMatchObject({ verdict: 'genuine', signer: { name: `the key in ${hostKey()}` } })
      for (const { signer } of file.entries) expect(signer.name).toBe(`the key in ${schoolKey()}`)
    }
    expect(files.flatMap(({ entries }) => entries.map(({ name }) => name)).sort()).toEqual([
      'anna',
      'anna',
      'bert',
      'bert',
    ])
  })

  test('with the key of the host alone they are genuine, and it says that the entries are not proven', async () => {
    const plain = await ran('history', 'verify', ...filesIn('panel', 'played'), '--key', hostKey())
    const unproven = linesOf(plain.stdout).filter((line) => line.includes('NOT PROVEN'))
    expect(unproven).toContainEqual(saying('"anna"', '2 seats', 'Liceo Padova'))
    for (const line of unproven) expect(line).toMatch(/\b[0-9a-f]{64}\b/)
    expect(plain.stdout).not.toContain(': proven that')
    expect(linesOf(plain.stdout)).toContainEqual(saying('statement', 'signer', 'baby'))
  })

  test('matches that several schools have played and signed are verified together, and each signer is told', async () => {
    const all = [...filesIn('panel', 'played'), ...filesIn('panel', 'played-in-padova')]
    const plain = await ran('history', 'verify', ...all, '--key', hostKey(), '--key', schoolKey())
    expect(linesOf(plain.stdout)).toContainEqual(saying('3 matches', hostKey()))
    expect(linesOf(plain.stdout)).toContainEqual(saying('1 match', schoolKey()))
    expect(linesOf(plain.stdout)).toContainEqual(saying('4 genuine', '0 intact', '0 not'))
    const { code, files } = await verify(all, hostKey())
    expect(code).toBe(1)
    expect(files.map(({ verdict }) => verdict)).toEqual(['genuine', 'genuine', 'genuine', 'not-genuine'])
  })

  test('a key that has signed nothing is told, and one that is given twice is refused', async () => {
    const stranger = at('stranger.pub')
    writeFileSync(stranger, `tartaglia-ed25519:${'2'.repeat(64)}\n`)
    const [file = ''] = filesIn('panel', 'played')
    const { stderr } = await ran('history', 'verify', file, '--key', hostKey(), '--key', stranger)
    expect(stderr).toEqual(saying(stranger))
    const twice = await tartaglia('history', 'verify', file, '--key', hostKey(), '--key', hostKey(), '--json').ended
    expect([twice.code, JSON.parse(twice.stdout)]).toEqual([2, refusedCommand('key-twice', hostKey())])
  })

  test('when the same file is run again, the same entries play', async () => {
    const { stdout } = await ran('contest', 'list', '--data', verona(), '--json')
    expect((JSON.parse(stdout) as { contests: object[] }).contests).toHaveLength(1)
    const again = await ran('contest', 'run', at('verona-file', 'contest.json'), '--data', verona(), '--json')
    const report = JSON.parse(again.stdout) as { contest: string; schools: object[] }
    expect(report).toMatchObject({ contest: 'joint-contest-2' })
    expect(report.schools).toMatchObject(['anna', 'bert'].map((entrant) => ({ entrant, school: { name: 'Padova' } })))
  })
})

/** The file as a host would make it that signs something else: bodies changed, every hash and its own signature made anew. */
function resigned(file: string, change: (bodies: Body[]) => void): string {
  const key = openKeys(at('verona', 'keys'))
  const text = readFileSync(file, 'utf8').trimEnd()
  const bodies = text.split('\n').map((line) => (JSON.parse(line) as { b: Body }).b)
  change(bodies)
  let head: ChainValue = ''
  let out = ''
  for (const body of bodies) {
    if (body.k === 'proof') {
      const { root } = merkleTree([head])
      const contest = String(body['contest'])
      const signature = key.sign(rootText(contest, 1, root))
      Object.assign(body, { head, index: 0, count: 1, path: [], root, key: key.publicKey, signature })
    }
    const canonical = canonicalText(body)
    const digest = body.k === 'redacted' ? String(body['digest']) : sha256(canonical)
    const h = linkHash(body.k === 'blob' ? '' : head, tagOf(body.k), digest)
    if (body.k !== 'blob') head = h
    out += chainLine(canonical, h)
  }
  const changed = join(folder, 'changed.jsonl')
  writeFileSync(changed, out)
  return changed
}

type Body = { k: string } & { [key: string]: Json }
interface Seat {
  name: string
  agent: string
}
interface Described {
  entrants: {
    name: string
    agent: string
    entry?: { statement: { name: string; package: string }; signature: string }
  }[]
}

/** A file of the contest in which both agents of Padova play. */
const joint = (): string =>
  filesIn('panel', 'played').find((file) => {
    const { seats } = bodyOf(file, 'header')
    return (seats as unknown as Seat[]).every(({ name }) => name !== 'baby')
  })!
const bodyOf = (file: string, kind: string): Body =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { b: Body }).b]))
    .find(({ k }) => k === kind)!
const seatsOf = (bodies: readonly Body[]): Seat[] =>
  bodies.find(({ k }) => k === 'header')!['seats'] as unknown as Seat[]

/** Changes the published description, and the header's hash of it. */
function redescribe(bodies: readonly Body[], change: (description: Described) => void): void {
  const header = bodies.find(({ k }) => k === 'header')!
  const blob = bodies.find((body) => body['sha256'] === header['description'])!
  change(blob['value'] as unknown as Described)
  blob['sha256'] = hashOf(blob['value'])
  header['description'] = blob['sha256']
}

describe('a host that signs something else than the school entered is found', () => {
  test('nothing changed: the file that is made anew is genuine', async () => {
    const { code, files } = await verify([resigned(joint(), () => undefined)], hostKey(), schoolKey())
    expect([code, files[0]?.message]).toEqual([0, undefined])
  })

  test.each([
    [
      'another package played',
      (bodies: Body[]) => void (seatsOf(bodies)[0]!.agent = sha256('other')),
      'another package than the one that Liceo Padova signed',
    ],
    [
      'the two agents have changed their names',
      (bodies: Body[]) => {
        const [one, other] = seatsOf(bodies) as [Seat, Seat]
        ;[one.name, other.name] = [other.name, one.name]
      },
      'another package than the one that Liceo Padova signed',
    ],
    [
      'the agent plays under another pseudonym',
      (bodies: Body[]) => {
        const [seat] = seatsOf(bodies) as [Seat]
        redescribe(bodies, ({ entrants }) => {
          entrants.find(({ name }) => name === seat.name)!.name = 'zoe'
        })
        seat.name = 'zoe'
      },
      'under another pseudonym',
    ],
    [
      'the statement was changed to the package that played',
      (bodies: Body[]) => {
        const [seat] = seatsOf(bodies) as [Seat]
        seat.agent = sha256('other')
        redescribe(bodies, ({ entrants }) => {
          entrants.find(({ name }) => name === seat.name)!.entry!.statement.package = seat.agent
        })
      },
      'whose signature does not hold',
    ],
  ])('%s', async (_name, change, says) => {
    const { code, files } = await verify([resigned(joint(), change)], hostKey(), schoolKey())
    expect(code).toBe(1)
    expect(files[0]).toMatchObject({ verdict: 'not-genuine', message: expect.stringContaining(says) as string })
  })

  test('without the statement nothing is proven, and the school sees that its key has signed nothing', async () => {
    const stripped = resigned(joint(), (bodies) =>
      redescribe(bodies, ({ entrants }) => {
        for (const entrant of entrants) delete entrant.entry
      }),
    )
    const { stdout, stderr } = await ran('history', 'verify', stripped, '--key', hostKey(), '--key', schoolKey())
    expect(stdout).not.toContain('proven that')
    expect(stderr).toEqual(saying(schoolKey()))
  })
})

describe('entries again', () => {
  test('a newer version is a new version of the same agent, and the same one changes nothing', async () => {
    const data = at('again')
    const imported = async (): Promise<readonly { standing: string; name: string }[]> => {
      const { stdout } = await ran(
        'entries',
        'import',
        at('again.entries'),
        '--data',
        data,
        '--trust',
        'Padova',
        '--json',
      )
      return (JSON.parse(stdout) as { entries: { standing: string; name: string }[] }).entries
    }
    // The class has an anna of its own.
    const own = contest('again-file', [{ name: 'Anna', agent: 'baby' }, shipped('gambler')], 'Own')
    await ran('contest', 'run', own, '--data', data)
    const padovaNow = async (...agents: readonly string[]): Promise<void> => {
      const to = ['--school', 'Liceo Padova', '--data', padova(), '--overwrite']
      await ran('entries', 'export', at('again.entries'), ...agents, ...to)
    }
    await padovaNow('anna')
    expect(await imported()).toMatchObject([{ name: 'anna · Liceo Padova', standing: 'agent' }])
    expect(await imported()).toMatchObject([{ name: 'anna · Liceo Padova', standing: 'same' }])
    const first = await versionOf('anna')
    const newer = contest('padova-newer', [{ name: 'anna', agent: 'minmax' }, shipped('baby')], 'Newer')
    await ran('contest', 'run', newer, '--data', padova())
    await padovaNow('anna')
    expect(await imported()).toMatchObject([{ name: 'anna · Liceo Padova', standing: 'version' }])
    await padovaNow(`anna@${first.slice(0, 12)}`)
    expect(await imported()).toMatchObject([{ name: 'anna · Liceo Padova', standing: 'older' }])
    // It can be named by its pseudonym with its school.
    const joint = contest('again-joint', [{ name: 'anna · Liceo Padova', school: 'Liceo Padova' }, shipped('baby')])
    await ran('contest', 'run', joint, '--data', data, '--export', at('again-played'))
    const { files } = await verify(filesIn('again-played'), at('again-played', 'class.pub'), schoolKey())
    expect(files[0]?.entries).toMatchObject([
      { name: 'anna · Liceo Padova', statement: { name: 'anna', package: first } },
    ])
  })

  const versionOf = async (name: string): Promise<string> => {
    const { stdout } = await ran('entries', 'show', at('again.entries'), '--data', padova(), '--json')
    const { entries } = JSON.parse(stdout) as { entries: { name: string; package: string }[] }
    return entries.find((each) => each.name === name)!.package
  }

  test('only its own school exports an agent', async () => {
    const file = at('passed-on.entries')
    const { code, stdout } = await tartaglia(
      'entries',
      'export',
      file,
      'anna',
      '--school',
      'Verona',
      '--data',
      verona(),
      '--json',
    ).ended
    expect([code, JSON.parse(stdout)]).toEqual([2, refusedCommand('entry-of-other-school', '"anna"', 'Liceo Padova')])
  })
})
