import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import type { Json } from '../../../contract/json.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { stepsOf } from '../../../contract/limits.ts'
import { nodeFlags } from '../../../players/isolation/launch.ts'
import { scriptText } from '../../../players/scripts/script-source.ts'
import { packageRoot } from '../../packages/package-files.ts'
import { resources } from '../../machine/resources.ts'
import type { Respondent, ScriptConditions } from './respondent.ts'

/** The port on which editors and browsers look for a debugger of Node. */
export const DEBUG_PORT = 9229

export interface DebugOptions extends ScriptConditions {
  /** The agent's file; editors show it for the code that runs. */
  readonly file: string
  /** The number of messages; the debugger stops before the last one. */
  readonly messages: number
  /** 0: any that is free. */
  readonly port: number
  onNotice(text: string): void
}

/** The parts of a source map that are read. */
interface SourceMap {
  readonly sources: readonly string[]
}

/**
 * Runs the agent in the host of matches, so that seed, clock, steps and globals are those of the match, but without isolation and
 * under a debugger: it waits for one to connect, and stops just before the agent receives the last message. Rejects with
 * ExpectedError 'host' if the port is taken.
 */
export async function debuggedScript(options: DebugOptions): Promise<Respondent> {
  const { file, game, limits, clock, seed, port, messages, onNotice } = options
  const flags = nodeFlags(limits.memoryMb)
  const child = spawn(resources.node, [...flags, `--inspect-wait=127.0.0.1:${port}`, resources.agentHost], { env: {} })
  const exited = new Promise<null>((resolve) => child.once('exit', () => resolve(null)))
  const listening = Promise.withResolvers<string>()
  createInterface({ input: child.stderr }).on('line', (line) => {
    const url = /Debugger listening on (ws:\S+)/.exec(line)?.[1]
    if (url !== undefined) listening.resolve(url)
    else if (/address already in use|Starting inspector on .* failed/.test(line)) listening.reject(portTaken(port))
  })
  child.stdin.on('error', () => undefined)
  child.once('error', (error) => listening.reject(error))
  void exited.then(() => listening.reject(portTaken(port)))
  const frames = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const console: string[] = []
  const send = (head: string, json: unknown): boolean => child.stdin.write(`${head} ${JSON.stringify(json)}\n`)
  /** The next frame that answers something; null: the process has ended. */
  const answered = async (): Promise<{ readonly letter: string; readonly json: string } | null> => {
    for (;;) {
      const { value: line, done } = await frames.next()
      if (done === true) return null
      const [letter, json] = [line[0] ?? '', line.slice(line.indexOf(' ') + 1)]
      if (letter === 'C') console.push(JSON.parse(json) as string)
      else if ('ARX'.includes(letter)) return { letter, json }
    }
  }
  const close = async (): Promise<void> => {
    child.kill()
    await exited
  }
  try {
    onNotice(
      `A debugger may connect to ${await listening.promise}. The agent waits for it, and runs without isolation.`,
    )
    const texts = {
      source: withSourceMap(scriptText(options.source), file),
      adapter: stopping(game.script.adapter, messages),
    }
    const { nodeGlobals = false } = game.script
    const { consoleBytes, messageBytes } = limits
    send('O1', { texts, nodeGlobals, seed, clock, steps: stepsOf(limits), consoleBytes, messageBytes })
    const opened = await answered()
    const ended = { fault: 'crash: The process of the agent was ended.' }
    const failed = opened === null ? ended : opened.letter === 'X' ? faultIn(opened.json) : null
    let questions = 0
    return {
      console,
      async hear({ message, wants, body }) {
        if (wants === 'nothing') {
          send(`T${body}`, message)
          return null
        }
        if (failed !== null) return failed
        questions += 1
        send(body === 0 ? `Q${questions}` : `Q${questions}:${body}`, message)
        const frame = await answered()
        if (frame === null) return ended
        return frame.letter === 'A' ? { answer: JSON.parse(frame.json) as Json } : faultIn(frame.json)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function faultIn(json: string): { readonly fault: string } {
  const { kind, text } = JSON.parse(json) as { readonly kind: string; readonly text: string }
  return { fault: `${kind}: ${text}` }
}

function portTaken(port: number): ExpectedError {
  return new ExpectedError(
    'host',
    'port-unavailable',
    `No debugger can listen on port ${port}: end the other debugger, or choose another port with --inspect-port.`,
  )
}

/** The text of an adapter that stops the debugger before the agent receives its last message. */
const stopping = (adapter: string, messages: number): string =>
  `((adapt, left) => (exported, log) => {
    const hear = adapt(exported, log)
    if (typeof hear !== 'function') return hear
    return (message, body) => {
      left -= 1
      if (left === 0) debugger
      return hear(message, body)
    }
  })(${adapter}
, ${messages})`

const comment = '//# sourceMappingURL=data:application/json;base64,'

/**
 * A script with a source map that leads to files which an editor can open: to `file` line by line, or, for a bundle, to the
 * files beside it.
 */
export function withSourceMap(source: string, file: string): string {
  const at = source.lastIndexOf(comment)
  if (at === -1) {
    const lines = source.split('\n').length
    const mappings = Array.from({ length: lines }, (_, line) => (line === 0 ? 'AAAA' : 'AACA')).join(';')
    const map = { version: 3, sources: [pathToFileURL(file).href], sourcesContent: [source], names: [], mappings }
    return `${source}\n${mapComment(map)}`
  }
  const map = JSON.parse(Buffer.from(source.slice(at + comment.length).trim(), 'base64').toString()) as SourceMap
  const folder = new URL('.', pathToFileURL(file)).href
  const sources = map.sources.map((path) => folder + path.replace(new RegExp(`^.*?${packageRoot}/`), ''))
  return source.slice(0, at) + mapComment({ ...map, sources })
}

const mapComment = (map: object): string => comment + Buffer.from(JSON.stringify(map)).toString('base64')
