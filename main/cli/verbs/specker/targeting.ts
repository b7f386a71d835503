import type { Command } from 'commander'
import { targetingIn, type ExportsTargeting } from '../../../services/games/specker/targeting.ts'
import { addVerb, type Context } from '../../context.ts'
import { count, safeLine } from '../../text.ts'

/** `tartaglia specker targeting histories/*.jsonl` */
export function addTargeting(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'targeting',
    'Test whether agents treat others differently, from the histories of a contest',
    'tartaglia specker targeting histories/*.jsonl',
  )
    .argument('<files...>', 'exported matches of one contest (`contest run --export`)')
    .action(async (files: readonly string[]) => {
      const report = await targetingIn(files)
      terminal.result(report)
      terminal.print(...lines(report))
    })
}

type Agent = ExportsTargeting['agents'][number]

function lines({ matches, agents }: ExportsTargeting): readonly string[] {
  return [
    `${count(matches, 'match', 'matches')}; p: how likely so much difference is by chance alone.`,
    ...agents.flatMap(agentLines),
  ]
}

function agentLines({ agent, p, flagged, findings }: Agent): readonly string[] {
  const [clearest] = findings
  if (clearest === undefined) return ['', `${safeLine(agent)}: nothing that can be compared.`]
  const verdict = flagged ? 'DEPENDS on whom it meets' : 'no sign of targeting'
  const told = flagged
    ? clearest.events.map(({ match, input, what }) => `    match ${match}, input ${input}: ${safeLine(what)}`)
    : []
  return [
    '',
    `${safeLine(agent)}: ${verdict}, p = ${p.toPrecision(2)}`,
    ...findings.map(
      ({ about, p: one, compared, other, mean, expected }) =>
        `  ${about}: p = ${one.toPrecision(2)} of ${compared} that can be compared; most with ${safeLine(other ?? '')}: ` +
        `${mean.toPrecision(3)} where ${expected.toPrecision(3)} was to be expected`,
    ),
    ...told,
  ]
}
