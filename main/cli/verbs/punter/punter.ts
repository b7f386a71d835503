import type { Command } from 'commander'
import { addGroup, type Context } from '../../context.ts'
import { addMap } from './map.ts'
import { addPlay } from './play.ts'
import { addRescore } from './rescore.ts'
import { addServe } from './serve.ts'

/** `tartaglia punter serve`, `play`, `rescore`, `map`. */
export function addPunter(program: Command, context: Context): void {
  const punter = addGroup(
    program,
    'punter',
    'Lambda Punter: single games online and offline, scores of official games, maps',
  )
  addServe(punter, context)
  addPlay(punter, context)
  addRescore(punter, context)
  addMap(punter, context)
}
