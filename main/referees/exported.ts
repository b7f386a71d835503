/**
 * The text of an expression, for a script's adapter: a function that says why a script's export is not a class, or null. It is
 * evaluated inside the realm before the script runs and keeps its own copies of what it uses; of the script it runs nothing
 * but, where an export is a proxy, its traps. `method`: what the class has, as `turn(view)`; `returns`: what one may return.
 */
export function exportCheck(method: string, returns: string): string {
  const form = `write "class Agent { ${method} { return ${returns} } }" and below it "module.exports = Agent"`
  const must = `module.exports must be a class with a method ${method}`
  const foreign = `; the class has no method ${method}, so it may be an agent of another game`
  const name = method.replace(/\(.*/, '')
  return `(() => {
  const RealProxy = Proxy
  const { apply, construct, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect
  const { toString } = Function.prototype
  const { startsWith, includes, indexOf, slice } = String.prototype
  const begins = (text, part) => apply(startsWith, text, [part])
  const isClass = (value) => {
    try {
      construct(new RealProxy(value, { construct: () => ({}) }), [])
      return true
    } catch {
      return false
    }
  }
  // By its text: the script's realm need not be this one's.
  const functionKind = (value) => {
    const text = apply(toString, value, [])
    const open = apply(indexOf, text, ['('])
    const head = open < 0 ? text : apply(slice, text, [0, open])
    const generates = apply(includes, head, ['*'])
    if (begins(text, 'async ') || begins(text, 'async(')) return generates ? 'an async generator' : 'an async function'
    if (generates) return 'a generator'
    if (begins(text, 'function')) return 'a function that makes no objects'
    return open === 0 || apply(includes, head, ['=>']) ? 'an arrow function' : 'a method of an object'
  }
  // Looked at, and not asked for: that would run a getter. Proxies may have prototypes without end.
  const hasMethod = (value) => {
    for (let object = value, steps = 0; object !== null && steps < 100; object = getPrototypeOf(object), steps += 1) {
      const found = getOwnPropertyDescriptor(object, '${name}')
      if (found !== undefined) return typeof found.value === 'function'
    }
    return false
  }
  const objectKind = (value) => {
    if (hasMethod(value)) return 'an object and not its class'
    const keys = ownKeys(value)
    let named = ''
    for (let at = 0; at < keys.length && at < 5; at += 1) {
      if (typeof keys[at] === 'string' && !begins(keys[at], '__')) named += (named === '' ? '' : ', ') + apply(slice, keys[at], [0, 40])
    }
    return named === '' ? 'empty: nothing is exported' : 'an object with ' + named
  }
  const kindOf = (value) => {
    try {
      if (value === null || value === undefined) return value === null ? 'null' : 'undefined'
      if (typeof value === 'function') return functionKind(value)
      return typeof value === 'object' ? objectKind(value) : 'a ' + typeof value
    } catch {
      return 'something that cannot be looked at'
    }
  }
  return {
    // A class of another game often fails in its constructor, before anybody looks for the method.
    made: (Agent, construct) => {
      try {
        return construct()
      } catch (error) {
        try {
          if (!hasMethod(Agent.prototype)) error.message += ${JSON.stringify(foreign)}
        } catch {
          // The thrown value is not an error.
        }
        throw error
      }
    },
    noClass: (value) => isClass(value) ? null : ${JSON.stringify(must)} + ', and is ' + kindOf(value) + '; ' + ${JSON.stringify(form)},
    noMethod: ${JSON.stringify(`the class has no method ${method}; ${form}`)},
  }
})()`
}
