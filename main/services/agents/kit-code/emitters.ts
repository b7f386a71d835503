import { messageModel } from '../../../contract/game/message-model.ts'
import type { GameId } from '../../../contract/ids.ts'
import type { KitName } from '../../../contract/players/kits.ts'
import { games } from '../../../referees/games.ts'
import { cppMessages } from './cpp.ts'
import type { Emitter } from './emitter.ts'
import { goMessages } from './go.ts'
import { javaMessages } from './java.ts'
import { pythonMessages } from './python.ts'
import { rustMessages } from './rust.ts'
import { typescriptMessages } from './typescript.ts'

/** The emitters of all languages. */
export const emitters: Readonly<Record<KitName, Emitter>> = {
  javascript: typescriptMessages,
  typescript: typescriptMessages,
  python: pythonMessages,
  go: goMessages,
  java: javaMessages,
  cpp: cppMessages,
  rust: rustMessages,
}

/** The shell's commands that play the saved moves of a kit. */
const kitTests: Readonly<Record<KitName, string>> = {
  javascript: 'node --test',
  typescript: 'node --test',
  python: 'python3 agent_test.py',
  go: 'go test',
  java: 'javac -encoding UTF-8 -d .classes *.java && java -cp .classes Cases',
  cpp: 'g++ -std=c++17 -O2 -o agent agent.cpp && ./agent --test cases',
  rust: 'rustc --edition 2021 -O -o agent agent.rs && ./agent --test cases',
}

/** The command of the tests of a kit. */
export const kitTest = (kit: KitName): string => kitTests[kit]

/** The types of a game's messages in the language of a kit, by their paths in it. Empty for a game without a description of them. */
export function messageTypes(game: GameId, kit: KitName): ReadonlyMap<string, string> {
  const { title, programMessages } = games.get(game)!
  if (programMessages === undefined) return new Map()
  return emitters[kit](messageModel(game, title, programMessages))
}
