import { hostCaller, type Caller } from '../../../main/contract/people/caller.ts'
import { chmodSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { openClassroom, type ClassroomService } from '../../../main/app/classroom-service.ts'
import type { OpenClassroomOptions } from '../../../main/app/rooms.ts'
import {
  contestDraft,
  procedures,
  type ContestDetail,
  type ContestDraft,
  type InputOf,
  type OutputOf,
  type ProcedureName,
} from '../../../main/contract/procedures/procedures.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

/** A classroom on a data folder of its own, called as a screen calls it: inputs are parsed first. */
export interface Room {
  readonly data: string
  readonly service: ClassroomService
  call<N extends ProcedureName>(name: N, input: InputOf<N>): Promise<OutputOf<N>>
  /** Uploads a package; gives its handle. */
  upload(fileName: string, content: string | Uint8Array): Promise<string>
  /** Uploads a file and hands it in. */
  submit(given: GivenFile): Promise<OutputOf<'agents.submit'>>
  /** Resolves with the first value of the contest's topic that is as wanted. */
  until(contest: string, wanted: (detail: ContestDetail) => boolean): Promise<ContestDetail>
}

/** A file as a person hands it in; see the procedure `agents.submit`. */
export interface GivenFile {
  readonly fileName: string
  readonly content: string | Uint8Array
  readonly game: string
  readonly belonging?: object
  readonly becomes?: object
  readonly wait?: boolean
}

/** A folder for data folders; agents run as nobody where this runs as root. */
export function openPlace(name: string): { readonly folder: string; remove(): void } {
  const folder = temporaryFolder(name)
  chmodSync(folder, 0o755)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Opens a data folder without the sample class. One worker: each has processes of its own for every agent. */
export async function openRoom(data: string, sample = false, more: Partial<OpenClassroomOptions> = {}): Promise<Room> {
  const service = await openClassroom({ data, sample, workers: 1, ...more })
  const upload = async (fileName: string, content: string | Uint8Array): Promise<string> =>
    (await service.takePackage(fileName, Readable.from([Buffer.from(content)]))).file
  return {
    data,
    service,
    call: (name, input) => callService(service, name, input),
    upload,
    async submit({ fileName, content, ...handedIn }) {
      const file = await upload(fileName, content)
      return callService(service, 'agents.submit', { file, ...handedIn })
    },
    until: (contest, wanted) =>
      new Promise((resolve) => {
        const off = service.on(`contest:${contest}`, (value) => {
          // The topic's value, as Topics says.
          const detail = value as ContestDetail
          if (!wanted(detail)) return
          setImmediate(() => off())
          resolve(detail)
        })
      }),
  }
}

function callService<N extends ProcedureName>(
  { handlers }: ClassroomService,
  name: N,
  input: InputOf<N>,
): Promise<OutputOf<N>> {
  // Input and handler have matching types, which TypeScript cannot express for a union of names.
  const handler: (input: never, caller: Caller) => Promise<unknown> = handlers[name]
  return handler(procedures[name].input.parse(input) as never, hostCaller) as Promise<OutputOf<N>>
}

/** A contest of short matches of two; time limits that no loaded machine reaches. */
export function draftOf(entrants: ContestDraft['entrants'], more: Partial<ContestDraft> = {}): ContestDraft {
  return contestDraft.parse({
    title: 'Service contest',
    game: 'specker',
    config: { challenge: 'max-csp', challengeConfig: { maxVars: 6, maxConstraints: 20 }, maxTurns: 2 },
    format: { type: 'round-robin', seats: 2 },
    seed: 'Brescia, 1512',
    limits: { startMs: 120_000, moveMs: 120_000 },
    isolation: 'permission',
    entrants,
    ...more,
  })
}
