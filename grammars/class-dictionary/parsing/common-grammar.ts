import { EmbeddedActionsParser } from 'chevrotain'
import type { IToken, ParserMethod, TokenType } from 'chevrotain'
import type { Position } from '../../problem.ts'
import { proven } from '../../proven.ts'
import type { Definition, Include, NameDef, PrintCommand, QualifiedName, SyntaxPart, TypeUse } from '../model.ts'
import { messages, numberOf } from '../source.ts'
import type { Source } from '../source.ts'
import { decodeText } from './text.ts'
import * as t from './tokens.ts'

type Look = Source['lookahead']

/** A grammar's tokens for the words of all dialects. */
interface Words {
  readonly identifier: TokenType
  readonly using: TokenType
  readonly package: TokenType
  readonly lookahead: TokenType
  readonly import: TokenType
}

/** A copy of a list without spare capacity, because a dictionary has many short lists. */
export function trimmed<T>(list: readonly T[]): readonly T[] {
  return list.slice()
}

/** The common part of the grammars of all dialects: positions, lists of names, and the head of a text. */
export abstract class CommonGrammar extends EmbeddedActionsParser {
  /** The position of the text in a larger one. */
  origin: Position = { line: 1, column: 1, offset: 0 }

  abstract readonly source: ParserMethod<[], Source>
  abstract readonly typeUse: ParserMethod<[], TypeUse>

  readonly #words: Words

  constructor(tokens: readonly TokenType[], words: Words, maxLookahead: number) {
    super([...tokens], { ...proven, maxLookahead, errorMessageProvider: messages })
    this.#words = words
  }

  protected readonly at = (token: IToken): Position => {
    const { line, column, offset } = this.origin
    const startLine = token.startLine ?? 1
    const startColumn = token.startColumn ?? 1
    return {
      line: line + startLine - 1,
      column: startLine === 1 ? column + startColumn - 1 : startColumn,
      offset: offset + token.startOffset,
    }
  }

  protected readonly typeUses = this.RULE('typeUses', (): readonly TypeUse[] => {
    const uses: TypeUse[] = []
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, ERR_MSG: 'a name', DEF: () => uses.push(this.SUBRULE(this.typeUse)) })
    return trimmed(uses)
  })

  protected readonly nameDefs = this.RULE('nameDefs', (): NameDef[] => {
    const names: NameDef[] = []
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      ERR_MSG: 'a name',
      DEF: () => {
        const name = this.CONSUME(this.#words.identifier)
        const bound = this.OPTION(() => {
          this.CONSUME(t.Colon)
          return this.SUBRULE(this.typeUse)
        })
        names.push({ name: name.image, at: this.at(name), bound: bound ?? null })
      },
    })
    return names
  })

  /** The alternatives for literals and printing commands. */
  protected readonly syntaxAlternatives: readonly { ALT: () => SyntaxPart }[] = [
    {
      ALT: () => {
        const text = this.CONSUME(t.Text)
        return { kind: 'literal' as const, text: this.ACTION(() => decodeText(text.image)), at: this.at(text) }
      },
    },
    {
      ALT: () => {
        const command = this.CONSUME(t.PrintCommand)
        return { kind: 'print' as const, command: command.image as PrintCommand, at: this.at(command) }
      },
    },
  ]

  readonly #lookahead = this.RULE('lookahead', (): Look => {
    this.CONSUME(this.#words.lookahead)
    this.CONSUME(t.Equals)
    const value = this.CONSUME(t.Int)
    this.CONSUME(t.Semicolon)
    return { value: this.ACTION(() => numberOf(value.image)), at: this.at(value) }
  })

  /** The rule of a whole text: includes, uses, the package, the lookahead, imports, and then its classes. */
  protected sourceRule(
    include: ParserMethod<[], Include>,
    qualifiedName: ParserMethod<[], QualifiedName>,
    rest: ParserMethod<[], { readonly definitions: readonly Definition[]; readonly terminalSets?: readonly TypeUse[] }>,
  ): ParserMethod<[], Source> {
    const words = this.#words
    return this.RULE('source', (): Source => {
      const includes: Include[] = []
      this.MANY(() => includes.push(this.SUBRULE(include)))
      let using: readonly NameDef[] = []
      this.OPTION(() => {
        this.CONSUME(words.using)
        using = this.SUBRULE(this.nameDefs)
        this.CONSUME(t.Semicolon)
      })
      const packageName = this.OPTION2(() => {
        this.CONSUME(words.package)
        return this.SUBRULE(qualifiedName)
      })
      const look = this.OPTION3(() => this.SUBRULE(this.#lookahead))
      const imports: QualifiedName[] = []
      this.MANY2(() => {
        this.CONSUME(words.import)
        imports.push(this.SUBRULE2(qualifiedName))
      })
      return {
        includes,
        using,
        package: packageName ?? null,
        lookahead: look ?? null,
        imports,
        ...this.SUBRULE(rest),
      }
    })
  }
}
