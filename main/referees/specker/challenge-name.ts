import type { Json } from '../../contract/json.ts'

/** The name of the challenge in a config, which contains its name or its whole file; null: it has none. */
export function challengeName(config: Json): string | null {
  if (typeof config !== 'object' || config === null || !('challenge' in config)) return null
  const { challenge } = config
  if (typeof challenge !== 'string') return null
  const [, named] = /^\s*challenge\s+([a-z][a-z0-9-]*)/m.exec(challenge) ?? []
  return named ?? (/^[a-z][a-z0-9-]*$/.test(challenge) ? challenge : null)
}
