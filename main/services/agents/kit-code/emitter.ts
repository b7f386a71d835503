import type {
  Definition,
  EnumDefinition,
  MessageModel,
  RecordDefinition,
  UnionDefinition,
} from '../../../contract/game/message-model.ts'

/**
 * Writes the types of a game's messages in a language, with functions that make them of JSON and JSON of them: texts by their
 * paths in the kit.
 */
export type Emitter = (model: MessageModel) => ReadonlyMap<string, string>

/** Code for a definition of each kind; an empty text where a language needs none. */
export interface DefinitionWriter {
  record(definition: RecordDefinition): string
  enum(definition: EnumDefinition): string
  union(definition: UnionDefinition): string
}

/** The code that a writer has for a definition. */
export function codeOf(definition: Definition, writer: DefinitionWriter): string {
  switch (definition.kind) {
    case 'record':
      return writer.record(definition)
    case 'enum':
      return writer.enum(definition)
    case 'union':
      return writer.union(definition)
  }
}

/** The first line of such a file, which stands in a comment of the language. */
export const madeFrom = ({ title }: MessageModel): string =>
  `Types of the messages of ${title}, made by "tartaglia kit" from the game's own schemas. "tartaglia update" replaces this file.`
