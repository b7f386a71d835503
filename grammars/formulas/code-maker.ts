/** Makes a function of the names of its parameters and the text of its body, as `new Function` does. */
export type CodeMaker = (parameters: readonly string[], body: string) => (...args: readonly unknown[]) => unknown

let allowed: CodeMaker | null = null

/**
 * Says that this process may run generated code, and how: formulas compiled from now on are several times as fast and
 * have the same values, errors and budget. Not for pages, whose policy forbids it; workers say it once, when they start.
 */
export function allowGeneratedCode(maker: CodeMaker | null): void {
  allowed = maker
}

export function codeMaker(): CodeMaker | null {
  return allowed
}
