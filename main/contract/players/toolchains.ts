import * as z from 'zod'

/** The toolchains that a contest can name: the interpreters and compilers of programs. */
export const toolchainName = z.enum(['node', 'python', 'jdk', 'gcc', 'rust', 'go'])
export type ToolchainName = z.infer<typeof toolchainName>

/** One kind of toolchain. */
export interface ToolchainKind {
  readonly title: string
  /** The programs by which a command shows that it needs this toolchain. */
  readonly programs: readonly string[]
  /** The command that prints its version. */
  readonly asks: readonly [string, ...string[]]
}

export const toolchainKinds: Readonly<Record<ToolchainName, ToolchainKind>> = {
  node: { title: 'Node', programs: ['node', 'npm', 'npx'], asks: ['node', '--version'] },
  python: { title: 'Python', programs: ['python', 'pip', 'pip3'], asks: ['python3', '--version'] },
  jdk: { title: 'JDK', programs: ['java', 'javac', 'jar'], asks: ['javac', '-version'] },
  gcc: { title: 'GCC', programs: ['gcc', 'g++', 'cc', 'c++'], asks: ['g++', '-dumpfullversion'] },
  rust: { title: 'Rust', programs: ['cargo', 'rustc'], asks: ['rustc', '--version'] },
  go: { title: 'Go', programs: ['go'], asks: ['go', 'version'] },
}

/** A version as people write it: numbers with full stops, such as `17`, `3.11` or `1.75.0`. */
const version = z.string().regex(/^\d{1,6}(?:\.\d{1,6}){0,3}$/, 'expected a version such as "3.11"')

/** The name of a package of Python, as an index of packages knows it. */
const pythonPackage = z.string().regex(/^[A-Za-z0-9](?:[\w.-]{0,98}[A-Za-z0-9])?$/, 'expected the name of a package')

/** A toolchain that a contest offers. */
export const offeredToolchain = z
  .strictObject({
    name: toolchainName,
    /** The oldest version that will do; absent: any. */
    version: version.exactOptional(),
    /** Packages of Python that agents may import. */
    packages: z.array(pythonPackage).min(1).max(100).exactOptional(),
  })
  .refine(({ name, packages }) => name === 'python' || packages === undefined, {
    path: ['packages'],
    message: 'only Python has packages here: agents bring those of other languages with them',
  })
export type OfferedToolchain = z.infer<typeof offeredToolchain>

/** The toolchains that a contest offers to its programs. */
export const offeredToolchains = z
  .array(offeredToolchain)
  .max(toolchainName.options.length)
  .refine((offered) => new Set(offered.map(({ name }) => name)).size === offered.length, 'each toolchain once')

/** Offered toolchains as a person writes them in a line: `python 3.11 (numpy scipy), jdk 17`. */
export const offeredText = (offered: readonly OfferedToolchain[]): string =>
  offered
    .map(({ name, version: oldest, packages = [] }) =>
      [
        name,
        ...(oldest === undefined ? [] : [oldest]),
        ...(packages.length === 0 ? [] : [`(${packages.join(' ')})`]),
      ].join(' '),
    )
    .join(', ')

/** Reads such a line; '' offers none. A string: what is wrong with it, a sentence. */
export function readOffered(text: string): readonly OfferedToolchain[] | string {
  const parts = text
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const written = parts.map((part) => {
    const [, name = part, oldest, packages] = /^(\S+)(?:\s+([^\s(]+))?(?:\s*\(([^()]*)\))?$/.exec(part) ?? []
    const names = packages?.split(/[\s,]+/).filter((each) => each !== '')
    return {
      name: name.toLowerCase(),
      ...(oldest === undefined ? {} : { version: oldest }),
      ...(names === undefined || names.length === 0 ? {} : { packages: names }),
    }
  })
  const read = offeredToolchains.safeParse(written)
  if (read.success) return read.data
  const [issue] = read.error.issues
  if (issue?.path.length === 0) return 'Name each toolchain once.'
  const wrong = parts[Number(issue?.path[0] ?? 0)] ?? text
  return `“${wrong}” is not understood: write for example python 3.11 (numpy), jdk 17. Known are ${toolchainName.options.join(', ')}.`
}

/** The versions of toolchains, by name. */
export const toolchainVersions = z.partialRecord(toolchainName, z.string().max(64))
export type ToolchainVersions = z.infer<typeof toolchainVersions>

/** A toolchain as it was found on a machine. */
export interface FoundToolchain {
  readonly name: ToolchainName
  /** null: not found. */
  readonly version: string | null
  /** The packages of Python that were asked for and found. */
  readonly packages?: readonly string[]
}

/** The version in what a toolchain prints about itself; null: it names none. */
export function versionIn(output: string): string | null {
  return /(?<![\d.])\d{1,6}(?:\.\d{1,6}){0,4}(?![\d.])/.exec(output.slice(0, 1_000))?.[0] ?? null
}

/** True: a version is the wanted one or a later one. Parts that are left out count as 0. */
export function isAtLeast(found: string, wanted: string): boolean {
  const [have, want] = [found, wanted].map((text) => text.split('.').map(Number)) as [number[], number[]]
  for (let at = 0; at < Math.max(have.length, want.length); at++) {
    const difference = (have[at] ?? 0) - (want[at] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return true
}

/** The toolchain by which a command is run; null: it is a program of the package, or one that belongs to none. */
export function toolchainOfCommand([program = '']: readonly string[]): ToolchainName | null {
  if (program.startsWith('./')) return null
  const name = program
    .split('/')
    .at(-1)!
    .replace(/^(python|gcc|g\+\+)-?\d[\d.]*$/, '$1')
  return toolchainName.options.find((each) => toolchainKinds[each].programs.includes(name)) ?? null
}

/** The parts of an agent.json that tell which toolchains a program needs. */
interface ProgramCommands {
  readonly toolchains?: readonly ToolchainName[] | undefined
  readonly build?: readonly string[] | undefined
  readonly command?: readonly string[] | undefined
  readonly commands?: Readonly<Record<string, readonly string[]>> | undefined
}

/** The toolchains that a program needs: those that its agent.json names, and those of its commands. */
export function toolchainsOf({
  toolchains = [],
  build,
  command,
  commands = {},
}: ProgramCommands): readonly ToolchainName[] {
  const words = [build, command, ...Object.values(commands)].filter((each) => each !== undefined)
  const named = new Set([...toolchains, ...words.flatMap((each) => toolchainOfCommand(each) ?? [])])
  return toolchainName.options.filter((name) => named.has(name))
}

/** Why a contest that offers these toolchains does not take an agent, a phrase; null: it does. */
export function whyNotOffered(
  offered: readonly Pick<OfferedToolchain, 'name'>[],
  manifest: ProgramCommands & { readonly kind: string },
): string | null {
  if (manifest.kind !== 'program') return null
  const missing = toolchainsOf(manifest).filter((name) => offered.every((each) => each.name !== name))
  if (missing.length === 0) return null
  const titles = (names: readonly ToolchainName[]): string => names.map((name) => toolchainKinds[name].title).join(', ')
  const others = offered.length === 0 ? 'no toolchain' : titles(offered.map(({ name }) => name))
  return `it needs ${titles(missing)}, and the contest offers ${others}`
}

/** The offers that a machine cannot keep, a phrase each, such as "Python 3.12 (3.11.2 is installed)". */
export function lackingToolchains(
  offered: readonly OfferedToolchain[],
  found: readonly FoundToolchain[],
): readonly string[] {
  return offered.flatMap(({ name, version: wanted, packages = [] }) => {
    const { title } = toolchainKinds[name]
    const here = found.find((each) => each.name === name)
    const asked = wanted === undefined ? title : `${title} ${wanted}`
    if (here === undefined || here.version === null) return [`${asked} (not found)`]
    if (wanted !== undefined && !isAtLeast(here.version, wanted)) return [`${asked} (${here.version} is installed)`]
    const missing = packages.filter((each) => here.packages?.includes(each) !== true)
    return missing.map((each) => `the package ${each} of Python ${here.version}`)
  })
}

/** A toolchain outside of the system's folders, as the operator of a machine declares it. */
const declaredToolchain = z.strictObject({
  /** The folder that agents and builds may read, at the same path. */
  folder: z
    .string()
    .max(4_096)
    .regex(/^\/[^/\0]/, 'expected an absolute path'),
  /** Folders of programs in it. */
  path: z
    .array(z.string().regex(/^(?!.*(?:^|\/)\.\.(?:\/|$))[^/:\0][^:\0]*$/, 'expected a folder within it'))
    .min(1)
    .max(8)
    .default(['bin']),
  /** Environment variables that its programs need. `{folder}` stands for the folder. */
  environment: z
    .record(
      z.string().regex(/^[A-Z_][A-Z0-9_]{0,63}$/),
      z
        .string()
        .max(4_096)
        .refine((text) => !text.includes('\0')),
    )
    .default({}),
})

/** The file toolchains.json of a machine. */
export const declaredToolchains = z.partialRecord(toolchainName, declaredToolchain)
