import * as z from 'zod'
import {
  component,
  COMPONENT_BYTES_MAX,
  COMPONENT_FILE_BYTES_MAX,
  type Component,
} from '../../contract/procedures/components.ts'
import { filesOfTarGz, filesOfZip } from '../packages/archives.ts'
import { bundleScript } from '../packages/build.ts'
import {
  bundlingFailure,
  componentsIn,
  findNeighbours,
  hasRecord,
  type ComponentSource,
} from '../packages/component-files.ts'
import type { PackageFile } from '../packages/files.ts'
import { checkContent, formOf, refused } from '../packages/form.ts'

/** A module that can be published. `bytes`: its text. */
export interface PreparedComponent extends Pick<Component, 'ending' | 'exports' | 'uses'> {
  readonly bytes: Uint8Array
}
export const preparedComponent = component
  .pick({ ending: true, exports: true, uses: true })
  .extend({ bytes: z.instanceof(Uint8Array) })

/**
 * Makes a component from a file: one module, whose text stays as it is, or a package, which is bundled into one ES module.
 * Bundling, in isolation, also finds errors and what it exports. Throws ExpectedError 'usage' that says what is wrong with it.
 */
export async function prepareComponent(
  { fileName, content }: { readonly fileName: string; readonly content: Uint8Array },
  components: ComponentSource,
): Promise<PreparedComponent> {
  const form = formOf(fileName)
  if (content.length > COMPONENT_FILE_BYTES_MAX)
    throw refused('too-large', fileName, `it is larger than ${COMPONENT_FILE_BYTES_MAX >> 20} MB`)
  checkContent(fileName, form, content)
  const prepared =
    form === 'js' || form === 'ts'
      ? await ofModule(fileName, form, content, components)
      : await ofPackage(fileName, await filesOf(fileName, form, content))
  if (prepared.bytes.length > COMPONENT_BYTES_MAX) throw refused('too-large', fileName, 'it is larger than 1 MB')
  if (hasRecord(prepared.bytes))
    throw refused('component-record', fileName, 'it begins like an agent that was made from components')
  if (prepared.exports.length === 0)
    throw refused(
      'component-without-exports',
      fileName,
      'it exports nothing; a component is an ES module ("export function …")',
    )
  return { ...prepared, exports: prepared.exports.filter((name) => name.length <= 200).slice(0, 1_000) }
}

async function ofModule(
  fileName: string,
  ending: Component['ending'],
  bytes: Uint8Array,
  components: ComponentSource,
): Promise<PreparedComponent> {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refused('not-utf8', fileName, 'it is not text in UTF-8')
  }
  const found = await findNeighbours(fileName, bytes, components)
  const main = `components/module.${ending}`
  const files = [{ path: main, bytes }, ...found.files]
  const bundle = await bundleScript({ fileName, files, main, as: 'module' }).catch((error: unknown) => {
    throw bundlingFailure(fileName, error, found, components)
  })
  return { ending, bytes, exports: [...bundle.exports], uses: [...componentsIn(bundle.inputs, found)] }
}

async function ofPackage(fileName: string, files: readonly PackageFile[]): Promise<PreparedComponent> {
  const scripts = files.map(({ path }) => path).filter((path) => /^[^/]+\.[jt]s$/i.test(path))
  const main =
    scripts.find((path) => /^(index|main)\.[jt]s$/i.test(path)) ?? (scripts.length === 1 ? scripts[0] : undefined)
  if (main === undefined)
    throw refused('script-ambiguous', fileName, 'its main file is not clear; call it index.js or index.ts')
  const { bytes, exports } = await bundleScript({ fileName, files, main, as: 'module' })
  return { ending: 'js', bytes, exports: [...exports], uses: [] }
}

async function filesOf(fileName: string, form: string, content: Uint8Array): Promise<readonly PackageFile[]> {
  if (form === 'zip') return filesOfZip(fileName, content)
  if (form === 'tar.gz') return filesOfTarGz(fileName, content)
  throw refused(
    'package-form-unknown',
    fileName,
    'a component is a .js or .ts file, or a .zip or .tar.gz of such files',
  )
}
