import * as z from 'zod'
import { fileName } from './procedure.ts'

/**
 * Files go from a page to the program as the body of a `POST`, piece by piece, because they are too large for messages. The answer is
 * the handle under which procedures then find the file: a history is an opened file, a package waits to be handed in, an archive to be imported.
 */
export const uploadKinds = ['histories', 'packages', 'archives'] as const
export type UploadKind = (typeof uploadKinds)[number]

/** The kind of the uploads to a path, such as `/packages?name=a.zip`; null: the path is for other requests. */
export function uploadKindOf(path: string): UploadKind | null {
  const [name] = path.split('?', 1)
  return uploadKinds.find((kind) => name === `/${kind}`) ?? null
}

/** The query of an upload, unchecked. */
export interface UploadQuery {
  /** The file's name. */
  readonly name?: unknown
  /** The handle of an announced history. */
  readonly file?: unknown
}

/** The largest package that is accepted, in bytes. */
export const UPLOAD_BYTES_MAX = 64 * 1024 * 1024

/** The largest export of a class that the window imports, in bytes. */
export const ARCHIVE_BYTES_MAX = 16 * 1024 ** 3

/** The name of an uploaded file. */
export const uploadName = fileName

/** The handle of an uploaded package. */
export const uploadHandle = z.string().min(1).max(64)
