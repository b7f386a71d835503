import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { KitName } from '../../../main/contract/players/kits.ts'
import { declaredFolders } from '../../../main/players/isolation/declared-toolchains.ts'
import { strongestTier } from '../../../main/players/isolation/detect.ts'
import { messageTypes } from '../../../main/services/agents/kit-code/emitters.ts'
import { files } from '../../hostile/players/seats.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import type { LessonProgram } from './lessons-played.ts'

/** A language whose kits are compiled: its compiler, the file of the agent, and commands of its kits that take little time. */
export interface CompiledLanguage {
  readonly kit: KitName
  readonly tool: string
  readonly agent: string
  /** Builds what `agent.json` starts, as its own command does but without optimization. */
  readonly build: string
  /** Plays the saved moves with what was built. */
  readonly cases: string
}

export const compiledLanguages: readonly CompiledLanguage[] = [
  { kit: 'go', tool: 'go', agent: 'agent.go', build: 'go build -o agent .', cases: 'go test' },
  {
    kit: 'java',
    tool: 'javac',
    agent: 'Agent.java',
    build: 'javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -encoding UTF-8 -d classes *.java',
    cases: 'java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp classes Cases',
  },
  {
    kit: 'cpp',
    tool: 'g++',
    agent: 'agent.cpp',
    build: 'g++ -std=c++17 -O0 -o agent agent.cpp',
    cases: './agent --test cases',
  },
  {
    kit: 'rust',
    tool: 'rustc',
    agent: 'agent.rs',
    build: 'rustc --edition 2021 -o agent agent.rs',
    cases: './agent --test cases',
  },
]

const declared = await declaredFolders()
/** The folders in which agents and their builds find programs: the declared toolchains, then the system. */
const path = [...declared.path, '/usr/bin', '/bin']

/** True if a box has this compiler. */
export const hasTool = (tool: string): boolean => path.some((folder) => existsSync(join(folder, tool)))

/** True if bubblewrap works on this machine, which may have it and refuse it. */
export const hasBoxes = (await strongestTier(files, 'bubblewrap')).some(
  ({ tier, available }) => tier === 'bubblewrap' && available,
)

/** The home of compilers, with their caches for all games. */
const cache = temporaryFolder('compilers')

/** The environment of a compiler and of a runner: the programs of boxes, and nothing of ours. */
export const environment: Readonly<Record<string, string>> = {
  ...declared.environment,
  PATH: path.join(':'),
  HOME: cache,
  GOCACHE: join(cache, 'go-build'),
}

/** Runs a shell's command in a folder, and expects success. Returns what it printed. */
export function shell(home: string, command: string): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: home, encoding: 'utf8', env: environment })
  expect([command, status, stdout, stderr]).toEqual([command, 0, stdout, stderr])
  return stdout
}

const kits = fileURLToPath(new URL('../../../agents/kits/', import.meta.url))

/** Writes the sources and saved moves of a compiled kit, without what runs them, and with a change of its agent. */
export function writeSources(
  game: string,
  { kit, agent }: CompiledLanguage,
  home: string,
  change?: (agent: string) => string,
): void {
  for (const from of [`shared/${kit}`, `${game}/${kit}`]) cpSync(join(kits, from), home, { recursive: true })
  cpSync(join(kits, game, 'typescript', 'cases'), join(home, 'cases'), { recursive: true })
  for (const [name, text] of messageTypes(game, kit)) writeFileSync(join(home, name), text)
  const file = join(home, agent)
  if (change !== undefined) writeFileSync(file, change(readFileSync(file, 'utf8')))
}

/** How the program in such a folder starts, once it is built: Java without its second compiler, which short matches only pay for. */
export function programIn(home: string): LessonProgram {
  const { command, commands } = JSON.parse(readFileSync(join(home, 'agent.json'), 'utf8')) as {
    readonly command?: readonly string[]
    readonly commands?: Readonly<Record<string, readonly string[]>>
  }
  const quick = (words: readonly string[]): readonly string[] =>
    words.flatMap((word, at) => (at === 0 && word === 'java' ? [word, '-XX:TieredStopAtLevel=1'] : [word]))
  return { folder: home, command: (role) => quick(command ?? commands![role!]!) }
}
