import { styleText } from 'node:util'
import type { Json } from '../contract/json.ts'
import { printedJson, safe, safeLine } from './text.ts'

/** What a verb writes to. */
export interface Terminal {
  /** Whether a machine reads stdout: then it gets JSON and nothing else. */
  readonly json: boolean
  /** Lines for people, on stdout. Nothing with --json. What comes from elsewhere must have been made safe. */
  print(...lines: readonly string[]): void
  /**
   * A whole text, such as a value in its own language, for people and for programs that read it: exact where stdout is no
   * terminal, made safe where it is one. A line end follows where there is none. Nothing with --json.
   */
  text(text: string): void
  /** The JSON of --json, on a line. Nothing without it. */
  result(value: Json | object): void
  /** What goes on, on stderr. Made safe here. */
  note(text: string): void
  /** Colours a piece of stdout's text, where stdout is a terminal that wants colours. */
  paint(style: Style, text: string): string
  /** stderr when it is a terminal that a progress bar may move on. */
  readonly live: NodeJS.WritableStream | null
}

export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow'

/** The world of a command: streams and signals, replaced in tests. */
export interface CommandEnvironment {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
  /** Calls back at each wish to stop (Ctrl-C, a termination). Gives the function that stops listening. */
  onInterrupt(callback: () => void): () => void
  /** Ends the process at once. */
  exit(code: number): void
}

export function openTerminal({ stdout, stderr }: CommandEnvironment, json: boolean): Terminal {
  return {
    json,
    print: (...lines) => {
      if (!json) stdout.write(lines.map((line) => `${line}\n`).join(''))
    },
    text: (text) => {
      if (json) return
      const shown = stdout.isTTY === true ? safe(text) : text
      stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`)
    },
    result: (value) => {
      if (json) stdout.write(`${printedJson(value)}\n`)
    },
    note: (text) => stderr.write(`${safeLine(text)}\n`),
    // NO_COLOR, FORCE_COLOR and what the stream can show are looked at by styleText.
    paint: (style, text) => styleText(style, text, { stream: stdout }),
    live: stderr.isTTY === true ? stderr : null,
  }
}
