import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContestDraft } from '../../../main/contract/procedures/procedures.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import type { Room } from './classroom.ts'

/** Hands in shipped agents of the Specker game, as entrants. */
export async function handIn(room: Room, names: readonly string[]): Promise<ContestDraft['entrants']> {
  await room.call('settings.set', { isolation: 'permission' })
  const entrants: ContestDraft['entrants'] = []
  for (const name of names) {
    const content = await shippedSource(name)
    const file = { fileName: `${name}.js`, content, game: 'specker', wait: false }
    const { versions } = await room.submit(file)
    entrants.push({ name, agent: versions[0]!.agent })
  }
  return entrants
}

const shippedSource = (name: string): Promise<string> =>
  readFile(join(resources.agents, 'specker', `${name}.js`), 'utf8')

/** Hands in a new version of one of them, with a remark at its end; gives its hash. */
export async function handInVersion(room: Room, name: string, remark: string): Promise<string> {
  const { versions } = await room.submit({
    fileName: `${name}.js`,
    content: `${await shippedSource(name)}\n// ${remark}\n`,
    game: 'specker',
    becomes: { what: 'version', of: name },
    wait: false,
  })
  return versions[0]!.agent
}
