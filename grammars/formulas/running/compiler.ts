import { Closures } from './closures.ts'
import { codeMaker } from '../generated/code-maker.ts'
import type { Code } from './frame.ts'
import { generate } from '../generated/generate.ts'
import type { Typed } from '../checking/typed.ts'

/**
 * Compiles checked formulas: to closures, or to JavaScript if `allowGeneratedCode` has been called. Both are needed: the window's
 * policy forbids code from text, and what workers judge would take longer by closures. For raw material of 100,000 constraints with
 * its solution that is 1.3 to 1.5 times, for its quality alone 2.5 times (`npm run bench -- quality`); for the sample contest, whose
 * raw material is small, there is no difference.
 */
export class Compiler {
  readonly #closures = new Closures()
  readonly #maker = codeMaker()

  compile(tree: Typed): Code {
    const maker = this.#maker
    if (maker === null) return this.#closures.compile(tree)
    // Compiled on first use, because many formulas of a file are never run.
    let code: Code | null = null
    return (frame) => {
      code ??= generate(tree, maker) ?? this.#closures.compile(tree)
      return code(frame)
    }
  }
}
