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
    .option('--key <key>', "the class's public key (tartaglia-ed25519:...), or a file that contains it")
    .action(async (files: readonly string[], { key }: { readonly key?: string }) => {
      const report = await targetingIn(files, key)
      if (key === undefined)
        terminal.note(
          "Each signature was checked against the key in its own file. Pass --key to check the class's key.",
        )
      terminal.result(report)
      terminal.print(...lines(report))
    })
}

type Agent = ExportsTargeting['agents'][number]

function lines({ matches, duplicates, agents }: ExportsTargeting): readonly string[] {
  const again =
    duplicates.length === 0
      ? ''
      : ` (${count(duplicates.length, 'file', 'files')} with a match of another file left out)`
  return [
    `${count(matches, 'match', 'matches')}${again}; p is the probability of so large a difference by chance alone.`,
    ...agents.flatMap(agentLines),
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
