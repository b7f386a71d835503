import { workerData } from 'node:worker_threads'
import type { Json } from '../../../main/contract/json.ts'
import { dial, type Client } from '../../conformance/network/client.ts'

// An agent on another machine, which is here a thread of its own: it bargains without end, and answers after some ms.

export interface Post {
  readonly address: string
  readonly credential: string
}

function bargain(line: string, client: Client): void {
  const said = JSON.parse(line) as { arena?: string; match?: number; question?: number; type?: Json }
  if (said.arena === 'match') client.say({ arena: 'ready', match: said.match ?? -1 })
  const { question, type } = said
  if (question === undefined) return
  const answer = type === 'start' ? { type: 'ready' } : { type: 'offer', offer: [0, 0, 0] }
  setTimeout(() => client.say({ ...answer, question }), 5)
}

const { address, credential } = workerData as Post
dial(address, credential, bargain)
