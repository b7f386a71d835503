import type { HistoryFilter } from '../../../main/contract/procedures/procedures.ts'
import type { Parameters } from '../../navigation/address.ts'

/** The filter of the list of histories, as the user sets it and the address has it. */
export interface Filter {
  search: string
  game: string
  subject: string
  agent: string
  /** Another player in the match. */
  against: string
  faults: boolean
}

/** The parameters of the screen's address. */
export type FilterParameters = { readonly [K in keyof Filter]?: string | undefined }

export function filterFrom({ search, game, subject, agent, against, faults }: FilterParameters): Filter {
  return {
    search: search ?? '',
    game: game ?? '',
    subject: subject ?? '',
    agent: agent ?? '',
    against: against ?? '',
    faults: faults === 'yes',
  }
}

export function filterAddress({ faults, ...texts }: Filter): Parameters {
  return { ...texts, faults: faults ? 'yes' : null }
}

/** As the program wants it. */
export function filterInput({ search, game, subject, agent, against, faults }: Filter): HistoryFilter {
  return { search, game, subject, agents: [agent.trim(), against.trim()], faults }
}

/** True if it leaves any histories out. */
export function isFiltered({ faults, ...texts }: Filter): boolean {
  return faults || Object.values(texts).some((text) => text.trim() !== '')
}
