import type { Command } from 'commander'
import { targetingIn, type ExportsTargeting } from '../../../services/games/specker/targeting.ts'
import { addVerb, type Context } from '../../context.ts'
import { count, safeLine } from '../../text.ts'
import { addExports, noteOwnKeys, readLine } from './exports.ts'

/** `tartaglia specker targeting histories/*.jsonl` */
export function addTargeting(group: Command, { terminal }: Context): void {
  const verb = addVerb(
    group,
    'targeting',
    'Test whether agents treat others differently, from the histories of a contest',
    'tartaglia specker targeting histories/*.jsonl',
  )
  addExports(verb).action(async (files: readonly string[], { key }: { readonly key?: string }) => {
    const report = await targetingIn(files, key)
    noteOwnKeys(terminal, key)
    terminal.result(report)
    terminal.print(...lines(report))
  })
}

type Agent = ExportsTargeting['agents'][number]

function lines(report: ExportsTargeting): readonly string[] {
  return [
    `${readLine(report)}; p is the probability of so large a difference by chance alone.`,
    ...report.agents.flatMap(agentLines),
  ]
}

function agentLines({ agent, p, flagged, findings }: Agent): readonly string[] {
  const [clearest, ...others] = findings
  if (clearest === undefined) return ['', `${safeLine(agent)}: nothing to compare.`]
  const verdict = flagged ? 'treats others differently' : 'no sign of targeting'
  const events = flagged ? clearest.events : []
  return [
    '',
    `${safeLine(agent)}: ${verdict}, p = ${p.toPrecision(2)}`,
    findingLine(clearest),
    ...events.map(({ match, input, what }) => `    match ${match}, input ${input}: ${safeLine(what)}`),
    ...others.map(findingLine),
  ]
}

function findingLine({ about, p, compared, other, mean, expected }: Agent['findings'][number]): string {
  const seen = `${mean.toPrecision(3)} towards ${safeLine(other ?? '')}, expected ${expected.toPrecision(3)}`
  return `  ${about}: ${seen}; p = ${p.toPrecision(2)}, ${count(compared, 'observation', 'observations')}`
}
