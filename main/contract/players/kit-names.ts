import { nameFrom, nameKey } from '../names.ts'

/** The name in the agent.json of every kit. */
export const KIT_NAME = 'my-agent'

/** The names that files and folders of kits have, also as browsers number a second download. */
const ofKits =
  /^(MY[ _-]?AGENT|AGENT|TARTAGLIA-[A-Z]+-(JAVASCRIPT|TYPESCRIPT|PYTHON|JAVA|CPP|RUST|GO))(?:[ ._()-]|\d|COPY)*$/

/** True for a name that everybody's agent has who began with a kit, so that it tells nothing of whose agent it is. */
export const isKitName = (name: string): boolean => ofKits.test(nameKey(name))

/**
 * The first of the names that does not come from a kit; null: there is none. `declared`: the one in an agent.json, which counts
 * unless it still is exactly the kit's. `places`: names of the file and of the folders around it, from the inside out.
 */
export function ownName(declared: string | null, places: readonly string[]): string | null {
  if (declared !== null && nameKey(declared) !== nameKey(KIT_NAME)) return declared
  return places.map(nameFrom).find((name) => !isKitName(name)) ?? null
}
