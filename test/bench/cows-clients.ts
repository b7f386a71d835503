import { connect } from 'node:net'
import { workerData } from 'node:worker_threads'

// Herders that skip, in a thread of their own. `workerData`: the port, and for each its user name, which is its password, too.
const { port, users } = workerData as { readonly port: number; readonly users: readonly string[] }
for (const user of users) play(user)

function play(user: string): void {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  socket.write(`<message type="auth-request"><authentication username="${user}" password="${user}"/></message>\0`)
  /** The beginning of a message that is not whole. */
  let head = ''
  socket.on('data', (chunk: Buffer) => {
    let from = 0
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, from)) {
      const [, id] = / id="(\d+)" posx/.exec(head + chunk.toString('latin1', from, Math.min(end, from + HEAD))) ?? []
      if (id !== undefined) socket.write(`<message type="action"><action id="${id}" type="skip"/></message>\0`)
      from = end + 1
      head = ''
    }
    if (head.length < HEAD) head += chunk.toString('latin1', from, Math.min(chunk.length, from + HEAD))
  })
}

/** Characters of a message in which its request's identifier comes. */
const HEAD = 300
