import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

// Two punters that pass, in a thread of their own. `workerData`: the port.
for (const name of ['Ann', 'Bob']) play(name, workerData as number)

function play(name: string, port: number): void {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  let text = ''
  const say = (json: string): void => void socket.write(`${json.length}:${json}`)
  say(JSON.stringify({ me: name }))
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
    for (let colon = text.indexOf(':'); colon > 0; colon = text.indexOf(':')) {
      const end = colon + 1 + Number(text.slice(0, colon))
      if (text.length < end) return
      const json = text.slice(colon + 1, end)
      text = text.slice(end)
      if (json.startsWith('{"move"')) say('{"pass":{}}')
      else if (json.startsWith('{"punter"')) say('{"ready":0}')
    }
  })
  socket.on('close', () => parentPort?.postMessage('closed'))
}
