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
    const texts = scripts.map(({ bytes }) => new TextDecoder().decode(bytes))
    const changed = files.map((file) => {
      if (!isJson(file)) return file
      const isDefault = file.bytes.length >= LARGE && isDefaultOnly(file.path, texts)
      return { path: file.path, bytes: moduleOf(file.bytes, isDefault ? 'export default ' : 'module.exports=') }
    })
    return { files: changed, args: ['--loader:.json=js'] }
  } catch {
    // esbuild names the place.
    return null
  }
}

/** An import with the attribute `type`, which esbuild checks, or of a file of settings. */
const needsJson = /\b(?:with|assert)\s*\{\s*["']?type\b|(?:package|[jt]sconfig)\.json/

/** A call with a computed path, which may be that of any file. */
const computedPath = /\b(?:require|import)\s*\(\s*(?!(["'`])[^"'`$]*\1\s*[,)])/

/**
 * True if the scripts import a file only as `import name from`. A module with `module.exports` would cost them a getter for
 * each element; any other import needs it.
 */
function isDefaultOnly(path: string, scripts: readonly string[]): boolean {
  const stem = path.replace(/^.*\//, '').replace(/\.json$/i, '')
  // A folder may be imported by its name.
  if (stem === 'index' || scripts.some((text) => computedPath.test(text))) return false
  const name = stem.replaceAll(/[^\w]/g, '\\$&')
  const mentions = new RegExp(
    `(?<how>\\bimport\\s+[\\w$]+\\s+from\\s*)?(["'\`])(?:[^"'\`\\n]*/)?${name}(?:\\.json)?\\2`,
    'gi',
  )
  const found = scripts.flatMap((text) => [...text.matchAll(mentions)])
  return found.length > 0 && found.every(({ groups }) => groups?.['how'] !== undefined)
}

/** `beginning`: of the statement that exports the value. Throws SyntaxError if the text is not JSON. */
function moduleOf(bytes: Uint8Array, beginning: 'export default ' | 'module.exports='): Uint8Array {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  JSON.parse(text)
  return Buffer.from(`${beginning}JSON.parse(${JSON.stringify(text)})`)
}
