#!/usr/bin/env node
// `tartaglia` alone opens the classroom; with a verb it is the command line.
import { readFileSync } from 'node:fs'

const args = process.argv.slice(2)
const [first] = args

// Scripts ask for it, so nothing else is loaded or started.
if (first === '--version')
  console.log(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version)
else {
  const { entry } = await import('./setup.mjs')
  await entry(async () => {
    const { openClassroom, openingOptions } = await import('./open-classroom.mjs')
    if (first === undefined || openingOptions.includes(first.split('=', 1)[0])) return openClassroom(args)
    const { launch } = await import('./launch.mjs')
    return launch(args)
  })
}
