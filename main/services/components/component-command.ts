import { basename, join } from 'node:path'
import { openClassFolder, readClass, type ClassFolder } from '../../administrator/classroom/classroom.ts'
import {
  COMPONENT_FILE_BYTES_MAX,
  componentPath,
  publication,
  type ComponentDetail,
  type ComponentSummary,
} from '../../contract/procedures/components.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { makeFolder } from '../../histories/durable.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { requireDataFolder } from '../machine/existing-class.ts'
import { writeOutFile } from '../files/output-file.ts'
import { readBytes } from '../files/read-file.ts'
import { openComponents, readComponents, type ReadComponents } from './class-components.ts'

/** Publishes a file as a component of a class. Throws ExpectedError 'usage' that says what is wrong with it, or MachineError. */
export async function publishFile(
  data: string,
  {
    file,
    ...told
  }: { readonly file: string; readonly name: string; readonly author: string; readonly description: string },
): Promise<ComponentSummary> {
  const read = publication.omit({ file: true }).safeParse(told)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new ExpectedError(
      'usage',
      'input-invalid',
      `--${String(issue?.path[0])}: ${issue?.message ?? 'it is not valid'}.`,
    )
  }
  const content = await readBytes(file, COMPONENT_FILE_BYTES_MAX)
  requireDataFolder(data)
  const home = await openClassFolder(data)
  try {
    return await openComponents(home, () => undefined).publish({ ...read.data, fileName: basename(file), content })
  } finally {
    await home.close()
  }
}

/**
 * Withdraws a component that is named as in `componentNamed`, or takes that back. Throws ExpectedError 'usage' or MachineError.
 */
export async function withdrawComponent(data: string, wanted: string, isWithdrawn: boolean): Promise<ComponentDetail> {
  const { hash } = await componentNamed(data, wanted)
  const home = await openClassFolder(data)
  try {
    const components = openComponents(home, () => undefined)
    await components.withdraw(hash, isWithdrawn)
    return await components.get(hash)
  } finally {
    await home.close()
  }
}

/** All components of a class, newest first. Throws ExpectedError 'usage'. */
export async function listComponents(data: string): Promise<readonly ComponentSummary[]> {
  const components = await openForReading(data)
  return (await components.list({ offset: 0, limit: Infinity, search: '' })).items
}

/**
 * A component by its name, then the newest one, or by its name and the beginning of its hash: `matcher@0123`. Throws
 * ExpectedError 'usage' if there is none.
 */
export async function componentNamed(data: string, wanted: string): Promise<ComponentDetail> {
  const [name = '', digits = ''] = wanted.split('@')
  const all = (await listComponents(data)).filter((each) => each.name === name)
  const found = all.find(({ hash }) => hash.startsWith(digits))
  if (found !== undefined) return (await openForReading(data)).get(found.hash)
  const known =
    all.length === 0 ? '' : `; there are ${all.map(({ hash }) => `${name}@${hash.slice(0, 12)}`).join(', ')}`
  throw new ExpectedError('usage', 'component-unknown', `There is no component "${wanted}" in ${data}${known}.`)
}

/**
 * Writes a component and those that it contains into the folder `components` of a kit, where agents import them. Returns the paths.
 * A file that is there is replaced: its name says what is in it. Throws ExpectedError 'usage' or MachineError.
 */
export async function saveForKit(data: string, component: ComponentDetail, kit: string): Promise<readonly string[]> {
  const all = [component]
  for (const { name, hash } of component.uses) all.push(await componentNamed(data, `${name}@${hash}`))
  try {
    makeFolder(join(kit, 'components'))
  } catch (error) {
    throw machineErrorFrom(error, 'write', kit)
  }
  return all.map((each) => {
    const path = join(kit, componentPath(each))
    writeOutFile({ path, overwrite: true }, each.text)
    return path
  })
}

async function openForReading(data: string): Promise<ReadComponents> {
  requireDataFolder(data)
  const home: Pick<ClassFolder, 'folder' | 'content'> = { folder: data, content: await readClass(data) }
  return readComponents(home)
}
