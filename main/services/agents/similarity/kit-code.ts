import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GameId } from '../../../contract/ids.ts'
import { resources } from '../../machine/resources.ts'
import { codeFile, type CodeFile } from './source-code.ts'

/**
 * The code that everybody has from the kits of a game: their agents as they come and after each lesson, and the libraries of
 * those in Python. Empty where there are no kits. A text has the lessons before it too, so that the joints count as well.
 */
export async function kitCode(game: GameId): Promise<readonly CodeFile[]> {
  const folder = join(resources.kits, 'agents', 'kits')
  const page = await readFile(join(folder, game, 'BEAT-THE-BABY.md'), 'utf8').catch(() => '')
  const files: CodeFile[] = []
  for (const path of [`${game}/javascript`, `${game}/python`, 'shared/python']) {
    const names = (await readdir(join(folder, path)).catch(() => [])).filter((name) => /^[^.]+\.(cjs|py)$/.test(name))
    for (const name of names.sort()) {
      const text = await readFile(join(folder, path, name), 'utf8')
      const steps = name.startsWith('agent.') ? afterLessons(text, page) : [text]
      files.push(...steps.map((step) => codeFile(name, step)))
    }
  }
  return files
}

/**
 * An agent of a kit before the first lesson of its page, and after each method that the lessons replace, in order. Methods
 * that the agent does not have leave it as it is.
 */
export function afterLessons(agent: string, page: string): readonly string[] {
  const lesson = /^### `(\w+)\(.*?\)`\n\n```js\n(.*?)```\n\nIn Python:\n\n```python\n(.*?)```$/gms
  const steps = [agent]
  for (const [, method, body = '', python = ''] of page.matchAll(lesson)) {
    const now = steps.at(-1)!
    const name = /def (\w+)\(/.exec(python)?.[1]
    const changed = now
      .replace(
        new RegExp(`^(  ${method}\\([^\\n]*\\{)\\n.*?^  \\}$`, 'ms'),
        (_, head: string) => `${head}\n${body.replaceAll(/^(?=.)/gm, '    ')}  }`,
      )
      .replace(new RegExp(`^    def ${name}\\(.*?\\n(?=\\n)`, 'ms'), () => python)
    if (changed !== now) steps.push(changed)
  }
  return steps
}
