import { Closures } from './closures.ts'
import { codeMaker } from './code-maker.ts'
import type { Code } from './frame.ts'
import { generate } from './generate.ts'
import type { Typed } from './typed.ts'

/** Compiles checked formulas: to closures, or to JavaScript if `allowGeneratedCode` has been called. */
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
