import { priceOf } from '../checking/extent.ts'
import { LIST_STEPS } from '../running/frame.ts'
import type { Gathered, Typed, TypedCase, TypedFunction, TypedLoop } from '../checking/typed.ts'
import { sumIfSmall, bothSmall } from './write-numbers.ts'
import { writeArithmetic, writeBetween, writeBit, writeOrder } from './write-numbers.ts'
import type { Operand, ProgramText } from './written.ts'

/** Names that can be used after a dot. */
const NAME = /^[A-Za-z$_][A-Za-z0-9_$]*$/

/** Writes the body of one function of a generated program, statement by statement. Its parameter `f` is the frame. */
export class FunctionWriter {
  readonly lines: string[] = []
  readonly program: ProgramText
  /** The operands of the slots that are bound in this function. */
  readonly #bound = new Map<number, Operand>()
  readonly #free = new Map<number, Operand>()

  constructor(program: ProgramText, parameters: readonly (readonly [slot: number, name: string])[]) {
    this.program = program
    for (const [slot, text] of parameters) this.#bound.set(slot, { text, small: false })
  }

  /** Writes the end of the function, and at its beginning the variables read from the frame. */
  finish(result: Operand): void {
    this.lines.unshift(...[...this.#free].map(([slot, { text }]) => `const ${text} = f.slots[${slot}];`))
    this.lines.push(`return ${result.text};`)
  }

  /** Declares a constant with a value. */
  keep(value: string, small = false): Operand {
    const text = this.program.fresh('t')
    this.lines.push(`const ${text} = ${value};`)
    return { text, small }
  }

  /** Declares a variable to be assigned later. */
  variable(first = ''): string {
    const text = this.program.fresh('r')
    this.lines.push(first === '' ? `let ${text};` : `let ${text} = ${first};`)
    return text
  }

  /** The name of a value that is passed to the program. */
  constant(value: ProgramText['constants'][number]): string {
    return `k${this.program.constants.push(value) - 1}`
  }

  write(tree: Typed): Operand {
    switch (tree.kind) {
      case 'constant': {
        const { value } = tree
        if (typeof value === 'number') return { text: value < 0 ? `(${value})` : String(value), small: true }
        return { text: typeof value === 'boolean' ? String(value) : this.constant(value), small: false }
      }
      case 'local':
        return this.#slot(tree.slot)
      case 'field': {
        const of = this.write(tree.of)
        const label = NAME.test(tree.label) ? `.${tree.label}` : `[${this.constant(tree.label)}]`
        return this.#exact(tree, `${of.text}${label}`, tree.type.kind === 'int')
      }
      case 'element':
        return this.#element(tree)
      case 'arithmetic':
        return writeArithmetic(
          tree.operator,
          tree.args.map((arg) => this.write(arg)),
          tree.at,
          this,
        )
      case 'order':
        return writeOrder(tree.operator, this.write(tree.left), this.write(tree.right), this)
      case 'between':
        return writeBetween(tree, this)
      case 'bit': {
        const bits = this.write(tree.bits)
        return writeBit(bits, this.write(tree.row), tree.at, this)
      }
      case 'lookup':
      case 'has': {
        const entries = this.write(tree.entries)
        const key = this.write(tree.key)
        if (tree.kind === 'has') return this.keep(`h.entryOf(f, ${entries.text}, ${key.text}) !== undefined`)
        return this.#exact(tree, `h.lookUpAt(f, ${entries.text}, ${key.text}, ${tree.at})`, tree.type.kind === 'int')
      }
      case 'equal': {
        const left = this.write(tree.left)
        const right = this.write(tree.right)
        return this.#equal(left, right, tree)
      }
      case 'member': {
        const list = this.write(tree.list)
        return this.keep(`h.contains(f, ${list.text}, ${this.write(tree.value).text})`)
      }
      case 'subset': {
        const within = this.write(tree.right)
        return this.keep(`h.isSubset(f, ${this.write(tree.left).text}, ${within.text})`)
      }
      case 'not':
        return this.keep(`!${this.write(tree.of).text}`)
      case 'both':
      case 'either': {
        const result = this.variable(this.write(tree.left).text)
        this.lines.push(`if (${tree.kind === 'both' ? '' : '!'}${result}) {`)
        this.lines.push(`${result} = ${this.write(tree.right).text};`, '}')
        return { text: result, small: false }
      }
      case 'list':
        this.#spend(String(LIST_STEPS + tree.elements.length))
        return this.keep(`[${tree.elements.map((element) => this.write(element).text).join(', ')}]`)
      case 'range': {
        const low = this.write(tree.low)
        return this.keep(`h.rangeList(f, ${low.text}, ${this.write(tree.high).text})`)
      }
      case 'gather':
        return this.#gather(tree)
      case 'length':
        return this.keep(`${this.write(tree.of).text}.length`, true)
      case 'distinct':
        return this.keep(`h.allDistinct(f, ${this.write(tree.of).text})`)
      case 'if': {
        const condition = this.write(tree.condition)
        const result = this.variable()
        this.lines.push(`if (${condition.text}) {`)
        const yes = this.write(tree.yes)
        this.lines.push(`${result} = ${yes.text};`, '} else {')
        const no = this.write(tree.no)
        this.lines.push(`${result} = ${no.text};`, '}')
        return { text: result, small: yes.small && no.small }
      }
      case 'let':
        this.#bound.set(tree.slot, this.write(tree.value))
        return this.write(tree.body)
      case 'match':
        return this.#match(tree.subject, tree.cases, tree.other)
      case 'call': {
        const name = this.#function(tree.function)
        const args = tree.args.map((arg) => this.write(arg).text)
        this.#spend(String(priceOf(tree.function.body)))
        return this.keep(`${name}(${['f', ...args].join(', ')})`)
      }
    }
  }

  #slot(slot: number): Operand {
    const known = this.#bound.get(slot) ?? this.#free.get(slot)
    if (known) return known
    const taken = { text: this.program.fresh('v'), small: false }
    this.#free.set(slot, taken)
    return taken
  }

  /** Converts a decimal read from JSON to an exact number. */
  #exact(tree: Typed, text: string, small: boolean): Operand {
    return tree.type.kind === 'number' ? this.keep(`h.exactlyFor(f, ${text})`) : this.keep(text, small)
  }

  #spend(steps: string): void {
    this.lines.push(`if ((f.steps -= ${steps}) < 0) h.spend(f, 0);`)
  }

  #element(tree: Typed & { kind: 'element' }): Operand {
    const list = this.write(tree.of)
    const index = this.write(tree.index)
    const isNumber = index.small ? '' : `typeof ${index.text} === 'number' && `
    const inside = `${isNumber}${index.text} >= 1 && ${index.text} <= ${list.text}.length`
    const missing = `h.absent(${list.text}, ${index.text}, ${tree.at})`
    const small = isPlain(tree.of) && tree.type.kind === 'int'
    return this.#exact(tree, `${inside} ? ${list.text}[${index.text} - 1] : ${missing}`, small)
  }

  #equal(left: Operand, right: Operand, tree: Typed & { kind: 'equal' }): Operand {
    const sign = tree.negated ? '!' : ''
    const plain = tree.left.type.kind === 'int' && tree.right.type.kind === 'int' ? bothSmall(left, right) : null
    if (plain === null) return this.keep(`${sign}h.equal(f, ${left.text}, ${right.text})`)
    const result = this.variable(String(!tree.negated))
    this.lines.push(`if (${left.text} !== ${right.text}) {`, `if (${plain}) {`)
    this.#spend('1')
    this.lines.push(`${result} = ${tree.negated};`)
    this.lines.push('} else {', `${result} = ${sign}h.equal(f, ${left.text}, ${right.text});`, '}', '}')
    return { text: result, small: false }
  }

  #match(subject: Typed, cases: readonly TypedCase[], other: Typed | null): Operand {
    const value = this.write(subject)
    const isOption = subject.type.kind === 'option'
    const isNumber = subject.type.kind === 'option' && subject.type.of.kind === 'number'
    // A switch, because else-ifs would be nested as deep as there are alternatives.
    const name = isOption ? `${value.text} === null ? 'none' : 'some'` : `${value.text}.$`
    const result = this.variable()
    this.lines.push(`switch (${name}) {`)
    for (const one of cases) {
      this.lines.push(
        `case ${isOption ? `'${one.alternative === 'none' ? 'none' : 'some'}'` : this.constant(one.alternative)}: {`,
      )
      if (one.slot !== null) {
        this.#bound.set(
          one.slot,
          isNumber ? this.keep(`h.exactlyFor(f, ${value.text})`) : { text: value.text, small: false },
        )
      }
      this.lines.push(`${result} = ${this.write(one.body).text};`, 'break;', '}')
    }
    this.lines.push('default: {')
    const otherwise = other ? `${result} = ${this.write(other).text};` : `h.noCase(${name});`
    this.lines.push(otherwise, '}', '}')
    return { text: result, small: false }
  }

  #function(called: TypedFunction): string {
    const known = this.program.names.get(called)
    if (known !== undefined) return known
    const name = this.program.fresh('u')
    this.program.names.set(called, name)
    const parameters = called.parameters.map(({ slot }) => [slot, this.program.fresh('p')] as const)
    const writer = new FunctionWriter(this.program, parameters)
    writer.finish(writer.write(called.body))
    const list = ['f', ...parameters.map(([, parameter]) => parameter)].join(', ')
    this.program.functions.push(`function ${name}(${list}) {`, ...writer.lines, '}')
    return name
  }

  /** Writes a fold: a fold over loops is the fold of the folds over the inner ones. */
  #gather(tree: Gathered): Operand {
    const { fold, at, body } = tree
    const within = (loops: readonly TypedLoop[]): Operand => {
      const [loop, ...inner] = loops
      if (!loop) return fold === 'count' ? { text: '1', small: true } : this.write(body)
      switch (fold) {
        case 'sum':
        case 'count': {
          const total = this.variable('0')
          this.#loop(loop, body, null, () => {
            this.lines.push(sumIfSmall(total, { text: total, small: fold === 'count' }, within(inner), at))
          })
          return { text: total, small: fold === 'count' }
        }
        case 'all':
        case 'exists': {
          const sought = fold === 'exists'
          const result = this.variable(String(!sought))
          const label = this.program.fresh('l')
          this.#loop(loop, body, label, () => {
            const found = within(inner)
            this.lines.push(`if (${found.text} === ${sought}) {`, `${result} = ${sought};`, `break ${label};`, '}')
          })
          return { text: result, small: false }
        }
        case 'min':
        case 'max': {
          const best = this.variable('null')
          this.#loop(loop, body, null, () => {
            const found = within(inner)
            const sign = fold === 'min' ? '<' : '>'
            const numbers = bothSmall(found, { text: best, small: false })
            const better = `(${numbers} ? ${found.text} ${sign} ${best} : h.orderFor(f, ${found.text}, ${best}) ${sign} 0)`
            this.lines.push(`if (${found.text} !== null && (${best} === null || ${better})) ${best} = ${found.text};`)
          })
          return { text: best, small: false }
        }
        case 'first': {
          const result = this.variable()
          const label = this.program.fresh('l')
          this.#loop(loop, body, label, () => {
            const found = within(inner)
            this.lines.push(`if (${found.text} !== undefined) {`, `${result} = ${found.text};`, `break ${label};`, '}')
          })
          return { text: result, small: false }
        }
        case 'list':
          this.#loop(loop, body, null, () => {
            const found = within(inner)
            if (inner.length === 0) this.lines.push(`${list}.push(${found.text});`)
          })
          return { text: list, small: false }
      }
    }
    if (fold === 'list') this.#spend(String(LIST_STEPS))
    const list = fold === 'list' ? this.variable('[]') : ''
    const folded = within(tree.loops)
    if (fold === 'min' || fold === 'max') {
      this.lines.push(`if (${folded.text} === null) h.noneOf(${this.constant(fold)}, ${at});`)
    }
    if (fold === 'first') this.lines.push(`if (${folded.text} === undefined) h.noneOf(${this.constant(fold)}, ${at});`)
    return folded
  }

  #loop(loop: TypedLoop, body: Typed, label: string | null, inside: () => void): void {
    const { source } = loop
    const price = priceOf(loop.filter, body)
    const i = this.program.fresh('i')
    const element = this.program.fresh('e')
    const head = (length: string): string => {
      return `${label === null ? '' : `${label}: `}for (let ${i} = 0; ${i} < ${length}; ${i}++) {`
    }
    if (source.kind === 'range') {
      const low = this.write(source.low)
      const length = this.keep(`h.spanOf(f, ${low.text}, ${this.write(source.high).text}, ${price})`)
      this.lines.push(head(length.text), `const ${element} = ${low.text} + ${i};`)
    } else {
      const list = this.write(source)
      const decimal = source.type.kind === 'list' && source.type.of.kind === 'number'
      this.#spend(`${list.text}.length * ${price}`)
      this.lines.push(head(`${list.text}.length`))
      this.lines.push(`const ${element} = ${decimal ? `h.exactlyFor(f, ${list.text}[${i}])` : `${list.text}[${i}]`};`)
    }
    const small = source.kind === 'range' || (isPlain(source) && isOfInts(source))
    this.#bound.set(loop.slot, { text: element, small })
    if (loop.indexSlot !== null) this.#bound.set(loop.indexSlot, this.keep(`${i} + 1`, true))
    if (loop.filter) this.lines.push(`if (${this.write(loop.filter).text}) {`)
    inside()
    this.lines.push(loop.filter ? '}}' : '}')
  }
}

/** Whether a list comes unchanged from the input: a computed list may contain fractions instead of large integers. */
function isPlain(tree: Typed): boolean {
  return tree.kind === 'field' || (tree.kind === 'element' && isPlain(tree.of))
}

function isOfInts(tree: Typed): boolean {
  return tree.type.kind === 'list' && tree.type.of.kind === 'int'
}
