import { readFile } from 'node:fs/promises'
import { storeAgent, storedAgentFile } from '../../administrator/classroom/agents.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { sha256 } from '../../histories/canonical.ts'
import type { AgentCode } from '../../worker/protocol.ts'
import { codeOf, type RunnablePackage } from '../packages/codes.ts'
import type { UnpackedFolder } from '../packages/unpacked.ts'
import { openAgent, type SharedKind } from './messages.ts'
import { keys } from './names.ts'
import type { Redis } from './redis.ts'
import type { ClusterSecrets } from './sealing.ts'

/** The agents that a worker plays, from its cache or from Redis. Neither is trusted. */
export interface AgentSupply {
  /** Rejects if Redis has no such agent, or it cannot be unpacked: then another time, or another machine, may do better. */
  code(agent: Sha256, kind: SharedKind): Promise<AgentCode>
  /** Removes the unpacked programs. */
  close(): Promise<void>
}

export interface AgentSupplyOptions {
  /** The folder in which packages are cached by hash and kind. */
  readonly cache: string
  readonly secrets: ClusterSecrets
  readonly redis: Pick<Redis, 'get' | 'del'>
  onNotice(text: string): void
}

export function createAgentSupply(options: AgentSupplyOptions): AgentSupply {
  const codes = new Map<string, Promise<AgentCode>>()
  const unpacked: UnpackedFolder[] = []
  const load = async (agent: Sha256, kind: SharedKind): Promise<AgentCode> => {
    const cached = await readCached(options.cache, agent, kind)
    if (cached !== null) return codeOf(agent, cached, unpacked)
    const fetched = await fetchAgent(options, agent, kind)
    // Before it is kept: a package that cannot be run would fail tomorrow, too.
    const code = await codeOf(agent, fetched, unpacked)
    await storeAgent(options.cache, fetched).catch((error: unknown) =>
      options.onNotice(
        `An agent cannot be kept in the cache: ${error instanceof Error ? error.message : String(error)}`,
      ),
    )
    return code
  }
  return {
    code(agent, kind) {
      const name = `${kind} ${agent}`
      const known = codes.get(name) ?? load(agent, kind)
      codes.set(name, known)
      known.catch(() => codes.delete(name))
      return known
    },
    async close() {
      await Promise.allSettled(codes.values())
      for (const each of unpacked) await each.remove().catch(() => undefined)
    },
  }
}

/** The cached package of this kind; null: there is none, or its file is not the agent, and is replaced later. */
async function readCached(cache: string, agent: Sha256, kind: SharedKind): Promise<RunnablePackage | null> {
  const bytes = await readFile(storedAgentFile(cache, agent, kind)).catch(() => null)
  return bytes !== null && sha256(bytes) === agent ? { kind, bytes } : null
}

async function fetchAgent({ redis, secrets }: AgentSupplyOptions, agent: Sha256, kind: SharedKind) {
  const key = keys.agent(secrets, kind, agent)
  const text = await redis.get(key).catch(() => '')
  if (text === null) throw new Error(`the agent ${agent} is not in Redis`)
  const found = openAgent(secrets, agent, kind, text)
  if (found !== null) return found
  // The classroom puts it there again.
  await redis.del(key)
  throw new Error(`Redis has something else as the agent ${agent}`)
}
