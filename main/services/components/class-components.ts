import { hash } from 'node:crypto'
import { readAgent } from '../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'
import {
  type Component,
  type ComponentDetail,
  type ComponentSummary,
  type ComponentUse,
  type Publication,
  COMPONENT_DIGITS,
  type PublishingTeam,
} from '../../contract/procedures/components.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { EntrantId, Sha256 } from '../../contract/ids.ts'
import { namesInUse } from '../../contract/look-alike-names.ts'
import { nameKey, searchKey } from '../../contract/names.ts'
import type { Page } from '../../contract/procedures/procedures.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { contentOf, type GivenFile } from '../packages/uploaded-packages.ts'
import { recordedComponents, type ComponentSource } from '../packages/component-files.ts'
import { readText, readingJob } from '../machine/reading.ts'
import type { PreparedAgent } from '../packages/prepare.ts'
import { prepareComponent, preparedComponent, type PreparedComponent } from './prepare-component.ts'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PRIVATE_FOLDER } from '../../administrator/classroom/private-files.ts'
import { writeSynced } from '../../administrator/classroom/synced-file.ts'

/** A component that a team publishes, with the bytes of its file. */
type PublishedFile = Omit<Publication, 'file'> & Partial<Pick<PublishingTeam, 'owner'>> & GivenFile

/** The published components of a class. */
export interface ReadComponents {
  /** Newest first. `search`: a part of the name, the author or the description. */
  list(page: {
    readonly offset: number
    readonly limit: number
    readonly search: string
  }): Promise<Page<ComponentSummary>>
  /** Throws ExpectedError 'usage' if there is no such component, 'host' if its file is missing or was changed. */
  get(component: Sha256): Promise<ComponentDetail>
}

/** The component market of an open classroom. */
export interface Components extends ReadComponents {
  /**
   * Checks, stores and lists a component. Throws ExpectedError 'usage' that says what is wrong with it: no module, an import of
   * anything but published components, a name of another team, or bytes that are published already.
   */
  publish(publication: PublishedFile): Promise<ComponentSummary>
  /**
   * Withdraws a component, or takes that back. Agents that are handed in while it is withdrawn cannot import it, nor components
   * that contain it; those that contain it already keep it. Throws ExpectedError 'usage' if there is no such component.
   */
  withdraw(component: Sha256, isWithdrawn: boolean): Promise<void>
}

export function readComponents(home: Pick<ClassFolder, 'folder' | 'content'>): ReadComponents {
  const usesOf = usesReader(home.folder)

  /** The agents whose newest version contains a component, by the component's hash. */
  const users = async (): Promise<ReadonlyMap<Sha256, readonly EntrantId[]>> => {
    const newest = new Map(home.content.agents.map(({ manifest, hash: agent }) => [manifest.name, { manifest, agent }]))
    const found = new Map<Sha256, EntrantId[]>()
    for (const [name, { manifest, agent }] of newest) {
      if (manifest.kind !== 'script') continue
      for (const use of await usesOf(agent)) found.set(use.hash, [...(found.get(use.hash) ?? []), name])
    }
    return found
  }

  return {
    async list({ offset, limit, search }) {
      const wanted = searchKey(search)
      const found = home.content.components
        .filter(({ name, author, description }) =>
          [name, author, description].some((text) => searchKey(text).includes(wanted)),
        )
        .toReversed()
      const usedBy = await users()
      const items = found.slice(offset, offset + limit)
      return {
        items: items.map((each) => ({ ...each, usedBy: usedBy.get(each.hash) ?? [] })),
        offset,
        total: found.length,
      }
    },

    async get(wanted) {
      const found = home.content.components.find((each) => each.hash === wanted)
      if (found === undefined)
        throw new ExpectedError('usage', 'component-unknown', `There is no component ${wanted} in this class.`)
      const text = new TextDecoder().decode(await readComponent(home.folder, found))
      return { ...found, usedBy: (await users()).get(found.hash) ?? [], text }
    },
  }
}

interface ComponentOrder {
  readonly file: GivenFile
  /** The data folder, and the components of the class, which this one may import. */
  readonly data: string
  readonly components: readonly Component[]
}

/** `prepareComponent` of a file of a stranger. */
export const componentJob = readingJob<ComponentOrder, PreparedComponent>({
  name: 'component',
  what: 'a component',
  long: true,
  result: preparedComponent,
  async read({ file, data, components }) {
    const source = componentsOfClass({ folder: data, content: { components: [...components] } })
    return prepareComponent({ fileName: file.fileName, content: await contentOf(file) }, source)
  },
})

export function openComponents(home: ClassFolder, onChange: () => void): Components {
  return {
    ...readComponents(home),

    async publish({ name, author: named, owner: given, description, ...file }) {
      const { folder, content } = home
      const { author, owner } = given === undefined ? authorNamed(content, named) : { author: named, owner: given }
      const prepared = await readText(componentJob, { file, data: folder, components: content.components })
      const { bytes, ...facts } = prepared
      const published = new Date().toISOString()
      const added: Component = {
        ...{ name, hash: hash('sha256', bytes), author, description, published, bytes: bytes.length },
        ...(owner === undefined ? {} : { owner }),
        ...facts,
        uses: [...facts.uses],
        exports: [...facts.exports],
      }
      await home.inTurn(async () => {
        checkNew(home.content, added)
        await storeComponent(home.folder, added, bytes).catch((error: unknown) => {
          throw machineErrorFrom(error, 'store a component in', home.folder)
        })
        await home.change(({ components }) => void components.push(added))
      })
      onChange()
      return { ...added, usedBy: [] }
    },

    async withdraw(wanted, isWithdrawn) {
      await home.inTurn(() =>
        home.change(({ components }) => {
          const found = components.find((each) => each.hash === wanted)
          if (found === undefined)
            throw new ExpectedError('usage', 'component-unknown', `There is no component ${wanted} in this class.`)
          if (isWithdrawn) found.withdrawn ??= new Date().toISOString()
          else delete found.withdrawn
        }),
      )
      onChange()
    },
  }
}

/** The published components of a class, for bundling: those that were not withdrawn, or all. */
function componentsOfClass(
  home: {
    readonly folder: string
    readonly content: Pick<Classroom, 'components'>
  },
  which: 'not withdrawn' | 'also withdrawn' = 'not withdrawn',
): ComponentSource {
  return {
    async find({ name, digits, ending }) {
      const found = home.content.components.find(
        (each) =>
          each.name === name &&
          each.ending === ending &&
          each.hash.startsWith(digits) &&
          (each.withdrawn === undefined || which === 'also withdrawn'),
      )
      return found === undefined ? null : readComponent(home.folder, found)
    },
    missing: 'is not published in this class, or was withdrawn',
  }
}

/**
 * Prepares an agent with the components of a class. One that imports a withdrawn component can be prepared if it is known
 * already, because that goes on; `withdrawn` is then true. Throws like `prepare`.
 */
export async function withComponentsOfClass(
  home: Parameters<typeof componentsOfClass>[0],
  isKnown: (agent: Sha256) => boolean,
  prepare: (components: ComponentSource) => Promise<PreparedAgent>,
): Promise<{ readonly prepared: PreparedAgent; readonly withdrawn: boolean }> {
  try {
    return { prepared: await prepare(componentsOfClass(home)), withdrawn: false }
  } catch (error) {
    const isWithdrawn = home.content.components.some(({ withdrawn }) => withdrawn !== undefined)
    if (!isWithdrawn || !(error instanceof ExpectedError)) throw error
    const prepared = await prepare(componentsOfClass(home, 'also withdrawn')).catch(() => null)
    if (prepared !== null && isKnown(hash('sha256', prepared.agent.bytes))) return { prepared, withdrawn: true }
    throw error
  }
}

/** Reads which components agents contain; each package is read once. An agent whose package is missing has none. */
export function usesReader(data: string): (agent: Sha256) => Promise<readonly ComponentUse[]> {
  const known = new Map<Sha256, Promise<readonly ComponentUse[]>>()
  const read = async (agent: Sha256): Promise<readonly ComponentUse[]> => {
    const stored = await readAgent(data, agent).catch(() => null)
    return stored?.kind === 'script' ? recordedComponents(stored.bytes) : []
  }
  return (agent) => {
    const uses = known.get(agent) ?? read(agent)
    known.set(agent, uses)
    return uses
  }
}

/**
 * The author that an educator names: a team of the class, which then owns the component and may withdraw it, or somebody else. Throws
 * ExpectedError 'usage' if people would confuse the name with that of a team.
 */
function authorNamed(
  { teams }: Pick<Classroom, 'teams'>,
  author: string,
): Partial<PublishingTeam> & { author: string } {
  const like = namesInUse(teams.map(({ name }) => name)).like(author)
  const team = teams.find(({ name }) => name === like)
  if (team === undefined) return { author }
  if (nameKey(team.name) === nameKey(author)) return { author: team.name, owner: team.id }
  throw new ExpectedError('usage', 'name-taken', `There is a team "${team.name}", which looks like "${author}".`)
}

/** Names belong to teams, and bytes to those who published them first. */
function checkNew({ components }: Classroom, added: Component): void {
  const same = components.find((each) => each.hash === added.hash)
  if (same !== undefined)
    throw new ExpectedError(
      'usage',
      'component-published',
      `These very bytes are published already: ${same.name} of the team "${same.author}".`,
    )
  const named = components.find((each) => each.name === added.name)
  if (named !== undefined && nameKey(named.author) !== nameKey(added.author)) {
    throw new ExpectedError(
      'usage',
      'name-taken',
      `The name ${added.name} belongs to the team "${named.author}": choose another.`,
    )
  }
  const digits = added.hash.slice(0, COMPONENT_DIGITS)
  if (components.some((each) => each.name === added.name && each.hash.startsWith(digits)))
    throw new ExpectedError(
      'usage',
      'digits-taken',
      `Another version of ${added.name} has a hash that begins with ${digits}.`,
    )
}

type Stored = Pick<Component, 'hash' | 'ending'>

const fileOf = (data: string, component: Stored): string =>
  join(data, 'components', `${component.hash}.${component.ending}`)

/** Stores a component under the hash of its bytes. Rejects with the system's error. */
async function storeComponent(data: string, component: Stored, bytes: Uint8Array): Promise<void> {
  await mkdir(join(data, 'components'), { recursive: true, mode: PRIVATE_FOLDER })
  await writeSynced(fileOf(data, component), bytes)
}

/** A component's bytes. Throws ExpectedError 'host' if they are missing or do not match the hash. */
async function readComponent(data: string, component: Stored): Promise<Uint8Array> {
  const path = fileOf(data, component)
  const bytes = await readFile(path).catch(() => null)
  if (bytes === null)
    throw new ExpectedError(
      'host',
      'stored-file-damaged',
      `The component's file ${path} is missing from the data folder.`,
    )
  if (hash('sha256', bytes) !== component.hash)
    throw new ExpectedError('host', 'stored-file-damaged', `${path} was changed after it was published.`)
  return bytes
}
