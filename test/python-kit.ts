import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageTypes } from '../main/services/agents/kit-code/emitters.ts'

const kits = join(import.meta.dirname, '../agents/kits')

/** The files that an agent in Python needs of the kit of a game, by their names: `agent.json`, `agent.py`, and the modules that it imports. */
export function pythonKit(game: string): Record<string, string> {
  const places = { 'agent.json': game, 'agent.py': game, [`${game}.py`]: game, 'tartaglia.py': 'shared' }
  const copied = Object.entries(places).map(([name, folder]) => [
    name,
    readFileSync(join(kits, folder, 'python', name), 'utf8'),
  ])
  return Object.fromEntries([...copied, ...messageTypes(game, 'python')]) as Record<string, string>
}
