import { hash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Component } from '../../contract/procedures/components.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { PRIVATE_FOLDER } from './private-files.ts'
import { writeSynced } from './synced-file.ts'

type Stored = Pick<Component, 'hash' | 'ending'>

const fileOf = (data: string, component: Stored): string =>
  join(data, 'components', `${component.hash}.${component.ending}`)

/** Stores a component under the hash of its bytes. Rejects with the system's error. */
export async function storeComponent(data: string, component: Stored, bytes: Uint8Array): Promise<void> {
  await mkdir(join(data, 'components'), { recursive: true, mode: PRIVATE_FOLDER })
  await writeSynced(fileOf(data, component), bytes)
}

/** A component's bytes. Throws ExpectedError 'host' if they are missing or do not match the hash. */
export async function readComponent(data: string, component: Stored): Promise<Uint8Array> {
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
