// Plays all six bodies of a team of toy (a) in one process: answers when all have been asked, the last one first, and ends in round 2.
import { createInterface } from 'node:readline'

let asked = []
for await (const line of createInterface(process.stdin)) {
  const message = JSON.parse(line)
  if (message.type !== 'card') continue
  asked.push(message)
  if (asked.length < 6) continue
  if (message.round === 2) process.exit(3)
  for (const { body, question } of asked.reverse()) {
    process.stdout.write(`${JSON.stringify({ body, question, play: body % 2 === 0 })}\n`)
  }
  asked = []
}
