import { fileURLToPath } from 'node:url'
import { basename, extname, isAbsolute, resolve } from 'node:path'
import { expectedError } from '../administrator/procedures/call-error.ts'
import { challengeFileJob } from '../services/challenges/challenge-files.ts'
import type { ClassroomService } from '../app/classroom-service.ts'
import { readPieces } from '../services/files/read-file.ts'
import { readText } from '../services/machine/reading.ts'
import type { EntrantId, GameId } from '../contract/ids.ts'
import { hostCaller } from '../contract/people/caller.ts'
import { readMatchLink, screenOf } from '../contract/histories/match-link.ts'
import { procedures } from '../contract/procedures/procedures.ts'

/** Files that the app opens, by extension. */
const kinds = {
  '.jsonl': 'history',
  '.js': 'agent',
  '.zip': 'agent',
  '.tgz': 'agent',
  '.gz': 'agent',
  '.challenge': 'challenge',
} as const
export type FileKind = (typeof kinds)[keyof typeof kinds]

/** The result: a screen to show, a message, or both. */
export type Opened = { readonly screen: string } | (Said & { readonly screen?: string })

interface Said {
  readonly type: 'info' | 'error'
  readonly message: string
  readonly detail: string
}

export interface OpenOptions {
  readonly service: {
    readonly handlers: Pick<ClassroomService['handlers'], 'agents.look' | 'agents.submit'>
    readonly openHistory: ClassroomService['openHistory']
    readonly takePackage: ClassroomService['takePackage']
  }
  /** The game that an agent is for; null: the person cancelled. */
  chooseGame(): Promise<GameId | null>
}

/** null: not a file that the app opens. */
export function openedFileKind(path: string): FileKind | null {
  const end = extname(path).toLowerCase()
  return Object.hasOwn(kinds, end) ? kinds[end as keyof typeof kinds] : null
}

/** Absolute paths of the files on a command line, without switches and programs. A double click may name a file by its address. */
export function filesOf(commandLine: readonly string[], folder: string): string[] {
  return commandLine.flatMap((word) => {
    const path = /^file:/i.test(word)
      ? pathOf(word)
      : /^(-|[a-z][a-z0-9+.-]+:\/\/|tartaglia:)/i.test(word)
        ? null
        : word
    return path === null || openedFileKind(path) === null ? [] : [isAbsolute(path) ? path : resolve(folder, path)]
  })
}

/** The path of a `file:` address of this machine; null: it is another machine's, or none. */
function pathOf(address: string): string | null {
  try {
    const { host } = new URL(address)
    // Windows would ask the other machine for it.
    return host === '' || host === 'localhost' ? fileURLToPath(address) : null
  } catch {
    return null
  }
}

/** The links to places in matches on a command line, without those that are refused; see `readMatchLink`. */
export function linkedScreens(commandLine: readonly string[]): string[] {
  return commandLine.flatMap((word) => {
    const place = readMatchLink(word)
    return place === null ? [] : [screenOf(place)]
  })
}

/** Opens a file as if it were dropped on its screen. Never rejects; null: nothing was done. */
export async function openFile(path: string, options: OpenOptions): Promise<Opened | null> {
  const name = basename(path)
  try {
    const kind = openedFileKind(path)
    if (kind === null)
      return problem(name, 'Tartaglia opens histories (.jsonl), agents (.js) and challenges (.challenge).')
    if (kind === 'challenge') return await checkedChallenge(path)
    return kind === 'history' ? await openHistory(path, options) : await submitAgent(path, options)
  } catch (error) {
    return problem(name, expectedError(error)?.message ?? `Internal error: ${String(error)}`)
  }
}

async function openHistory(path: string, { service }: OpenOptions): Promise<Opened> {
  const { file } = await service.openHistory(path)
  return { screen: `#/histories/file/${encodeURIComponent(file)}` }
}

async function submitAgent(path: string, { service, chooseGame }: OpenOptions): Promise<Opened | null> {
  const fileName = basename(path)
  const { file } = await service.takePackage(fileName, readPieces(path))
  const game = await chooseGame()
  if (game === null) return null
  const { same } = await service.handlers['agents.look']({ file, game }, hostCaller)
  if (same[0] !== undefined) {
    const detail = `The class already has the same file as ${same.map((name) => `"${name}"`).join(', ')}.`
    return {
      screen: agentScreen(same[0]),
      type: 'info',
      message: `${fileName} has already been handed in.`,
      detail,
    }
  }
  // Always a new agent; a new version is handed in on the Agents screen.
  const input = procedures['agents.submit'].input.parse({ file, game, wait: false })
  const { name } = await service.handlers['agents.submit'](input, hostCaller)
  return { screen: agentScreen(name) }
}

const agentScreen = (name: EntrantId): string => `#/agents/${encodeURIComponent(name)}`

/** There is no screen for challenge files outside the class, so the result of the check is shown in a dialog. */
async function checkedChallenge(path: string): Promise<Opened> {
  const { challenge, errors } = await readText(challengeFileJob, path)
  if (errors.length === 0)
    return { type: 'info', message: `The challenge ${challenge ?? basename(path)} has no errors.`, detail: path }
  const lines = errors.slice(0, 10)
  const more = errors.length > lines.length ? [`and ${errors.length - lines.length} more`] : []
  return { type: 'error', message: `${basename(path)} has errors.`, detail: [...lines, ...more].join('\n') }
}

function problem(name: string, detail: string): Opened {
  return { type: 'error', message: `${name} cannot be opened.`, detail }
}
