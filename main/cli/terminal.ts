import { styleText } from 'node:util'
import type { ErrorOutput } from '../contract/outputs/error-output.ts'
import type { VerbOutput, VerbWithOutput } from '../contract/outputs/verb-outputs.ts'
import type { AddressRequests } from './address-requests.ts'
import { printedJson, safe, safeLine } from './text.ts'

/** The output of a verb. */
export interface Terminal {
  /** True if stdout carries JSON and nothing else. */
  readonly json: boolean
  /** Prints lines for people on stdout; nothing with --json. Text from files and agents must be escaped by the caller. */
  print(...lines: readonly string[]): void
  /**
   * Prints a whole text, such as a value in its own language: escaped if stdout is a terminal, otherwise exact. Adds a
   * missing line end. Prints nothing with --json.
   */
  text(text: string): void
  /** Prints the JSON of --json, in the form of the schema that is published for the verb, on one line; nothing without --json. */
  output<V extends VerbWithOutput>(verb: V, value: VerbOutput<V>): void
  /** As `output`, for a command that fails. */
  failure(error: ErrorOutput): void
  /** Prints a notice on stderr, escaped. */
  note(text: string): void
  /** Prints lines below a notice on stderr, such as a compiler's log; escaped, except for line ends. */
  details(text: string): void
  /** Colours text for stdout, if stdout is a terminal with colours. */
  paint(style: Style, text: string): string
  /** stderr if it is a terminal, for a progress bar; otherwise null. */
  readonly live: NodeJS.WritableStream | null
}

export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow'

/** The environment of a command: streams and signals, replaced in tests. */
export interface CommandEnvironment {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
  /**
   * Calls back at each request to stop; `bySystem`: it is not Ctrl-C, but SIGTERM or a closed terminal. Returns a function
   * that stops listening.
   */
  onInterrupt(callback: (bySystem?: boolean) => void): () => void
  /** Calls back at each request for a new address (Enter, SIGUSR1); absent: there are no such requests. */
  onAddressRequest?(callback: () => void): AddressRequests
  /** Resolves when the person presses Enter, or when there is nobody who could; absent: there is nobody. */
  onEnter?(): Promise<void>
  /** Ends the process at once. */
  exit(code: number): void
}

/** The verdict on an agent: whether it can play, and its text, escaped. */
export function verdictText(
  { paint }: Terminal,
  { ok, text }: { readonly ok: boolean; readonly text: string },
): string {
  return `${ok ? paint('green', 'fine') : paint('red', 'not fit to play')}: ${safeLine(text)}`
}

export function openTerminal({ stdout, stderr }: CommandEnvironment, json: boolean): Terminal {
  const result = (value: unknown): void => {
    if (json) stdout.write(`${printedJson(value)}\n`)
  }
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
    output: (_, value) => result(value),
    failure: result,
    note: (text) => stderr.write(`${safeLine(text)}\n`),
    details: (text) => stderr.write(`${safe(text).replace(/\n*$/, '')}\n`),
    // styleText considers NO_COLOR, FORCE_COLOR and the abilities of the stream.
    paint: (style, text) => styleText(style, text, { stream: stdout }),
    live: stderr.isTTY === true ? stderr : null,
  }
}
