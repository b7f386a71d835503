import { isCompiledKit, type KitName } from '../../contract/players/kits.ts'

// The page of lessons of a game has its methods in JavaScript and in Python. Those in the languages of compiled kits are in a file
// per language, in the same order.

/** The page of lessons of a game. */
export const LESSONS_PAGE = 'BEAT-THE-BABY.md'

/** The methods of the lessons in the language of a compiled kit, which are part of the kit's page of lessons and not of the kit. */
export const LESSON_METHODS = 'lessons.md'

/** A method of a lesson: its name with its parameters, the name of the language as a fence has it, and the whole method. */
export interface LessonMethod {
  readonly heading: string
  readonly fence: string
  readonly code: string
}

/** The methods in such a file. */
export const lessonMethods = (text: string): readonly LessonMethod[] =>
  [...text.matchAll(/^### `([^`\n]*)`\n\n```(\w+)\n(.*?)```$/gms)].map(([, heading, fence, code]) => ({
    heading: heading!,
    fence: fence!,
    code: code!,
  }))

/** A method on the page of lessons: its heading, and its blocks in JavaScript and in Python. */
const onPage = /^### `.*`\n\n```js\n[^]*?```\n\nIn Python:\n\n```python\n[^]*?```$/gm

/**
 * The page of lessons with what concerns the language of a kit alone. `methods`: those of a compiled kit. Throws an Error if these
 * are not as many as the page has. Other pages have no such passages.
 */
export function lessonsPage(page: string, kit: KitName, methods: readonly LessonMethod[]): string {
  if (isCompiledKit(kit)) return inCompiled(page, kit, methods)
  if (kit === 'python')
    return page
      .replaceAll(/```js\n[^]*?```\n\nIn Python:\n\n/g, '')
      .replace(ofScripts, '')
      .replace(
        /^(- In Python \(`agent\.py`\)), replace .*? under "In Python"\./m,
        '- In `agent.py`, replace the whole method with the block.',
      )
  const agent = kit === 'javascript' ? 'agent.cjs' : 'agent.ts'
  return page
    .replaceAll(/\nIn Python:\n\n```python\n[^]*?```\n/g, '')
    .replace(/^- In JavaScript and TypeScript \(`agent\.cjs`, `agent\.ts`\), /m, `- In \`${agent}\`, `)
    .replace(ofPython, '')
}

/** Lines of the page on applying a lesson, for some languages. */
const ofScripts = /^- In JavaScript and TypeScript \(.*\n/m
const ofPython = /^- In Python \([^]*?\n(?! {2})/m

/** The agents of compiled kits. */
const agents: Partial<Record<KitName, string>> = {
  go: 'agent.go',
  java: 'Agent.java',
  cpp: 'agent.cpp',
  rust: 'agent.rs',
}

function inCompiled(page: string, kit: KitName, methods: readonly LessonMethod[]): string {
  const places = [...page.matchAll(onPage)].length
  if (places !== methods.length)
    throw new Error(`the lessons have ${places} methods, and those in ${kit} are ${methods.length}`)
  let at = 0
  return page
    .replaceAll(onPage, () => {
      const { heading, fence, code } = methods[at++]!
      return `### \`${heading}\`\n\n\`\`\`${fence}\n${code}\`\`\``
    })
    .replace(ofScripts, '')
    .replace(ofPython, `- In \`${agents[kit]!}\`, replace the whole method that the heading names with the block.\n`)
}
