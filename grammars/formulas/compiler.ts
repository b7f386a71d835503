import { Closures } from './closures.ts'
import { codeMaker } from './code-maker.ts'
import type { Code } from './frame.ts'
import { generate } from './generate.ts'
import type { Typed } from './typed.ts'

/** Makes code of checked formulas: closures, or, where `allowGeneratedCode` has been called, JavaScript. */
export class Compiler {
  readonly #closures = new Closures()
  readonly #maker = codeMaker()

  compile(tree: Typed): Code {
    const maker = this.#maker
    if (maker === null) return this.#closures.compile(tree)
    // Many formulas of a file are never run: the code is made when it is.
    let code: Code | null = null
    return (frame) => {
      code ??= generate(tree, maker) ?? this.#closures.compile(tree)
      return code(frame)
    }
  }
}
