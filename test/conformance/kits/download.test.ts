import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { beforeAll, describe, expect, test } from 'vitest'
import type { KitName } from '../../../main/contract/players/kits.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { readZip } from '../../../main/services/packages/zip.ts'
import { games } from '../../../main/referees/games.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { isLong } from '../../long.ts'
import { deadLinks, linksOf } from '../../unit/docs/dead-links.ts'
import { gamesWithKits } from '../../unit/kits/lessons.ts'
import { hasBoxes } from './compilers.ts'
import { followPage, isolationOf } from './followed-page.ts'
import { commandsOf, install, kits, type } from './kit.ts'
import { saying } from '../../refusal.ts'

const folder = temporaryFolder('download')

/** The command of the tests of a kit. */
const testsOf = (kit: KitName): string => (kit === 'python' ? 'npx tartaglia test' : 'npm test')

/** The pages that are followed step by step: in the long form all, otherwise each game and each language once. */
const followed: Readonly<Record<string, string>> = {
  specker: 'typescript',
  haggle: 'javascript',
  punter: 'python',
  cops: 'python',
  cows: 'javascript',
}
const isFollowed = (game: string, kit: string): boolean => isLong || followed[game] === kit

describe.each(kits)('the kit of %s for %s', (game, kit) => {
  const home = join(folder, `${game}-${kit}`)
  const page = (): string => readFileSync(join(home, 'README.md'), 'utf8')
  beforeAll(() => install(game, kit, home))

  test('has no dead link in any of its pages', () => {
    const pages = readdirSync(home).filter((name) => name.endsWith('.md'))
    expect(pages).toEqual(['AGENTS.md', 'API.md', 'BEAT-THE-BABY.md', 'GAME.md', 'README.md', 'RULES.md'])
    for (const name of pages) expect([name, deadLinks(join(home, name))]).toEqual([name, []])
    const others = pages.filter((name) => name !== 'README.md')
    expect(linksOf(page())).toEqual(expect.arrayContaining(others))
  })

  test('has agents to play against, and not the strongest one, which could be handed in', () => {
    const agents = readdirSync(join(home, 'dist', 'agents', game))
    expect(agents).toContain('baby.js')
    const kept = games.get(game)!.agents.keptFromKits.map((name) => `${name}.js`)
    expect(kept.length).toBeGreaterThan(0)
    expect(agents.filter((name) => kept.includes(name))).toEqual([])
  })

  test('says first what to install, and has its game filled in', () => {
    expect(commandsOf(page())[0]).toBe('npm install')
    expect(page()).not.toMatch(/[{}]/)
  })

  const can = kit !== 'python' || existsSync('/usr/bin/python3')
  if (!isFollowed(game, kit)) {
    test('has the commands of the page of its language, which another game follows', () => {
      const shared = readFileSync(join(resources.kits, 'agents/kits/shared', kit, 'README.md'), 'utf8')
      expect(commandsOf(page())).toEqual(commandsOf(shared.replaceAll('{game}', game)))
      expect(existsSync(join(resources.kits, 'agents/kits', game, kit, 'README.md'))).toBe(false)
    })
    return
  }
  test.skipIf(!can)('does what each command of its page says (needs python3)', { timeout: 300_000 }, async () => {
    const inSentences = commandsOf(page())
    // The short commands in the blocks are the same for all games.
    const isTyped = (command: string): boolean => isLong || game === 'haggle' || inSentences.includes(command)
    await followPage(home, game, { kit, isolation: isolationOf(kit, hasBoxes), isTyped })
  })
})

/** The agent of Specker in Python plays at random, so its moves are not compared. */
const compared = kits.filter(
  ([game, kit]) => kit !== 'python' || (game !== 'specker' && existsSync('/usr/bin/python3')),
)

describe.each(compared)('the tests of the kit of %s for %s', (game, kit) => {
  const home = join(folder, `${game}-${kit}`)
  const agent = join(home, kit === 'python' ? 'agent.py' : kit === 'javascript' ? 'agent.cjs' : 'agent.ts')

  test('fail when the agent changes its mind', () => {
    const text = readFileSync(agent, 'utf8')
    const others = [
      ['1664525', '1664526'],
      ['? count : 0', '? 0 : count'],
      ['worth <= most', 'worth < most'],
      ['7 * body', '8 * body'],
      ['world.world) % 7', 'world.world) % 5'],
      // In Python.
      ['count if value > 0', 'count if value < 0'],
      ['max(self.free, key', 'max([*self.free][1:], key'],
      ['world["world"]) % 7', 'world["world"]) % 5'],
    ] as const
    writeFileSync(
      agent,
      others.reduce((all, [from, to]) => all.replace(from, to), text),
    )
    expect(type(home, testsOf(kit))).toMatchObject({ status: 1 })
    writeFileSync(agent, text)
    // The tests above have shown that it passes, where they followed its page.
    if (!isFollowed(game, kit)) expect(type(home, testsOf(kit))).toMatchObject({ status: 0 })
  })
})

test.each(gamesWithKits)('the tests of the kit of %s for typescript fail where Node runs no TypeScript', (game) => {
  const { status, stdout } = type(join(folder, `${game}-typescript`), 'npm test --no-strip-types')
  expect(status).toBe(1)
  expect(stdout).toEqual(saying('TypeScript', 'agent.test.ts', '"npm test"'))
})

describe('what runs a kit', () => {
  const home = join(folder, 'cops-javascript')

  test('serves the window, whose sample contest is of the game of the kit, and keeps its matches in the kit', async () => {
    const env = { ...process.env }
    delete env['TARTAGLIA_DATA']
    const args = ['tartaglia.mjs', 'serve', '--json']
    const child = spawn(process.execPath, args, { cwd: home, env, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise((done) => child.once('exit', done))
    try {
      let said = ''
      for await (const chunk of child.stdout) if ((said += String(chunk)).includes('\n')) break
      const { address } = JSON.parse(said) as { address: string }
      const letIn = await fetch(address, { redirect: 'manual' })
      const [cookie = ''] = letIn.headers.getSetCookie()[0]?.split(';') ?? []
      const answer = await fetch(new URL(letIn.headers.get('location') ?? '', address), { headers: { cookie } })
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('<script type="module"')
    } finally {
      child.kill('SIGTERM')
      await ended
    }
    const kept = readFileSync(join(home, 'data', 'class.json'), 'utf8')
    const { contests } = JSON.parse(kept) as { contests: unknown }
    expect(contests).toMatchObject([{ description: { title: 'Sample contest', game: 'cops' } }])
    const listed = spawnSync(process.execPath, ['tartaglia.mjs', 'contest', 'list'], {
      cwd: home,
      env,
      encoding: 'utf8',
    })
    expect(listed).toMatchObject({ status: 0, stdout: saying('Sample contest') })
  })

  test.each([
    'challenge print knapsack',
    'challenge sample max-sat',
    'specker price --relations 2,6,22',
    'haggle scenario --seeds 1..3',
    'contest list --data data',
    'agent addresses --data data',
  ])('has the verb %s', (verb) => {
    const { status, stderr } = type(home, `npx tartaglia ${verb}`)
    expect([status, stderr]).toEqual([0, ''])
  })

  test('has every program that the command line starts', () => {
    for (const program of [resources.worker, resources.reader, resources.agentHost, resources.bundler])
      expect(existsSync(join(home, 'dist', basename(program))), program).toBe(true)
  })

  test('has no other kits, and says so', () => {
    const { status, stderr } = type(home, 'npx tartaglia kit python --out x')
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^This copy of Tartaglia is a kit.*\.\n$/)])
  })
})

test('a kit is a zip with one folder or a folder; nothing that is there is written over', async () => {
  const [zip, out] = [join(folder, 'kit.zip'), join(folder, 'as-folder')]
  expect(await run('kit', 'javascript', '--game', 'specker', '--out', out)).toMatchObject({ code: 0 })
  expect(await run('kit', 'javascript', '--game', 'specker', '--out', out)).toMatchObject({ code: 2 })
  expect(await run('kit', 'javascript', '--game', 'specker', '--out', zip)).toMatchObject({ code: 0 })
  // A killed program leaves a part of the kit, which is written again; but over nothing of one's own.
  const names = new Set(readdirSync(out))
  const whole = readdirSync(out, { recursive: true }).toSorted()
  const [list, page, types] = ['dist/kit-files.json', 'README.md', 'specker.d.ts'].map((path) => join(out, path))
  const text = readFileSync(page!, 'utf8')
  const leave = (content: string): void => {
    rmSync(list!)
    rmSync(types!, { force: true })
    writeFileSync(page!, content)
  }
  const words = ['kit', 'javascript', '--game', 'specker', '--out', out] as const
  leave(text.slice(0, 100))
  expect(await run(...words)).toMatchObject({ code: 0 })
  expect([readdirSync(out, { recursive: true }).toSorted(), readFileSync(page!, 'utf8')]).toEqual([whole, text])
  // It may have been killed while it wrote the last file.
  const listed = readFileSync(list!, 'utf8')
  writeFileSync(list!, listed.slice(0, 100))
  expect(await run(...words)).toMatchObject({ code: 0 })
  expect(readFileSync(list!, 'utf8')).toBe(listed)
  leave(`${text}My notes`)
  expect(await run(...words)).toMatchObject({ code: 2 })
  expect([readFileSync(page!, 'utf8'), existsSync(types!)]).toEqual([`${text}My notes`, false])
  const before = readFileSync(zip)
  const entries = readZip(before)
  if (!Array.isArray(entries)) throw new Error(String(entries))
  const paths = (entries as { path: string }[]).map(({ path }) => path)
  expect(new Set(paths.map((path) => path.split('/')[0]))).toEqual(new Set(['tartaglia-specker-javascript']))
  expect(new Set(paths.map((path) => path.split('/')[1]))).toEqual(names)
  const again = await run('kit', 'javascript', '--out', zip)
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('already exists') as string })
  expect(readFileSync(zip)).toEqual(before)
  expect(await run('kit', 'cobol', '--out', join(folder, 'cobol'))).toMatchObject({ code: 2 })
  const game = await run('kit', 'python', '--game', 'chess', '--out', join(folder, 'chess'))
  expect(game).toMatchObject({
    code: 2,
    stderr: saying('"chess"', 'specker', 'haggle', 'punter', 'cops', 'cows'),
  })
})
