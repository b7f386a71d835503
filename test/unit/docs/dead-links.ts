import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * The links of a Markdown page that lead to no file, or to no heading of the page that they name. `page` is its absolute path and
 * `text` its text; `find` gives the path that a link's file has (by default, relative to the page). Addresses of other sites are
 * not looked at, nor is anything in code.
 */
export function deadLinks(
  page: string,
  text = readFileSync(page, 'utf8'),
  find = (file: string): string => resolve(dirname(page), file),
): readonly string[] {
  return linksOf(text).filter((link) => {
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? page : find(file)
    if (!existsSync(target)) return true
    if (anchor === undefined) return false
    if (!target.endsWith('.md') || statSync(target).isDirectory()) return true
    return !anchorsOf(file === '' ? text : readFileSync(target, 'utf8')).has(anchor)
  })
}

/** The targets of a page's links and pictures, except addresses of other sites. */
export function linksOf(text: string): readonly string[] {
  const words = withoutFences(text).replaceAll(/`[^`\n]*`/g, '')
  return [...words.matchAll(/\]\((?![a-z]+:)([^)\s]+)/g)].map(([, link]) => link!)
}

/** The files of the source that a page names in code, such as `main/cli/main.ts`; `test/` and `main/` may be left out. */
export function namedFiles(text: string): readonly string[] {
  const tops = 'agents|docs|grammars|main|renderer|scripts|test|unit|property|conformance|hostile|e2e|bench'
  // Other things are called like rooms of the program, such as the folder `histories`: only code counts.
  const rooms = 'administrator|app|arenas|cli|contract|desktop|http|players|portal|referees|services|worker'
  const names = new RegExp(`\`((?:${tops})/[\\w./-]+|(?:${rooms}|histories)/[\\w./-]+\\.ts)\``, 'g')
  return [...withoutFences(text).matchAll(names)].map(([, name]) => name!)
}

/** The anchors that GitHub gives a page's headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [, heading] of withoutFences(text).matchAll(/^#{1,6} +(.*?) *$/gm)) {
    const words = heading!.replaceAll(/\]\([^)]*\)/g, '').toLowerCase()
    const anchor = words.replaceAll(/[^\p{L}\p{M}\p{N} _-]/gu, '').replaceAll(' ', '-')
    let unique = anchor
    for (let n = 1; found.has(unique); n++) unique = `${anchor}-${n}`
    found.add(unique)
  }
  return found
}

const withoutFences = (text: string): string => text.replaceAll(/^ *```.*?^ *```$/gms, '')
