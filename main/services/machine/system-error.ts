import { machineErrorFrom } from '../../histories/machine-error.ts'

/**
 * The sentence for an error of the operating system, such as `Cannot open /x: permission is denied.`; null for other
 * errors.
 */
export function systemSentence(error: unknown): string | null {
  if (!(error instanceof Error) || !('syscall' in error) || typeof error.syscall !== 'string') return null
  const path = 'path' in error && typeof error.path === 'string' ? error.path : 'the output'
  return machineErrorFrom(error, error.syscall, path).message
}
