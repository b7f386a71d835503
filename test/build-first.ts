import { execFileSync } from 'node:child_process'

/** Workers, the agent host and the shipped agents run from dist/; a test never meets a stale one. */
export default function buildFirst(): void {
  execFileSync(process.execPath, ['scripts/build.mjs', '--quiet'], { stdio: 'inherit' })
}
