import type { ExportProgress } from '../../main/contract/procedures/classes.ts'
import { may } from '../caller.svelte.ts'
import { createAttempts } from '../connection/attempts.svelte.ts'
import { call, subscribe } from '../connection/client.ts'
import { followDownload } from '../connection/download.ts'
import { asFailure } from '../connection/resource.svelte.ts'
import { saveFile } from '../files.ts'
import { followForCaller } from './follow-caller.ts'

/** A file that was saved, and names in the folder of the class that are not in it. */
interface SavedExport {
  readonly name: string
  readonly leftOut: readonly string[]
}

/** The exports that this window began; and the call that stops any. */
const [attempts, stops] = [createAttempts(), createAttempts()]
/** The export that is being written, whichever window began it. */
let writing = $state.raw<ExportProgress | null>(null)
/** The part of this window's file that has been fetched, 0 to 1; null: it is being written. */
let fetched = $state<number | null>(null)
/** True: somebody has asked for the end of this window's export. */
let isStopped = $state(false)
/** True: it has ended for that, and nothing of it remains. */
let isGone = $state(false)
let saved = $state.raw<SavedExport | null>(null)

/** The export of this class, for all screens: it goes on while another one is shown. */
export const exporting = {
  /** True while one is written, or fetched by this window, and the person at the window may see it: not while they look as somebody else. */
  get isRunning(): boolean {
    return (attempts.busy || writing !== null) && may('classes.export')
  },
  /** True while one runs that this window began. */
  get isOwn(): boolean {
    return attempts.busy
  },
  get writing(): ExportProgress | null {
    return writing
  },
  get fetched(): number | null {
    return attempts.busy ? fetched : null
  },
  /** True while the end has been asked for and has not come. */
  get isStopping(): boolean {
    return stops.busy || (attempts.busy && isStopped)
  },
  /** True: this window's last one was stopped, and nothing of it remains. */
  get isGone(): boolean {
    return isGone && !attempts.busy
  },
  /** The file of this window's last one; null: there is none. */
  get saved(): SavedExport | null {
    return saved
  },
  /** Why this window's last one, or the call that stops it, failed; '' if it did not. */
  get problem(): string {
    return attempts.problem || stops.problem
  },
}

/** Begins an export, and saves its file when it has been written and fetched. `recipient`: a public key of age; null: it is not encrypted. */
export async function beginExport(recipient: string | null): Promise<void> {
  saved = null
  fetched = null
  isStopped = false
  isGone = false
  stops.clear()
  await attempts.run(async () => {
    const started = await call('classes.export', { recipient }).catch((error: unknown) => {
      if (!isStopped || asFailure(error).reason !== 'stopped') throw error
      return null
    })
    isGone = started === null
    if (started === null) return
    const archive = await followDownload(started, {
      onPart: (arrived) => (fetched = arrived),
      isStopped: () => isStopped,
    })
    isGone = archive === null
    if (archive === null) return
    saveFile(started.fileName, archive)
    saved = { name: started.fileName, leftOut: started.leftOut }
  })
}

/** Asks for the end of the fetching of this window's file, or of the writing of all exports of the class. */
export async function cancelExport(): Promise<void> {
  isStopped = attempts.busy
  if (exporting.fetched === null) await stops.run(() => call('classes.stopExport', {}))
}

/** Starts following exports, if this is the person at this machine; called once, by the window. */
export function followExports(): () => void {
  const leave = followForCaller(() =>
    may('classes.export') ? subscribe('exporting', (now) => void (writing = now)) : null,
  )
  return () => {
    leave()
    writing = null
  }
}
