import { machineErrorOf, type MachineError } from '../../histories/machine-error.ts'

/**
 * The error of this machine behind whatever was thrown by a command, with a sentence such as `Cannot open /x: permission is denied.`;
 * null for other errors. A path that the system does not name is that of the output.
 */
export function machineProblem(error: unknown): MachineError | null {
  return machineErrorOf(error, 'a file or the output')
}
