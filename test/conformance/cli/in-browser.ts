import { request } from 'node:https'
import { WebSocket } from 'ws'

/** A session of a person at a class that is served by HTTPS with its own certificate, as their browser has it. */
export interface BrowserSession {
  /** Calls a procedure. Rejects with the refusal as JSON. */
  call(name: string, input: object): Promise<unknown>
}

/** Signs a person in. `body`: as the page for signing in sends it. */
export async function signIn(origin: string, body: object): Promise<BrowserSession> {
  const cookie = await cookieFor(origin, body)
  return { call: (name, input) => call(origin, cookie, name, input) }
}

function cookieFor(origin: string, body: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { origin, 'content-type': 'application/json' }
    const sent = request(`${origin}/sign-in`, { method: 'POST', headers, rejectUnauthorized: false }, (response) => {
      response.resume()
      const cookie = response.headers['set-cookie']?.[0]?.split(';', 1)[0]
      if (cookie === undefined) reject(new Error(`Refused with ${response.statusCode}.`))
      else resolve(cookie)
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}

function call(origin: string, cookie: string, name: string, input: object): Promise<unknown> {
  const socket = new WebSocket(`${origin.replace('https', 'wss')}/rpc`, {
    headers: { cookie, origin },
    rejectUnauthorized: false,
  })
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('open', () => socket.send(JSON.stringify({ t: 'q', i: '1', m: 'call', a: [name, input] })))
    socket.on('message', (data: Buffer) => {
      const { r } = JSON.parse(data.toString()) as { r: { ok: boolean; value: unknown } }
      socket.close()
      if (r.ok) resolve(r.value)
      else reject(new Error(JSON.stringify(r)))
    })
  })
}
