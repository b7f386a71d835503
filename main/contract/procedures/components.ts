import * as z from 'zod'
import { entrantName, newName, sha256Hex, type EntrantId } from '../ids.ts'
import { teamId, type TeamId } from '../people/teams.ts'
import { uploadHandle } from './uploads.ts'

// The component market: modules that teams publish and agents import by name and hash.

/** The number of hexadecimal digits of a component's SHA-256 in the name of its file. */
export const COMPONENT_DIGITS = 16
/** The maximum size of a component, in bytes. */
export const COMPONENT_BYTES_MAX = 1024 * 1024
/** The maximum size of the file from which it is made, in bytes: packages are larger than what is made of them. */
export const COMPONENT_FILE_BYTES_MAX = 6 * COMPONENT_BYTES_MAX
/** The maximum number of components in an agent, also through other components. */
export const COMPONENTS_MAX = 64

export const componentName = z
  .string()
  .max(40)
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'expected small letters and digits, words joined by "-"')

/** A component that an agent or another component contains. */
export const componentUse = z.strictObject({ name: componentName, hash: sha256Hex })
export type ComponentUse = z.infer<typeof componentUse>

/** A published component. It never changes, and is kept while the class exists: agents that contain it stay what they are. */
export const component = componentUse.extend({
  ending: z.enum(['js', 'ts']),
  /** The name of the team that published it. */
  author: entrantName,
  /** That team, which may withdraw it. Absent: the educator published it. */
  owner: teamId.exactOptional(),
  /** For other teams; may be empty. */
  description: z
    .string()
    .max(500)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'expected one line'),
  published: z.iso.datetime(),
  bytes: z.int().min(1).max(COMPONENT_BYTES_MAX),
  /** The names that it exports. */
  exports: z.array(z.string().max(200)).max(1_000),
  /** The components that it contains, directly or through others. */
  uses: z.array(componentUse).max(COMPONENTS_MAX),
  /** When it was withdrawn: agents that are handed in since cannot import it. Absent: it was not. */
  withdrawn: z.iso.datetime().exactOptional(),
})
export type Component = z.infer<typeof component>

/** A component as lists show it. */
export interface ComponentSummary extends Component {
  /** The agents of the class whose newest version contains it. */
  readonly usedBy: readonly EntrantId[]
}

/** A component with its text. */
export interface ComponentDetail extends ComponentSummary {
  readonly text: string
}

/** The path of a component's file beside an agent's main file, such as `components/matcher@0123456789abcdef.js`. */
export function componentPath({ name, hash, ending }: Pick<Component, 'name' | 'hash' | 'ending'>): string {
  return `components/${name}@${hash.slice(0, COMPONENT_DIGITS)}.${ending}`
}

/** The line with which an agent's main file imports what a component exports. */
export function importLine(component: Pick<Component, 'name' | 'hash' | 'ending' | 'exports'>): string {
  const own = component.name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  const named = component.exports.filter((each) => each !== 'default' && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(each))
  const what = [
    ...(component.exports.includes('default') ? [own] : []),
    ...(named.length === 0 ? [] : [`{ ${named.join(', ')} }`]),
  ]
  return `import ${what.length === 0 ? '' : `${what.join(', ')} from `}'./${componentPath(component)}'`
}

/** A component that a team hands in for publication. */
export const publication = z.strictObject({
  file: uploadHandle,
  name: componentName,
  author: newName,
  description: component.shape.description.default(''),
})

export type Publication = z.output<typeof publication>

/** The team of a person who publishes. */
export interface PublishingTeam {
  readonly author: string
  readonly owner: TeamId
}

/** A row of the standings with shares: a team, its points of play, and what it gave and received for components. */
export interface ShareRow {
  readonly rank: number
  readonly team: string
  /** The sum of the points of its entrants, as in the standings. */
  readonly points: number
  /** In hundredths of a point. */
  readonly given: number
  readonly received: number
  /** `points` less what it gave, plus what it received. */
  readonly total: number
}
