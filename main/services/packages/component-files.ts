import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  COMPONENT_BYTES_MAX,
  COMPONENT_DIGITS,
  COMPONENTS_MAX,
  componentName,
  type ComponentUse,
} from '../../contract/procedures/components.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { PackageFile } from './files.ts'
import { refused } from './form.ts'

/** A component as an import names it. */
export interface ComponentReference {
  readonly name: string
  /** The first `COMPONENT_DIGITS` digits of its hash. */
  readonly digits: string
  readonly ending: 'js' | 'ts'
}

/** The source of components when an agent is bundled. */
export interface ComponentSource {
  /** The bytes of a component; null: there is none. `own`: a copy of it in the package, whose hash was checked. */
  find(reference: ComponentReference, own: Uint8Array | undefined): Promise<Uint8Array | null>
  /** Continues a sentence that begins with "the component x@1": why it is not found. */
  readonly missing: string
}

/** Components of a package's own folder and, if the package is a file in a folder, of `components/` beside it. */
export function componentsBeside(folder: string | null): ComponentSource {
  return {
    async find(reference, own) {
      if (own !== undefined || folder === null) return own ?? null
      return readFile(join(folder, pathOf(reference))).catch(() => null)
    },
    missing: 'is not in the folder "components" beside it',
  }
}

/** Looks up components in one source after the other. */
export function componentsOfEither(first: ComponentSource, second: ComponentSource): ComponentSource {
  return {
    find: async (reference, own) => (await first.find(reference, own)) ?? second.find(reference, own),
    missing: `${first.missing}, and ${second.missing}`,
  }
}

/** The files of components for a bundle, which components they are, and the references that were not found. */
export interface FoundComponents {
  readonly files: readonly PackageFile[]
  readonly uses: ReadonlyMap<string, ComponentUse>
  readonly missing: readonly ComponentReference[]
}

/** A chain of components that import each other may have this length at most. */
const DEPTH_MAX = 8
/** The maximum size of all components of an agent. */
const BYTES_MAX = 8 * 1024 * 1024

const script = /\.[cm]?[jt]s$/i
const digits = `[0-9a-f]{${COMPONENT_DIGITS}}`
const fileName = `([a-z0-9-]{1,40})@(${digits})\\.(js|ts)`
/** In an agent's scripts, and in a component, whose neighbours the others are. */
const inAgent = new RegExp(`\\bcomponents/${fileName}(?=['"])`, 'g')
const inComponent = new RegExp(`(?<=['"]\\./)${fileName}(?=['"])`, 'g')
const ownPath = new RegExp(`^components/${fileName}$`)

const pathOf = ({ name, digits, ending }: ComponentReference): string => `components/${name}@${digits}.${ending}`

/** Why bundling failed: a component that was not found, or else the bundler's error. */
export function bundlingFailure(
  fileName: string,
  error: unknown,
  { missing: [missing] }: FoundComponents,
  source: ComponentSource,
): unknown {
  if (missing === undefined || !(error instanceof ExpectedError)) return error
  return refused('component-unknown', fileName, `the component ${missing.name}@${missing.digits} ${source.missing}`)
}

/** The components from which a bundle was made, by its inputs. */
export function componentsIn(inputs: readonly string[], { uses }: FoundComponents): readonly ComponentUse[] {
  return inputs.flatMap((path) => uses.get(path) ?? [])
}

/** True for a file of a package that is a copy of a component. */
export const isComponentPath = (path: string): boolean => ownPath.test(path)

/** True for a script that mentions a component to import. */
export function mentionsComponents(bytes: Uint8Array): boolean {
  return referencesIn(bytes, inAgent).length > 0
}

/**
 * Finds the components that the scripts of a package mention, and those that these import. `fileName`: the package's, for
 * messages. Throws ExpectedError 'usage' if a component in the package is not what its name says, or if there are too many.
 */
export async function findComponents(
  fileName: string,
  files: readonly PackageFile[],
  source: ComponentSource,
): Promise<FoundComponents> {
  const own = new Map(files.filter(({ path }) => ownPath.test(path)).map(({ path, bytes }) => [path, bytes]))
  const scripts = files.filter(({ path }) => script.test(path) && !ownPath.test(path))
  return follow(
    fileName,
    scripts.flatMap(({ bytes }) => referencesIn(bytes, inAgent)),
    source,
    own,
  )
}

/** The components that a component imports, and those that these import. Throws like `findComponents`. */
export function findNeighbours(fileName: string, bytes: Uint8Array, source: ComponentSource): Promise<FoundComponents> {
  return follow(fileName, referencesIn(bytes, inComponent), source, new Map())
}

async function follow(
  fileName: string,
  wanted: readonly ComponentReference[],
  source: ComponentSource,
  own: ReadonlyMap<string, Uint8Array>,
): Promise<FoundComponents> {
  const found = new Map<string, { readonly bytes: Uint8Array; readonly use: ComponentUse }>()
  const missing: ComponentReference[] = []
  const seen = new Set<string>()
  let size = 0
  let level = wanted
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === DEPTH_MAX)
      throw refused('component-limit', fileName, `its components import each other over more than ${DEPTH_MAX} steps`)
    const next: ComponentReference[] = []
    for (const reference of level) {
      const path = pathOf(reference)
      if (seen.has(path)) continue
      seen.add(path)
      if (seen.size > COMPONENTS_MAX)
        throw refused('component-limit', fileName, `it mentions more than ${COMPONENTS_MAX} components`)
      const copy = own.get(path)
      if (copy !== undefined) checkHash(fileName, reference, copy)
      const bytes = await source.find(reference, copy)
      if (bytes === null) {
        missing.push(reference)
        continue
      }
      size += bytes.length
      if (bytes.length > COMPONENT_BYTES_MAX || size > BYTES_MAX)
        throw refused('too-large', fileName, `its components are larger than ${BYTES_MAX >> 20} MB, or one than 1 MB`)
      const whole = checkHash(fileName, reference, bytes)
      found.set(path, { bytes, use: { name: reference.name, hash: whole } })
      next.push(...referencesIn(bytes, inComponent))
    }
    level = next
  }
  return {
    files: [...found].map(([path, { bytes }]) => ({ path, bytes })),
    uses: new Map([...found].map(([path, { use }]) => [path, use])),
    missing,
  }
}

function checkHash(fileName: string, reference: ComponentReference, bytes: Uint8Array): string {
  const whole = hash('sha256', bytes)
  if (whole.startsWith(reference.digits)) return whole
  throw refused(
    'component-forged',
    fileName,
    `${pathOf(reference)} is not that component: its SHA-256 begins with ${whole.slice(0, COMPONENT_DIGITS)}`,
  )
}

function referencesIn(bytes: Uint8Array, where: RegExp): readonly ComponentReference[] {
  const text = new TextDecoder().decode(bytes)
  const found = [...text.matchAll(where)].map(([, name = '', digits = '', ending]) => {
    return { name, digits, ending: ending === 'ts' ? ('ts' as const) : ('js' as const) }
  })
  return found.filter(({ name }) => componentName.safeParse(name).success)
}

const recordStart = '/* Tartaglia components: '
const recordLine = /^\/\* Tartaglia components: ([a-z0-9@ -]{1,10000}) \*\/\n/

/** A bundle with the record of the components from which it was made as its first line; unchanged if there are none. */
export function withRecord(uses: readonly ComponentUse[], bundle: Uint8Array): Uint8Array {
  if (uses.length === 0) return bundle
  const words = uses.map(({ name, hash: whole }) => `${name}@${whole}`).sort()
  return Buffer.concat([Buffer.from(`${recordStart}${words.join(' ')} */\n`), bundle])
}

/** True for a script that begins with a record; only Tartaglia writes one. */
export function hasRecord(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 64)).trimStart().startsWith(recordStart.trim())
}

/** The components that a script's record names; none without a record. */
export function recordedComponents(bytes: Uint8Array): readonly ComponentUse[] {
  const [, words] = recordLine.exec(new TextDecoder().decode(bytes.subarray(0, 12_000))) ?? []
  return (words ?? '').split(' ').flatMap((word) => {
    const [name = '', whole = ''] = word.split('@')
    return componentName.safeParse(name).success && /^[0-9a-f]{64}$/.test(whole) ? [{ name, hash: whole }] : []
  })
}
