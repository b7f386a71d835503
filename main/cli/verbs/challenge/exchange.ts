import type { Command } from 'commander'
import { exportMaterial, importMaterial } from '../../../services/challenges/exchange.ts'
import { addVerb, challengeDataOption, type Context } from '../../context.ts'
import { safe } from '../../text.ts'

const whose = 'max-sat or max-csp, or a .challenge file with one of these names'

/** `tartaglia challenge import FILE --challenge max-sat` */
export function addImport(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'import',
    "Convert DIMACS CNF or WCNF (max-sat) or the course's text (max-csp) to raw material",
    'tartaglia challenge import uf20-01.cnf --challenge max-sat',
  )
    .argument('<file>', 'a file in one of these formats')
    .requiredOption('--challenge <name>', whose)
    .addOption(challengeDataOption())
    .action(async (file: string, options: { challenge: string; data: string }) => {
      const material = await importMaterial(options.challenge, options.data, file)
      for (const note of material.notes) terminal.note(note)
      terminal.print(safe(material.texts.instance).trim())
      terminal.result(material)
    })
}

/** `tartaglia challenge export INSTANCE --challenge max-sat --format wcnf` */
export function addExport(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'export',
    "Convert raw material to DIMACS CNF or WCNF (max-sat) or to the course's text (max-csp)",
    'tartaglia challenge export instance.txt --challenge max-sat --format wcnf',
  )
    .argument('<instance>', "a file with the raw material, in the challenge's text form or as JSON")
    .requiredOption('--challenge <name>', whose)
    .option('--format <name>', 'cnf, wcnf, wcnf-2022 or csp (default: the simplest that can express it)')
    .addOption(challengeDataOption())
    .action(async (file: string, options: { challenge: string; data: string; format?: string }) => {
      const written = await exportMaterial(options.challenge, options.data, file, options.format)
      terminal.print(safe(written.text).trimEnd())
      terminal.result(written)
    })
}
