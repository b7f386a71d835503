import type { GameId } from '../../../contract/ids.ts'
import { messageModel } from '../../../contract/game/message-model.ts'
import type { KitName } from '../../../contract/players/kits.ts'
import { games } from '../../../referees/games.ts'
import { cppMessages } from './cpp.ts'
import type { Emitter } from './emitter.ts'
import { goMessages } from './go.ts'
import { javaMessages } from './java.ts'
import { rustMessages } from './rust.ts'

/** A language whose types are written from the schemas of messages. `test`: the shell's command that plays the saved moves of a kit. */
interface Compiled {
  readonly emit: Emitter
  readonly test: string
}

const compiled: Partial<Record<KitName, Compiled>> = {
  go: { emit: goMessages, test: 'go test' },
  java: { emit: javaMessages, test: 'javac -encoding UTF-8 -d .classes *.java && java -cp .classes Cases' },
  cpp: { emit: cppMessages, test: 'g++ -std=c++17 -O2 -o agent agent.cpp && ./agent --test cases' },
  rust: { emit: rustMessages, test: 'rustc --edition 2021 -O -o agent agent.rs && ./agent --test cases' },
}

/** The command of the tests of a kit in a compiled language; undefined: the language is not compiled. */
export const compiledTest = (kit: KitName): string | undefined => compiled[kit]?.test

/** The types of a game's messages in the language of a kit, by their paths in it. Empty for languages without an emitter. */
export function messageTypes(game: GameId, kit: KitName): ReadonlyMap<string, string> {
  const { title, programMessages } = games.get(game)!
  const emit = compiled[kit]?.emit
  if (programMessages === undefined || emit === undefined) return new Map()
  return emit(messageModel(game, title, programMessages))
}
