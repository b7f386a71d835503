import * as z from 'zod'
import { schoolName, type LookedAtEntries } from './entries.ts'
import { entrantId } from '../ids.ts'
import type { StartedDownload } from '../procedures/downloads.ts'
import { procedure } from '../procedures/procedure.ts'
import { uploadHandle } from '../procedures/uploads.ts'

/** Entries for contests of other classes and schools, and theirs for contests here. */
export const entryProcedures = {
  /** Checks an uploaded entries file and says what its entries would become, without storing anything. */
  'entries.look': procedure<{ file: string }, LookedAtEntries>(z.strictObject({ file: uploadHandle })),
  /**
   * Adds the entries of an uploaded file to the class; all or none. `trust`: the name under which the class trusts the key of the
   * file from now on; null: it must trust it already.
   */
  'entries.import': procedure<{ file: string; trust: string | null }, LookedAtEntries>(
    z.strictObject({ file: uploadHandle, trust: z.string().max(200).nullable() }),
  ),
  /**
   * The newest versions of these agents as an entries file, signed with the class's key: a download. `school` becomes the
   * name of the class for others. `showSource`: others may see the sources.
   */
  'entries.export': procedure<
    { school: string; agents: readonly string[]; showSource: boolean },
    StartedDownload & { readonly fingerprint: string }
  >(z.strictObject({ school: schoolName, agents: z.array(entrantId).min(1).max(1_000), showSource: z.boolean() })),
}
