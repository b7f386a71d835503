import type { PackageFile } from './files.ts'

/** From this size on, in bytes, esbuild takes seconds to read a JSON file as an object, and a moment to read it as a text. */
const LARGE = 256 * 1024
/** esbuild reads these itself, whatever the loader. */
const isSetting = (path: string): boolean => /(?:^|\/)(?:package|[jt]sconfig[^/]*)\.json$/i.test(path)

/**
 * The files of a package with each JSON file as a module that parses its text, and the arguments that esbuild needs for that;
 * null: no file is large, a file is not JSON, or a script may need JSON as it is.
 */
export function parsedJsonModules(
  files: readonly PackageFile[],
): { readonly files: readonly PackageFile[]; readonly args: readonly string[] } | null {
  const isJson = ({ path }: PackageFile): boolean => /\.json$/i.test(path) && !isSetting(path)
  if (!files.some((file) => isJson(file) && file.bytes.length >= LARGE)) return null
  const scripts = files.filter(({ path }) => /\.[cm]?[jt]sx?$/i.test(path))
  if (scripts.some(({ bytes }) => needsJson.test(new TextDecoder().decode(bytes)))) return null
  try {
    const changed = files.map((file) => (isJson(file) ? { path: file.path, bytes: moduleOf(file.bytes) } : file))
    return { files: changed, args: ['--loader:.json=js'] }
  } catch {
    // esbuild names the place.
    return null
  }
}

/** An import with the attribute `type`, which esbuild checks, or of a file of settings. */
const needsJson = /\b(?:with|assert)\s*\{\s*["']?type\b|(?:package|[jt]sconfig)\.json/

/** Throws SyntaxError if the text is not JSON. */
function moduleOf(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  JSON.parse(text)
  return Buffer.from(`module.exports=JSON.parse(${JSON.stringify(text)})`)
}
