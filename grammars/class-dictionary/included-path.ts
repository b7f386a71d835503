/**
 * The path of an included file, relative to the folder of the file that is read. `name` is resolved relative to `from`,
 * the including file (null: the file that is read). Equivalent names give the same path; one outside the folder begins
 * with `/` or `../`.
 */
export function includedPath(from: string | null, name: string): string {
  if (name.startsWith('/')) return name
  const folder = from === null ? '' : from.slice(0, from.lastIndexOf('/') + 1)
  const parts: string[] = []
  for (const part of `${folder}${name}`.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}
