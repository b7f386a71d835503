import * as z from 'zod'
import { schoolName } from '../contests/entries.ts'
import type { StartedDownload } from './downloads.ts'
import { nothing, procedure } from './procedure.ts'
import { uploadHandle } from './uploads.ts'

/** A class on this machine. */
export interface KnownClass {
  /** Its data folder, an absolute path. */
  readonly folder: string
  readonly name: string
}

/** A class beside the present one. */
export interface OtherClass extends KnownClass {
  /** False: its disk does not answer, such as a share whose server is gone. */
  readonly answers: boolean
  /** True: it is open beside this one, and can be closed. */
  readonly closes: boolean
}

/**
 * A task that is lost when its class or the program is closed, or for which the end waits. `import`: of a class, also while its file is read in.
 */
export type OngoingTask = 'export' | 'backup' | 'import' | 'new-term' | 'sample-term'

/**
 * The progress of an export of this class, in bytes of the files that it takes. All of them are read twice: for the signed list of their hashes, and
 * to be packed.
 */
export interface ExportProgress {
  /** The bytes of all files; 0 while the records are copied. */
  readonly bytes: number
  readonly listed: number
  readonly packed: number
}

/** The classes that the person at this machine can open from the window. */
export interface Classes {
  /**
   * The way in which another class is opened: `here`, in place of this one, which is closed; `beside`, by a server of its own, while this one
   * goes on.
   */
  readonly opens: 'here' | 'beside'
  readonly current: KnownClass
  /** The others, those that were open last first. */
  readonly others: readonly OtherClass[]
  /** The folder in which new classes are made, each in a folder of its own. */
  readonly home: string
  /** The step at which the making of the sample term is; null: it is not being made. */
  readonly makingSample: string | null
}

/** A class that was made. */
export interface MadeClass {
  readonly folder: string
}

/** A class that was imported. */
export interface ImportedClass extends MadeClass {
  /** False: it copies itself nowhere, also because the folder for that was another machine's. */
  readonly makesBackups: boolean
  /** The number of contests that ran where it was exported, and of recurring ones: they are paused. */
  readonly paused: number
}

/** A new term that was made of a class. */
export interface MadeTerm extends MadeClass {
  readonly contests: readonly { readonly title: string; readonly closes: string; readonly isOver: boolean }[]
  readonly agents: readonly string[]
  /** A sentence for each contest that is not planned again. */
  readonly leftOut: readonly string[]
}

/** An export of this class that was written, and is fetched. */
export interface StartedExport extends StartedDownload {
  /** Names in the data folder that belong to no class and were left out. */
  readonly leftOut: readonly string[]
}

const folder = z.string().min(1).max(4_096)
const oneFolder = z.strictObject({ folder })
const named = z.strictObject({ name: schoolName })
const term = z.strictObject({
  name: schoolName,
  /** Null: today. */
  firstDay: z.iso.date().nullable(),
  oldAgents: z.boolean(),
})
/** The most characters of keys of age. */
const KEYS_MAX = 65_536
const taken = z.strictObject({
  name: schoolName,
  file: uploadHandle,
  /** The private keys for an encrypted archive, as age-keygen writes them; null: none. */
  identities: z.string().max(KEYS_MAX).nullable(),
})
const given = z.strictObject({
  /** A public key of age; null: the archive is not encrypted. */
  recipient: z.string().min(1).max(4_096).nullable(),
})

/** Classes as documents, for the person at this machine alone. New ones are made in folders of their own and are not opened by that. */
export const classesProcedures = {
  /** Null: this window shows one class alone. */
  'classes.get': procedure<z.infer<typeof nothing>, Classes | null>(nothing),
  /**
   * Opens another class. `address`: the page by which it is reached, once; null: the window shows it in place of this one. Refused if the folder
   * has no class, if another program has it open, and while contests run that the person does not want to pause.
   */
  'classes.open': procedure<z.infer<typeof oneFolder>, { readonly address: string | null }>(oneFolder),
  /** Closes a class that was opened beside this one: its contests pause, and its people are disconnected. Nothing happens if it is not open. */
  'classes.close': procedure<z.infer<typeof oneFolder>, null>(oneFolder),
  /** Makes an empty class. */
  'classes.create': procedure<z.infer<typeof named>, MadeClass>(named),
  /** Makes a class for a new term of this one: see docs/archive.md. */
  'classes.newTerm': procedure<z.infer<typeof term>, MadeTerm>(term),
  /** Makes the sample term, unless it exists. Takes some 20 seconds; the topic `classes` has its steps. */
  'classes.sampleTerm': procedure<z.infer<typeof nothing>, MadeClass>(nothing),
  /** Makes the class of an archive that was uploaded. */
  'classes.import': procedure<z.infer<typeof taken>, ImportedClass>(taken),
  /** Begins the download of this class as an archive of one moment; it may be running. Refused if a disk has no room for it. */
  'classes.export': procedure<z.infer<typeof given>, StartedExport>(given),
  /** Stops exports of this class that are being written, and removes what there is of them. */
  'classes.stopExport': procedure<z.infer<typeof nothing>, null>(nothing),
}
