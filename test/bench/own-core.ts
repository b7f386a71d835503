import { allowedCores, keepTo } from '../../main/services/machine/workers.ts'

/** Has this process, and all that `work` starts, keep to one core, as a worker of a contest does on every machine of several. */
export async function onOneCore<T>(work: () => Promise<T>): Promise<T> {
  const cores = allowedCores()
  const [first] = cores
  if (first === undefined) return work()
  await keepTo([first], process.pid)
  try {
    return await work()
  } finally {
    await keepTo(cores, process.pid)
  }
}
