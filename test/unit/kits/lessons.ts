import { existsSync, readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { pathToFileURL } from 'node:url'
import type { KitName } from '../../../main/contract/players/kits.ts'
import { games } from '../../../main/referees/games.ts'
import { lessonMethods, type LessonMethod } from '../../../main/services/agents/lessons-page.ts'
import { resources } from '../../../main/services/machine/resources.ts'

/** One method of a lesson: what stands between its braces, and the whole method in Python. */
interface Piece {
  readonly method: string
  readonly body: string
  readonly python: string
}

/** As built: the agents in JavaScript are made from those in TypeScript. */
const kits = pathToFileURL(`${resources.kits}/agents/kits/`)
const read = (path: string): string => readFileSync(new URL(path, kits), 'utf8')

/** The games that have kits; a game may have none. */
export const gamesWithKits = [...games.keys()].filter((game) => existsSync(new URL(game, kits)))

/** The agent that a kit begins with. */
export function firstAgent(
  game: string,
  file: 'javascript/agent.cjs' | 'typescript/agent.ts' | 'python/agent.py',
): string {
  return read(`${game}/${file}`)
}

/** The lessons of a game's page, in order; each is some methods. */
export function lessonsOf(game: string): readonly (readonly Piece[])[] {
  const [, ...lessons] = read(`${game}/BEAT-THE-BABY.md`).split(/^## (?=\d+\. )/m)
  const piece = /^### `(\w+)\(.*?\)`\n\n```js\n(.*?)```\n\nIn Python:\n\n```python\n(.*?)```$/gms
  return lessons.map((text) =>
    [...text.matchAll(piece)].map(([, method, body, python]) => ({ method: method!, body: body!, python: python! })),
  )
}

/** An agent in JavaScript or TypeScript after some lessons, done as the page says. */
export function withLessons(agent: string, lessons: readonly (readonly Piece[])[]): string {
  return lessons.flat().reduce((text, { method, body }) => {
    const place = new RegExp(`^(  ${method}\\([^\\n]*\\{)\\n.*?^  \\}$`, 'ms')
    return replaceOnce(text, place, (_, head: string) => `${head}\n${body.replaceAll(/^(?=.)/gm, '    ')}  }`)
  }, agent)
}

/** The same in Python. */
export function withLessonsInPython(agent: string, lessons: readonly (readonly Piece[])[]): string {
  return lessons.flat().reduce((text, { python }) => {
    const name = /def (\w+)\(/.exec(python)![1]!
    return replaceOnce(text, new RegExp(`^    def ${name}\\(.*?\\n(?=\\n)`, 'ms'), () => python)
  }, agent)
}

/** The figures that the page of a game states: a row for each number of lessons done, from 0 on, without that number. */
export function statedFigures(game: string): readonly (readonly number[])[] {
  const [, stated = ''] = read(`${game}/BEAT-THE-BABY.md`).split('## Figures of the lessons')
  const rows = [...stated.matchAll(/^\| +(\d+) \|(.*)\|$/gm)]
  return rows.map(([, , cells]) => cells!.split('|').map(Number))
}

/** The methods of some lessons in the language of a compiled kit. */
export function methodsOf(game: string, kit: KitName, lessons: number): readonly LessonMethod[] {
  const count = lessonsOf(game).slice(0, lessons).flat().length
  return lessonMethods(read(`${game}/${kit}/lessons.md`)).slice(0, count)
}

/** The agent of a compiled kit with some methods of lessons, done as its page says. */
export function withMethods(agent: string, methods: readonly LessonMethod[]): string {
  return methods.reduce((text, { heading, code }) => {
    const name = /^\w+/.exec(heading)![0]
    const indent = /^\s*/.exec(code)![0]
    const head = `^${indent}(?!(?:if|for|while|return)\\b)\\S[^\\n]*\\b${name}\\([^\\n]*`
    return replaceOnce(text, new RegExp(`${head}(?:\\}|\\{\\n.*?^${indent}\\})\\n`, 'ms'), () => code)
  }, agent)
}

function replaceOnce(text: string, place: RegExp, by: (...found: string[]) => string): string {
  const changed = text.replace(place, by)
  if (changed === text) throw new Error(`nothing to replace: ${place}`)
  return changed
}

/** The class that a script exports, in a realm of its own. `random`: of its Math.random. `remaining`: absent: it has no steps. */
export function classOf<C>(script: string, random: () => number, remaining = (): number => 0): C {
  const realm = createContext({ module: { exports: {} }, random, remaining })
  runInContext(`Math.random = random;${script}`, realm)
  return (realm['module'] as { exports: C }).exports
}
