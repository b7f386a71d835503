import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { writeSynced } from '../../administrator/classroom/synced-file.ts'
import type { CaseId } from '../../contract/cases/cases.ts'
import type { DossierDetail, DossierSummary } from '../../contract/evidence/dossier-procedures.ts'
import {
  DOSSIER_ITEMS_MAX,
  DOSSIERS_MAX,
  DOSSIERS_OF_OWNER_MAX,
  keptDossier,
  type DossierId,
  type DossierItem,
  type DossierOwner,
  type KeptDossier,
} from '../../contract/evidence/dossiers.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { readJsonText } from '../../contract/json-text.ts'
import type { Caller } from '../../contract/people/caller.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'
import { codeOf, machineErrorFrom } from '../../histories/machine-error.ts'

/** The folder of dossiers in a data folder: a file for each, named by its id. */
const FOLDER = 'dossiers'
/** The maximum size of a dossier; bytes. */
const DOSSIER_BYTES_MAX = 1024 * 1024
/** The maximum size of all dossiers of an owner, which are kept in memory; bytes. */
const OWNER_BYTES_MAX = 8 * 1024 * 1024

/** An item without what the store gives it. */
export type NewItem = DossierItem extends infer I ? (I extends DossierItem ? Omit<I, 'id' | 'added'> : never) : never

/** The dossiers of a class. Methods reject with MachineError, and with ExpectedError 'usage' as they say. */
export interface DossierStore {
  /** Throws ExpectedError `dossier-unknown`. */
  get(id: DossierId): KeptDossier
  all(): readonly KeptDossier[]
  /** Rejects with ExpectedError `limit-reached`. */
  make(owner: DossierOwner, title: string): Promise<KeptDossier>
  change(id: DossierId, change: Partial<Pick<KeptDossier, 'title' | 'readers'>>): Promise<KeptDossier>
  /** Rejects with ExpectedError `limit-reached`. */
  add(id: DossierId, item: NewItem): Promise<KeptDossier>
  /** Changes the items, which are of the same ids or fewer. */
  edit(id: DossierId, edit: (items: readonly DossierItem[]) => readonly DossierItem[]): Promise<KeptDossier>
  remove(id: DossierId): Promise<void>
}

/** A dossier and the length of its file. */
interface StoredDossier {
  readonly dossier: KeptDossier
  readonly bytes: number
}

/**
 * Reads the dossiers of a class. `now`: ms since the epoch. A file that is damaged is left as it is, and its dossier is not shown. A folder
 * that cannot be read is the error of each use.
 */
export async function openDossierStore(
  { folder: data }: Pick<ClassFolder, 'folder'>,
  now: () => number,
): Promise<DossierStore> {
  const folder = join(data, FOLDER)
  const known = await readDossiers(folder).catch((error: unknown) =>
    machineErrorFrom(error, 'read the dossiers', folder),
  )
  const dossiers = (): Map<DossierId, StoredDossier> => {
    if (known instanceof Error) throw known
    return known
  }
  const all = (): readonly KeptDossier[] => [...dossiers().values()].map(({ dossier }) => dossier)
  let last: Promise<unknown> = Promise.resolve()

  function get(id: DossierId): KeptDossier {
    const found = dossiers().get(id)
    if (found === undefined) throw new ExpectedError('usage', 'dossier-unknown', 'There is no such dossier.')
    return found.dossier
  }

  /** Changes run one after the other; one that cannot be written leaves the dossier as it was. */
  function write(make: () => KeptDossier): Promise<KeptDossier> {
    const done = last.then(async () => {
      const next = keptDossier.parse(make())
      const text = `${JSON.stringify(next)}\n`
      const bytes = Buffer.byteLength(text)
      if (bytes > DOSSIER_BYTES_MAX) throw full(`A dossier may have ${DOSSIER_BYTES_MAX >> 20} MB: begin another one.`)
      const others = [...dossiers().values()].filter(
        ({ dossier }) => dossier.id !== next.id && isSameOwner(dossier.owner, next.owner),
      )
      const grows = bytes > (dossiers().get(next.id)?.bytes ?? 0)
      if (grows && others.reduce((sum, each) => sum + each.bytes, bytes) > OWNER_BYTES_MAX)
        throw full(`Your dossiers may have ${OWNER_BYTES_MAX >> 20} MB together: download and remove one first.`)
      const path = fileOf(folder, next.id)
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeSynced(path, text)
      } catch (error) {
        throw machineErrorFrom(error, 'write the dossier', path)
      }
      dossiers().set(next.id, { dossier: next, bytes })
      return next
    })
    last = done.catch(() => undefined)
    return done
  }

  return {
    get,
    all,
    make: (owner, title) =>
      write(() => {
        if (all().length >= DOSSIERS_MAX) throw full(`A class has at most ${DOSSIERS_MAX} dossiers: remove one first.`)
        if (all().filter((each) => isSameOwner(each.owner, owner)).length >= DOSSIERS_OF_OWNER_MAX)
          throw full(`You have ${DOSSIERS_OF_OWNER_MAX} dossiers already: remove one first.`)
        const made = new Date(now()).toISOString()
        const fresh = { format: 'tartaglia-kept-dossier/1', id: randomUUID(), made, items: [] } as const
        return { ...fresh, owner, title: title.trim(), readers: 'nobody' as const, items: [] }
      }),
    change: (id, change) => write(() => ({ ...get(id), ...change })),
    add: (id, item) =>
      write(() => {
        const before = get(id)
        if (before.items.length >= DOSSIER_ITEMS_MAX)
          throw full(`A dossier has at most ${DOSSIER_ITEMS_MAX} items: remove one, or begin another dossier.`)
        const added = { ...item, id: randomUUID(), added: new Date(now()).toISOString() } as DossierItem
        return { ...before, items: [...before.items, added] }
      }),
    edit: (id, edit) =>
      write(() => {
        const before = get(id)
        return { ...before, items: [...edit(before.items)] }
      }),
    remove(id) {
      const done = last.then(async () => {
        const path = fileOf(folder, get(id).id)
        await rm(path, { force: true }).catch((error: unknown) => {
          throw machineErrorFrom(error, 'remove the dossier', path)
        })
        dossiers().delete(id)
      })
      last = done.catch(() => undefined)
      return done
    },
  }
}

const fileOf = (folder: string, id: DossierId): string => join(folder, `${id}.json`)
const full = (message: string): ExpectedError => new ExpectedError('usage', 'limit-reached', message)

/** All dossiers that can be read, oldest first, one file after the other. Rejects with the system's error if the folder cannot be read. */
async function readDossiers(folder: string): Promise<Map<DossierId, StoredDossier>> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  const found: StoredDossier[] = []
  for (const name of names.filter((each) => each.endsWith('.json'))) {
    const text = await readFile(join(folder, name), 'utf8')
    const parsed = readJsonText(text, keptDossier)
    if (parsed.ok && name === `${parsed.value.id}.json`)
      found.push({ dossier: parsed.value, bytes: Buffer.byteLength(text) })
  }
  found.sort((one, other) => one.dossier.made.localeCompare(other.dossier.made))
  return new Map(found.map((each) => [each.dossier.id, each]))
}

/** The owner of what a caller makes: their team, or themselves. */
export function ownerFor({ team, person }: Caller): DossierOwner {
  if (team !== null) return { who: 'team', team }
  return person === null ? { who: 'host' } : { who: 'person', person }
}

/** True if a caller owns a dossier. Somebody who looks at the class as a student sees it owns nothing of that student. */
function owns({ owner }: KeptDossier, { role, team, person, isSeen }: Caller): boolean {
  if (isSeen === true) return false
  if (owner.who === 'team') return owner.team === team
  return owner.who === 'person' ? owner.person === person : person === null && role === 'educator'
}

/** True if somebody takes part in a case; cases are kept on a higher floor. */
export type IsOfCase = (id: CaseId, caller: Caller) => boolean

/** True if a caller may read a dossier. */
function reads(dossier: KeptDossier, caller: Caller, isOfCase: IsOfCase): boolean {
  const { readers } = dossier
  if (owns(dossier, caller)) return true
  if (caller.role === 'guest' || caller.role === null || readers === 'nobody') return false
  if (readers === 'class') return true
  return readers === 'staff' ? caller.role !== 'student' : isOfCase(readers, caller)
}

/** True if a dossier exists and a caller reaches it: `own` to change it, `public` to read it. */
export function reachesDossier(
  store: DossierStore,
  isOfCase: IsOfCase,
  reach: 'own' | 'public',
  id: DossierId,
  caller: Caller,
): boolean {
  const dossier = store.all().find((each) => each.id === id)
  if (dossier === undefined) return false
  return reach === 'own' ? owns(dossier, caller) : reads(dossier, caller, isOfCase)
}

function isSameOwner(a: DossierOwner, b: DossierOwner): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())
}

/** The dossiers that a caller may read, the newest first. */
export function dossiersFor(
  store: DossierStore,
  isOfCase: IsOfCase,
  content: OwnersOf,
  caller: Caller,
): readonly DossierSummary[] {
  const readable = store.all().filter((each) => reads(each, caller, isOfCase))
  return readable.toReversed().map((each) => summaryOf(each, content, caller))
}

export function dossierDetail(dossier: KeptDossier, content: OwnersOf, caller: Caller): DossierDetail {
  return { ...summaryOf(dossier, content, caller), entries: dossier.items }
}

type OwnersOf = Pick<Classroom, 'teams' | 'people'>

function summaryOf(dossier: KeptDossier, content: OwnersOf, caller: Caller): DossierSummary {
  const { id, title, readers, made, items } = dossier
  const by = ownerName(dossier.owner, content)
  return { dossier: id, title, by, isOwn: owns(dossier, caller), readers, made, items: items.length }
}

/** The owner without the name of a person, as it may be given to strangers. */
export function ownerName(owner: DossierOwner, { teams, people }: OwnersOf): string {
  if (owner.who === 'team') return teams.find(({ id }) => id === owner.team)?.name ?? 'a former team'
  if (owner.who === 'host') return 'the educator'
  const role = people.find(({ id }) => id === owner.person)?.role ?? 'student'
  return role === 'educator' ? 'the educator' : role === 'assistant' ? 'an assistant' : 'a student'
}

/** An item of a dossier. Throws ExpectedError `dossier-item-unknown`. */
export function itemOf({ items }: KeptDossier, id: string): DossierItem {
  const found = items.find((each) => each.id === id)
  if (found !== undefined) return found
  throw new ExpectedError(
    'usage',
    'dossier-item-unknown',
    'The dossier has no such item: somebody may have removed it.',
  )
}
