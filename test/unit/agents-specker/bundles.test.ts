import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { config as speckerConfig } from '../../../main/referees/specker/config.ts'
import { bundle } from '../../../main/referees/specker/messages.ts'
import { rules } from '../../../main/referees/specker/rules.ts'
import { startMessage, turnMessage } from '../../../main/referees/specker/referee/views.ts'
import { configOf, NAMES } from './table.ts'

// The agent of a kit is not built.
test.each(NAMES.filter((name) => name !== 'kit'))(
  '%s, as built, is a class in a bare realm and takes a turn',
  (name) => {
    const source = readFileSync(new URL(`../../../dist/agents/specker/${name}.js`, import.meta.url), 'utf8')
    const seats = [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
    const config = speckerConfig.parse(configOf('max-csp', { maxVars: 6, maxConstraints: 30 }, {}))
    const state = rules.initial(config, seats, '0'.repeat(64))
    const realm = createContext({ module: { exports: {} }, messages: '' })
    runInContext(source, realm)
    realm['messages'] = JSON.stringify([startMessage(state, 0), turnMessage(state, 0)])
    const answer: unknown = runInContext(
      'const [start, view] = JSON.parse(messages); JSON.stringify(new module.exports(start).turn(view))',
      realm,
    )
    const { actions } = bundle.parse(JSON.parse(String(answer)))
    expect(actions.length).toBeGreaterThan(0)
    expect(rules.apply(state, { type: 'turn', seat: 0, actions })).toBeNull()
    expect(state.removals).toEqual([])
  },
)
