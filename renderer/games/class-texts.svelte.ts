import type { TextField, TextSummary } from '../../main/contract/class-texts.ts'
import { call } from '../client.ts'
import { saveFile } from '../files.ts'
import { resource, type Resource } from '../resource.svelte.ts'

/** How many texts have been added since the window was opened: all lists are loaded again. */
let additions = $state(0)

/** The named texts to choose from, also those that are added elsewhere on the screen. Call as `resource`. */
export function classTexts(of: () => TextField): Resource<readonly TextSummary[]> {
  return resource(() => {
    void additions
    return call('texts.list', of())
  })
}

/** Adds a text to the class. Rejects with CallFailure if it is refused. */
export async function addText(of: TextField, name: string, text: string): Promise<TextSummary> {
  const added = await call('texts.add', { ...of, name, text })
  additions += 1
  return added
}

/** Saves a text as a file of the user, as it is. Rejects with CallFailure if it is gone. `ending`: with its dot. */
export async function exportText(of: TextField, name: string, ending: string): Promise<void> {
  saveFile(`${name}${ending}`, await call('texts.get', { ...of, name }))
}
