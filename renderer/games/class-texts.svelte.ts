import {
  TEXT_CHARACTERS_MAX,
  TEXT_TOO_LONG,
  type TextField,
  type TextSummary,
} from '../../main/contract/procedures/class-texts.ts'
import { call, CallFailure } from '../connection/client.ts'
import { saveFile } from '../files.ts'
import { resource, type Resource } from '../connection/resource.svelte.ts'
import { textEnding } from './text-names.ts'

/** How often texts have been added or deleted since the window was opened: all lists are loaded again. */
let changes = $state(0)

/** The named texts to choose from, also after changes elsewhere on the screen. Call as `resource`. */
export function classTexts(of: () => TextField): Resource<readonly TextSummary[]> {
  return resource(() => {
    void changes
    return call('texts.list', of())
  })
}

/** Adds a text to the class. Rejects with CallFailure if it is refused. */
export async function addText(of: TextField, name: string, text: string): Promise<TextSummary> {
  // A message that is too long would end the connection.
  if (text.length > TEXT_CHARACTERS_MAX)
    throw new CallFailure({ code: 'refused', reason: 'too-large', message: `The text is too long: ${TEXT_TOO_LONG}.` })
  const added = await call('texts.add', { ...of, name, text })
  changes += 1
  return added
}

/** Deletes a text of the class. Rejects with CallFailure if it is gone or built in. */
export async function deleteText(of: TextField, name: string): Promise<void> {
  await call('texts.delete', { ...of, name })
  changes += 1
}

/** Saves a text as a file of the user, as it is. Rejects with CallFailure if it is gone. `accept`: as of a file input. */
export async function exportText(of: TextField, name: string, accept: string): Promise<void> {
  const text = await call('texts.get', { ...of, name })
  saveFile(`${name}${textEnding(text, accept)}`, text)
}
