/**
 * A realm's built-ins as they were before any script, copied so that a script that replaces them deceives only itself. The
 * parts destructure it while the realm is made; the object itself is never used afterwards.
 */
export interface BuiltIns {
  /** The global object. */
  readonly world: Record<string, unknown>
  readonly apply: typeof Reflect.apply
  readonly construct: typeof Reflect.construct
  readonly defineProperty: typeof Reflect.defineProperty
  readonly deleteProperty: typeof Reflect.deleteProperty
  readonly getPrototypeOf: typeof Reflect.getPrototypeOf
  readonly get: (from: object, name: string) => unknown
  readonly getOwnPropertyDescriptor: typeof Reflect.getOwnPropertyDescriptor
  readonly ownKeys: typeof Reflect.ownKeys
  readonly isArray: (value: unknown) => boolean
  readonly parse: (text: string) => unknown
  readonly stringify: (value: unknown) => string
  readonly toText: (value: unknown) => string
  readonly RealError: ErrorConstructor
  /** Evaluates a text in the global scope. */
  readonly evaluate: (text: string) => unknown
  readonly PromisePrototype: object
  readonly slice: (text: string, from: number, to?: number) => string
  readonly indexOf: (text: string, part: string) => number
  readonly lastIndexOf: (text: string, part: string, from: number) => number
  /** Defines a property as the built-ins have theirs: writable, and not enumerable. */
  readonly hide: (holder: object, name: string, value: unknown) => void
}

export function copyBuiltIns(): BuiltIns {
  const { apply, construct, defineProperty, deleteProperty, getPrototypeOf, get, getOwnPropertyDescriptor, ownKeys } =
    Reflect
  // A bound `call` is immune to changes of Function.prototype by a script.
  const FunctionPrototype: CallableFunction = Function.prototype
  const { bind, call } = FunctionPrototype
  const unbound = (method: unknown): unknown => apply(bind, call, [method])
  return {
    world: globalThis,
    ...{ apply, construct, defineProperty, deleteProperty, getPrototypeOf, get, getOwnPropertyDescriptor, ownKeys },
    isArray: Array.isArray,
    parse: JSON.parse,
    stringify: JSON.stringify,
    toText: String,
    RealError: Error,
    evaluate: eval,
    PromisePrototype: Promise.prototype,
    slice: unbound(String.prototype.slice) as BuiltIns['slice'],
    indexOf: unbound(String.prototype.indexOf) as BuiltIns['indexOf'],
    lastIndexOf: unbound(String.prototype.lastIndexOf) as BuiltIns['lastIndexOf'],
    hide(holder, name, value) {
      defineProperty(holder, name, { value, writable: true, enumerable: false, configurable: true })
    },
  }
}
