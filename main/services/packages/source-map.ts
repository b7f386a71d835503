import * as z from 'zod'
import { outputRoot, packageRoot } from './package-files.ts'
import { posix } from 'node:path'

/** The fields of esbuild's source map that are kept (source map format, version 3). */
const sourceMap = z.object({ sources: z.array(z.string()), mappings: z.string() })

/** esbuild's source map, with the paths of its sources as they are in the package. */
export function ownSourceMap(bytes: Uint8Array): string {
  const { sources, mappings } = sourceMap.parse(JSON.parse(new TextDecoder().decode(bytes)))
  const paths = sources.map((path) => posix.relative(packageRoot, posix.resolve(outputRoot, path)))
  return JSON.stringify({ version: 3, sources: paths, names: [], mappings })
}

/**
 * A bundle with its source map as a comment at its end, so that errors name the files of the package. `linesBefore`: lines that
 * stand before the code that the map describes. `most`: the maximum size in bytes; a map that does not fit is left out.
 */
export function withSourceMap(bundle: Uint8Array, map: string | null, linesBefore: number, most: number): Uint8Array {
  if (map === null) return bundle
  const { mappings, ...rest } = JSON.parse(map) as { mappings: string }
  // In the mappings each line ends with a semicolon.
  const moved = JSON.stringify({ ...rest, mappings: ';'.repeat(linesBefore) + mappings })
  const comment = Buffer.from(`${sourceMapComment}${Buffer.from(moved).toString('base64')}\n`)
  return bundle.length + comment.length > most ? bundle : Buffer.concat([bundle, comment])
}

/** The paths of the files in the source map of a bundle; empty: it has none that can be read. */
export function sourcesOf(bundle: Uint8Array): readonly string[] {
  const text = new TextDecoder().decode(bundle)
  const at = text.lastIndexOf(sourceMapComment)
  if (at === -1) return []
  try {
    const encoded = text.slice(at + sourceMapComment.length).trim()
    return sourceMap.parse(JSON.parse(Buffer.from(encoded, 'base64').toString())).sources
  } catch {
    // The script wrote this comment itself.
    return []
  }
}

/** The beginning of the comment, which debuggers read as well. */
const sourceMapComment = '//# sourceMappingURL=data:application/json;base64,'
