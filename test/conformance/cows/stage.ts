import { playOpenMatch, type OpenMatch, type OpenMatchResult } from '../../../main/services/games/cows/open-match.ts'
import type { Config } from '../../../main/referees/cows/config.ts'
import { drawn } from '../../unit/cows/stage.ts'
import { signedIn, type Client } from './client.ts'

/** Two herders in each team, and a cow that is fenced in. */
const pasture = ['.........', '.a...A...', '.........', '.b...B...', '.........', '......###', '......#c#', '......###']

/** An open match of teams `red` (users red1, red2) and `blue`; the password of each is its name backwards. */
export interface OpenStage {
  readonly address: string
  readonly notices: readonly string[]
  readonly result: Promise<OpenMatchResult | null>
  readonly abort: AbortController
  come(user: string): Promise<Client>
  /** All four of them, in the order red1, red2, blue1, blue2. */
  all(): Promise<readonly Client[]>
}

export const users = ['red1', 'red2', 'blue1', 'blue2'] as const

interface Settings extends Partial<Pick<OpenMatch, 'timeoutMs' | 'waitMs' | 'exportTo'>> {
  /** For each simulation. */
  readonly simulations?: readonly Partial<Config>[]
}

export async function openStage({
  simulations = [{ steps: 3 }],
  timeoutMs = 60_000,
  waitMs = 60_000,
  exportTo,
}: Settings = {}): Promise<OpenStage> {
  const notices: string[] = []
  const opened = Promise.withResolvers<string>()
  const abort = new AbortController()
  const team = (name: string) => ({
    name,
    users: [1, 2].map((number) => ({ username: `${name}${number}`, password: passwordOf(`${name}${number}`) })),
  })
  const result = playOpenMatch({
    teams: [team('red'), team('blue')],
    simulations: simulations.map((settings, at) => ({ name: `pasture ${at}`, config: drawn(pasture, settings) })),
    timeoutMs,
    waitMs,
    exportTo,
    host: '127.0.0.1',
    port: 0,
    signal: abort.signal,
    onOpen: opened.resolve,
    onNotice: (text) => notices.push(text),
    onUnexpected(error) {
      throw error
    },
  })
  result.catch(opened.reject)
  const address = await opened.promise
  const come = (user: string): Promise<Client> => signedIn(address, user, passwordOf(user))
  return {
    address,
    notices,
    result,
    abort,
    come,
    async all() {
      const clients: Client[] = []
      for (const user of users) clients.push(await come(user))
      return clients
    },
  }
}

export const passwordOf = (user: string): string => Array.from(user).reverse().join('')
