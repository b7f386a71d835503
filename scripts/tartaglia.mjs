#!/usr/bin/env node
import { launch } from './launch.mjs'
import { entry } from './setup.mjs'

await entry(() => launch(process.argv.slice(2)))
