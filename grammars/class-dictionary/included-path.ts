/**
 * Where an included file lies, from the folder of the file that is read: `name` is looked up beside `from`, the file that names
 * it (null: the one that is read). Two names of one place give the same path; one that leads out of the folder begins with
 * `/` or `../`.
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
