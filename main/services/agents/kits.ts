import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import type { GameId } from '../../contract/ids.ts'
import { isCompiledKit, type KitName } from '../../contract/players/kits.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { makeFolder } from '../../histories/durable.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { games } from '../../referees/games.ts'
import { gameTitles } from '../game-facts.ts'
import { writeNewFile } from '../files/output-file.ts'
import { writeZipInTurns } from '../packages/zip.ts'
import { resources } from '../machine/resources.ts'
import { LESSON_METHODS, LESSONS_PAGE, lessonMethods, lessonsPage, type LessonMethod } from './lessons-page.ts'
import { kitTest, messageTypes } from './kit-code/emitters.ts'
import { KIT_FILES, kitFilesText } from './update-kit.ts'

/** The choice of a kit: a game and a language. */
export interface KitChoice {
  readonly game: GameId
  readonly kit: KitName
}

/** A kit that was written. */
export interface Kit extends KitChoice {
  readonly out: string
  readonly files: number
  readonly bytes: number
}

/**
 * Writes a kit with its runner; students need only Node and npm besides. If `out` ends with `.zip` the kit is a zip
 * file, otherwise a folder, which must be empty or not exist, or hold a part of this kit that a killed program has left. Throws
 * ExpectedError.
 */
export async function writeKit(choice: KitChoice, out: string): Promise<Kit> {
  const files = await kitFiles(choice)
  if (/\.zip$/i.test(out)) {
    const zip = await zipOf(choice, files)
    writeNewFile(out, zip)
    return { ...choice, out, files: files.size, bytes: zip.length }
  }
  const there = await readdir(out).catch(() => [])
  if (there.length > 0 && !(await isUnfinished(out, there, files)))
    throw new ExpectedError('conflict', 'file-exists', `The folder ${out} is not empty.`)
  let bytes = 0
  const folders = new Set<string>()
  try {
    makeFolder(resolve(out))
    for (const [path, contents] of files) {
      const file = join(out, path)
      if (!folders.has(dirname(file))) await mkdir(dirname(file), { recursive: true })
      folders.add(dirname(file))
      await writeFile(file, contents, { flag: there.length > 0 ? 'w' : 'wx' })
      bytes += contents.length
    }
  } catch (error) {
    throw machineErrorFrom(error, 'write', out)
  }
  return { ...choice, out, files: files.size, bytes }
}

/**
 * True for a folder, with these entries, that holds nothing but a part of this kit: the file that is written last is missing or
 * incomplete, and the others have the beginning of what they would have.
 */
async function isUnfinished(
  out: string,
  there: readonly string[],
  files: ReadonlyMap<string, Uint8Array>,
): Promise<boolean> {
  const roots = new Set([...files.keys()].map((path) => path.split('/')[0]!))
  // Before a folder is read that may be a whole home.
  if (!there.every((name) => roots.has(name))) return false
  for (const entry of await readdir(out, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) continue
    const place = join(entry.parentPath, entry.name)
    const path = relative(out, place).split(sep).join('/')
    const whole = files.get(path)
    if (!entry.isFile() || whole === undefined) return false
    const written = await readFile(place)
    if (path === KIT_FILES && written.length === whole.length) return false
    if (!written.equals(whole.subarray(0, written.length))) return false
  }
  return true
}

/** A kit as a zip file to download, some megabytes. Throws ExpectedError. */
export async function packKit(choice: KitChoice): Promise<Uint8Array> {
  return zipOf(choice, await kitFiles(choice))
}

/** The name of the zip file of a kit. */
export const kitFileName = (choice: KitChoice): string => `${folderOf(choice)}.zip`

const folderOf = ({ game, kit }: KitChoice): string => `tartaglia-${game}-${kit}`

const zipOf = (choice: KitChoice, files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> =>
  writeZipInTurns(new Map([...files].map(([path, bytes]) => [`${folderOf(choice)}/${path}`, bytes])))

/** The kit's own files and those that run it (the command line with its window), by path. */
async function kitFiles({ game, kit }: KitChoice): Promise<ReadonlyMap<string, Uint8Array>> {
  const title = titleOf({ game, kit })
  const files = new Map<string, Uint8Array>()
  const sources = await sourcesOf({ game, kit })
  for (const [source, path] of sources) {
    const bytes = await readFile(join(resources.kits, source))
    if (path.endsWith('.md')) {
      const page = forKits(bytes.toString())
      const own = path === LESSONS_PAGE ? lessonsPage(page, kit, await methodsOf({ game, kit })) : page
      files.set(path, Buffer.from(withLinks(filled(own, { game, title }), source, sources)))
    } else files.set(path, bytes)
  }
  for (const [path, text] of messageTypes(game, kit)) files.set(path, Buffer.from(text))
  const dist = dirname(resources.kits)
  files.set('package.json', Buffer.from(`${JSON.stringify(packageOf({ game, kit }), null, 2)}\n`))
  files.set('dist/package.json', Buffer.from('{ "type": "module" }\n'))
  // The command line and the chunks that its commands load.
  for (const file of (await readdir(dist)).filter((name) => /^cli(-[^.]+)?\.js$/.test(name)).toSorted()) {
    files.set(`dist/${file}`, await readFile(join(dist, file)))
  }
  files.set('dist/worker.js', await readFile(resources.worker))
  files.set('dist/reader.js', await readFile(resources.reader))
  files.set('dist/host.cjs', await readFile(resources.agentHost))
  files.set('dist/bundler.cjs', await readFile(resources.bundler))
  files.set('dist/replay.html', await readFile(resources.replay))
  files.set('dist/THIRD-PARTY-LICENSES.txt', await readFile(resources.licenses))
  for (const folder of [resources.agents, resources.challenges, resources.renderer]) {
    const paths = new Set(await filesBelow(folder))
    for (const path of paths) {
      if (folder === resources.agents && keptBack.has(path)) continue
      // For browsers over a network; a kit serves its own machine. The package for npm has some in this form alone.
      if (folder === resources.renderer && path.endsWith('.br') && paths.has(path.slice(0, -'.br'.length))) continue
      const bytes = await readFile(join(folder, path))
      const isPage = folder === resources.renderer && path === 'index.html'
      files.set(`dist/${relative(dist, folder)}/${path}`, isPage ? pageOfKit(bytes, game) : bytes)
    }
  }
  // Written last: a folder without the whole of it is unfinished.
  files.set(KIT_FILES, Buffer.from(kitFilesText(files)))
  return files
}

/** The page of the window for a kit, which begins with the kit's game and offers no kits; see renderer/games.ts. */
const pageOfKit = (page: Uint8Array, game: GameId): Uint8Array =>
  Buffer.from(Buffer.from(page).toString().replace('<html', `<html data-game="${game}"`))

/** The title of the game that a kit is for. Throws ExpectedError if there is no such kit. */
function titleOf(choice: KitChoice): string {
  if (!existsSync(resources.kits)) {
    throw new ExpectedError(
      'usage',
      'kit-unavailable',
      'This copy of Tartaglia is a kit and contains no other kits; ask the person who gave it to you.',
    )
  }
  const missing = whyNoKit(choice, gameTitles, (game) =>
    existsSync(join(resources.kits, 'agents/kits', game, choice.kit)),
  )
  if (missing !== null) throw new ExpectedError('usage', 'kit-unavailable', missing)
  return gameTitles.find(({ id }) => id === choice.game)!.title
}

/** Why there is no kit of a choice, in a sentence; null: there is one. `has`: whether a game has kits in its language. */
export function whyNoKit(
  { game, kit }: KitChoice,
  games: readonly { readonly id: GameId; readonly title: string }[],
  has: (game: GameId) => boolean,
): string | null {
  const chosen = games.find(({ id }) => id === game)
  if (chosen !== undefined && has(game)) return null
  const missing = chosen === undefined ? `game "${game}"` : `${kit} kit for ${chosen.title}`
  const known = games.filter(({ id }) => has(id)).map(({ id }) => id)
  return `There is no ${missing}; there are kits for ${known.join(', ')}.`
}

/** Files of shipped agents that kits leave out. */
const keptBack: ReadonlySet<string> = new Set(
  [...games.values()].flatMap(({ id, agents }) => agents.keptFromKits.map((name) => `${id}/${name}.js`)),
)

/** The project's pages for a game's kits, by their paths in the project, with their names in the kit. */
const pagesOf = (game: GameId) =>
  [
    ['docs/agents.md', 'AGENTS.md'],
    [`docs/games/${game}.md`, 'GAME.md'],
    [`docs/games/${game}-rules.md`, 'RULES.md'],
  ] as const

/** The files of a kit: paths in the project, mapped to paths in the kit. A game's file replaces the one of all games. */
async function sourcesOf({ game, kit }: KitChoice): Promise<ReadonlyMap<string, string>> {
  const [everybodys, games] = ['agents/kits/shared', `agents/kits/${game}`]
  const found = new Map<string, string>(pagesOf(game).filter(([page]) => existsSync(join(resources.kits, page))))
  for (const source of await filesBelow(resources.kits)) {
    const own = [`${everybodys}/${kit}/`, `${games}/${kit}/`].find((folder) => source.startsWith(folder))
    const folder = own ?? [everybodys, games].find((one) => one === posix.dirname(source))
    if (folder !== undefined) {
      const path = posix.relative(folder, source)
      const isReplaced = folder === `${everybodys}/${kit}/` && existsSync(join(resources.kits, games, kit, path))
      if (!isReplaced && path !== LESSON_METHODS) found.set(source, path)
    }
    // All kits of a game have the same saved moves, and both kinds of script kits share types.
    const ofScripts = posix.relative(`${games}/typescript`, source)
    if (kit === 'javascript' && /^[^/]+\.d\.ts$/.test(ofScripts)) found.set(source, ofScripts)
    if (ofScripts.startsWith('cases/')) found.set(source, ofScripts)
  }
  return found
}

/** The methods of the lessons of a compiled kit; other kits have none of their own. */
async function methodsOf({ game, kit }: KitChoice): Promise<readonly LessonMethod[]> {
  if (!isCompiledKit(kit)) return []
  return lessonMethods(await readFile(join(resources.kits, 'agents/kits', game, kit, LESSON_METHODS), 'utf8'))
}

/** A page of the project without its passages about the project's own files, which stand between two comments. */
const forKits = (page: string): string =>
  page.replaceAll(/<!-- project -->[^]*?<!-- \/project -->/g, '').replaceAll(/\n{3,}/g, '\n\n')

/** Fills in `{game}` and `{title}`. */
function filled(text: string, values: { readonly game: string; readonly title: string }): string {
  return text.replaceAll(/\{(game|title)\}/g, (_, name: 'game' | 'title') => values[name])
}

/**
 * Adapts a page's links, which are relative to its place in the project or name a file of the kit, to the kit's files.
 * Links to files that the kit does not have become plain text.
 */
function withLinks(text: string, source: string, sources: ReadonlyMap<string, string>): string {
  const paths = new Set(sources.values())
  return text.replaceAll(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, (link, words: string, target: string) => {
    if (/^([a-z]+:|#)/.test(target)) return link
    const [file = '', ...anchor] = target.split(/(?=#)/)
    const path = sources.get(posix.join(posix.dirname(source), file)) ?? (paths.has(file) ? file : undefined)
    return path === undefined ? words : `[${words}](${path}${anchor.join('')})`
  })
}

/**
 * `npm install` adds the Node that Tartaglia runs on, for any platform, and the tools that bundle and type-check
 * TypeScript.
 */
function packageOf({ game, kit }: KitChoice): object {
  const { version, optionalDependencies, dependencies, devDependencies } = manifest
  return {
    name: 'tartaglia',
    version,
    private: true,
    type: 'module',
    description: `A kit for agents: ${kit}.`,
    bin: { tartaglia: 'tartaglia.mjs' },
    // Commands in this folder are for this game.
    tartaglia: { game, kit },
    scripts: { test: kitTest(kit) },
    dependencies: {
      'esbuild-wasm': dependencies['esbuild-wasm'],
      ...(kit === 'typescript'
        ? { typescript: devDependencies.typescript, '@types/node': devDependencies['@types/node'] }
        : {}),
    },
    optionalDependencies,
  }
}

/** Paths relative to the folder, with forward slashes, sorted. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { withFileTypes: true, recursive: true })
  return found
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'))
    .sort()
}
