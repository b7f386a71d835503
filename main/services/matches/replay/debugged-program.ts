import { existsSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { ErasedGame } from '../../../contract/game/game.ts'
import type { SeatRecord } from '../../../contract/game/table.ts'
import type { Json } from '../../../contract/json.ts'
import type { Limits } from '../../../contract/limits.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { agentManifest, type AgentManifest } from '../../../contract/players/agents.ts'
import { readJsonText } from '../../../contract/json-text.ts'
import { withSchemaLink } from '../../../contract/schema-link.ts'
import type { ProgramLauncher } from '../../../players/isolation/program.ts'
import { isFilled, windowsCommand } from '../../../players/isolation/windows-programs.ts'
import { createProgramHost } from '../../../players/program-player.ts'
import { asTyped } from '../../machine/as-typed.ts'
import { seatProgramAgent } from '../../../worker/seating.ts'
import { refused } from '../../packages/form.ts'
import { resources } from '../../machine/resources.ts'
import { underDebugger } from './debuggers.ts'
import { playerRespondent, type Respondent } from './respondent.ts'

export interface DebugProgramOptions {
  /** A folder with an agent.json, which is run where it is, so that the editor's breakpoints are in the files that run. */
  readonly folder: string
  readonly game: ErasedGame
  readonly config: Json
  readonly seats: readonly SeatRecord[]
  readonly seat: SeatRecord
  readonly limits: Limits
  seedOf(body: number): string
  /** Absent: where the editor settings of the kits look for a debugger. */
  readonly port: number | undefined
  /** Resolves when the person says that their debugger is attached. */
  attached(): Promise<void>
  /** Ends the program, which Ctrl-C in the terminal does not reach. */
  readonly signal: AbortSignal | undefined
  onNotice(text: string): void
}

/** Debugging has no hurry: a day. */
const PATIENCE = 86_400_000

/**
 * Runs a program without isolation under a debugger, which it waits for; see `underDebugger`. It has the seed of the match, and no limits
 * of time. Throws ExpectedError: the folder holds no such program, or it cannot be debugged here.
 */
export async function debuggedProgram(options: DebugProgramOptions): Promise<Respondent> {
  const { folder, game, config, seats, seat, limits, seedOf, port, attached, signal, onNotice } = options
  const manifest = manifestIn(folder, game)
  const command = manifest.commands?.[seat.role] ?? manifest.command
  if (command === undefined)
    throw new ExpectedError('usage', 'role-missing', `${folder} has no program for the role ${seat.role}.`)
  const place = resolve(folder)
  const debugged = underDebugger({ command: asHere(built(command, place)), folder: place, port })
  const program = { folder: place, command: debugged.command, process: 'match' } as const
  const onGroup = (pid: number, alive: boolean): void => {
    if (!alive) return
    const where = debugged.attached ? ` as process ${pid}` : ''
    onNotice(`The agent runs without isolation${where}. ${debugged.notice}`)
  }
  const programs = createProgramHost({ tier: 'none', nodeBinary: resources.node, launcher: asDebugged, onGroup })
  const end = (): void => void programs.close()
  signal?.addEventListener('abort', end, { once: true })
  const patient = { ...limits, startMs: PATIENCE, memoryMb: 4 * limits.memoryMb }
  const seating = { game, config, seats, limits: patient, clock: 'real', fresh: true, common: undefined } as const
  const respondent = await playerRespondent({
    seat: (emit) => seatProgramAgent(programs, program, seating, seat, seedOf, emit),
    answerMs: PATIENCE,
    close() {
      signal?.removeEventListener('abort', end)
      return programs.close()
    },
  })
  if (debugged.attached) await attached()
  return respondent
}

/** The command of a program that is there. Throws ExpectedError `not-supported`: it has to be built first. */
function built(command: readonly string[], folder: string): readonly string[] {
  const [file = ''] = command
  if (!/^\.[\\/]/.test(file) || existsSync(join(folder, file)) || existsSync(join(folder, `${file}.exe`)))
    return command
  throw new ExpectedError(
    'usage',
    'not-supported',
    `${join(folder, file)} does not exist: build the agent first, for a debugger, as README.md of its kit says.`,
  )
}

/** As in a match: on Windows, `python3` is called otherwise. */
const asHere = (command: readonly string[]): readonly string[] =>
  process.platform === 'win32' ? windowsCommand(command, process.env['PATH'] ?? '', isFilled) : command

/** As the person runs programs in this terminal, whose packages of Python debugpy is one of; like in a match, Python does not buffer its output. */
const asDebugged: ProgramLauncher = (program) => asTyped({ ...program, env: { PYTHONUNBUFFERED: '1', ...program.env } })

function manifestIn(folder: string, game: ErasedGame): AgentManifest {
  const name = `${basename(resolve(folder))}/agent.json`
  let text: string
  try {
    text = readFileSync(join(folder, 'agent.json'), 'utf8')
  } catch {
    throw new ExpectedError('usage', 'not-a-script', `${folder} is neither a script nor a folder with an agent.json.`)
  }
  const read = readJsonText(text, withSchemaLink(agentManifest))
  if (!read.ok) throw refused('manifest-invalid', name, `${read.line}:${read.column}: ${read.message}`)
  if (read.value.game !== game.id) throw refused('other-game', name, `it plays ${read.value.game}, not ${game.id}`)
  if (read.value.kind !== 'program') throw refused('kind-not-accepted', name, 'it is not the manifest of a program')
  return read.value
}
