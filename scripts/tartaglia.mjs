#!/usr/bin/env node
// `tartaglia` alone opens the classroom; with a verb it is the command line.
import { readFileSync } from 'node:fs'
import { launch } from './launch.mjs'
import { openClassroom, openingOptions } from './open-classroom.mjs'
import { entry } from './setup.mjs'

const args = process.argv.slice(2)
const [first] = args

await entry(() => {
  if (first === undefined || openingOptions.includes(first.split('=', 1)[0])) return openClassroom(args)
  if (first === '--version') return showVersion()
  return launch(args)
})

/** Scripts ask for it, so nothing else is started. */
function showVersion() {
  console.log(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version)
}
