import type { IToken, ParserMethod } from 'chevrotain'
import { lazily } from '../../lazily.ts'
import { CommonGrammar, trimmed } from './common-grammar.ts'
import type { Definition, Flag, Include, NameDef, Part, QualifiedName, TypeUse } from '../model.ts'
import type { Source } from '../source.ts'
import { decodeText } from './text.ts'
import * as t from './tokens.ts'

const none: readonly never[] = []

const words = {
  identifier: t.Identifier,
  using: t.UsingWord,
  package: t.PackageWord,
  lookahead: t.LookaheadWord,
  import: t.ImportWord,
}

/**
 * The grammar of dialect C (DemFGen 2011), with one rule for each nonterminal of the original; builds the model
 * directly.
 */
class DictionaryParser extends CommonGrammar {
  constructor() {
    super(t.tokenTypes, words, 2)
    this.performSelfAnalysis()
  }

  readonly #flag = this.RULE('flag', (): Flag =>
    this.OR([
      { ALT: () => (this.CONSUME(t.NogenWord), 'nogen' as const) },
      { ALT: () => (this.CONSUME(t.NoparseWord), 'noparse' as const) },
      { ALT: () => (this.CONSUME(t.ExternWord), 'extern' as const) },
    ]),
  )

  // This function and those below are created once, not for each class and name: a long text has hundreds of thousands.
  readonly #typeArguments = (): readonly TypeUse[] => {
    this.CONSUME(t.OpenParen)
    const uses = this.SUBRULE(this.typeUses)
    this.CONSUME(t.CloseParen)
    return uses
  }
  readonly typeUse: ParserMethod<[], TypeUse> = this.RULE('typeUse', (): TypeUse => {
    const name = this.CONSUME(t.Identifier)
    const uses = this.OPTION(this.#typeArguments) ?? none
    return { name: name.image, at: this.at(name), arguments: uses }
  })

  readonly #include = this.RULE('include', (): Include => {
    const marked = this.OPTION(() => this.SUBRULE(this.#flag))
    this.CONSUME(t.IncludeWord)
    const name = this.CONSUME(t.Text)
    this.CONSUME(t.Semicolon)
    return { flag: marked ?? null, name: this.ACTION(() => decodeText(name.image)), at: this.at(name) }
  })

  readonly #qualifiedName = this.RULE('qualifiedName', (): QualifiedName => {
    const first = this.CONSUME(t.Identifier)
    const names = [first.image]
    this.MANY(() => {
      this.CONSUME(t.Dot)
      names.push(this.CONSUME2(t.Identifier).image)
    })
    const star = this.OPTION(() => this.CONSUME(t.DotStar))
    this.CONSUME(t.Semicolon)
    return { name: names.join('.'), all: star !== undefined, at: this.at(first) }
  })

  readonly #anyPart = {
    DEF: [
      {
        ALT: () => {
          this.CONSUME(t.OpenAngle)
          const label = this.CONSUME(t.Identifier)
          this.CONSUME(t.CloseAngle)
          const type = this.SUBRULE(this.typeUse)
          return { kind: 'field' as const, label: label.image, at: this.at(label), type }
        },
      },
      ...this.syntaxAlternatives,
      { ALT: () => ({ kind: 'end' as const, at: this.at(this.CONSUME(t.EofWord)) }) },
    ],
    ERR_MSG: 'a field, a literal or a printing command',
  }
  #written: Part[] = []
  readonly #nextPart = (): void => void this.#written.push(this.OR(this.#anyPart))
  readonly #parts = this.RULE('parts', (): readonly Part[] => {
    this.#written = []
    this.MANY(this.#nextPart)
    return trimmed(this.#written)
  })

  readonly #alternatives = this.RULE('alternatives', (): readonly TypeUse[] => {
    const uses: TypeUse[] = []
    this.AT_LEAST_ONE_SEP({ SEP: t.Bar, ERR_MSG: 'a name', DEF: () => uses.push(this.SUBRULE(this.typeUse)) })
    return trimmed(uses)
  })

  readonly #enclosedOrOpen = [
    {
      ALT: () => {
        this.CONSUME(t.OpenParen)
        const inner = this.SUBRULE(this.#alternatives)
        this.CONSUME(t.CloseParen)
        return inner
      },
    },
    { ALT: () => this.SUBRULE2(this.#alternatives) },
  ]
  readonly #anyAlternatives = this.RULE('anyAlternatives', (): readonly TypeUse[] => this.OR(this.#enclosedOrOpen))

  readonly #marking = (): Flag => this.SUBRULE(this.#flag)
  readonly #interfaceWord = (): IToken => this.CONSUME(t.InterfaceWord)
  readonly #parameterList = (): readonly NameDef[] => {
    this.CONSUME(t.OpenParen)
    const names = this.SUBRULE(this.nameDefs)
    this.CONSUME(t.CloseParen)
    return names
  }
  readonly #alternativeList = (): readonly TypeUse[] => this.SUBRULE(this.#anyAlternatives)
  readonly #superclasses = (): readonly TypeUse[] => {
    this.CONSUME(t.ImplementsWord)
    return this.SUBRULE(this.typeUses)
  }
  readonly #definition = this.RULE('definition', (): Definition => {
    const marked = this.OPTION(this.#marking)
    const word = this.OPTION2(this.#interfaceWord)
    const name = this.CONSUME(t.Identifier)
    const parameters = this.OPTION3(this.#parameterList) ?? none
    this.CONSUME(t.Equals)
    const uses = this.OPTION5(this.#alternativeList) ?? none
    let own: readonly Part[] = none
    let supers: readonly TypeUse[] = none
    // An interface has neither.
    if (word === undefined || this.RECORDING_PHASE) {
      own = this.SUBRULE(this.#parts)
      supers = this.OPTION4(this.#superclasses) ?? none
    }
    this.CONSUME(t.Dot)
    return {
      flag: marked ?? null,
      isInterface: word !== undefined,
      name: name.image,
      at: this.at(name),
      parameters,
      alternatives: uses,
      parts: own,
      implements: supers,
    }
  })

  readonly definitions: ParserMethod<[], Pick<Source, 'definitions'>> = this.RULE('definitions', () => {
    const definitions: Definition[] = []
    this.MANY(() => definitions.push(this.SUBRULE(this.#definition)))
    return { definitions }
  })

  readonly source: ParserMethod<[], Source> = this.sourceRule(this.#include, this.#qualifiedName, this.definitions)
}

/** A shared instance, because the parser keeps no state between two texts. */
export const parser = lazily(() => new DictionaryParser())
