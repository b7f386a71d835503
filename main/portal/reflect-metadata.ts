// @peculiar/x509 finds its algorithms by the metadata of decorators, for which it expects three functions of Reflect that no
// engine has. These are the ones it calls. This module is imported before the library.
const kept = new WeakMap<object, Map<unknown, unknown>>()

const getOwnMetadata = (key: unknown, target: object): unknown => kept.get(target)?.get(key)

function getMetadata(key: unknown, target: object): unknown {
  for (let at: object | null = target; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const found = kept.get(at)
    if (found?.has(key) === true) return found.get(key)
  }
  return undefined
}

function defineMetadata(key: unknown, value: unknown, target: object): void {
  const own = kept.get(target) ?? new Map<unknown, unknown>()
  kept.set(target, own.set(key, value))
}

for (const [name, value] of Object.entries({ getOwnMetadata, getMetadata, defineMetadata }))
  Object.defineProperty(Reflect, name, { value, configurable: true, writable: true })

export {}
