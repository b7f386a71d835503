import { entering, type AgentGroup, type GroupFiles, type Groups, type GroupVersion, type Weight } from './group.ts'

/** Empty groups that are kept: making one takes as long as a short match. */
const keptMax = 32
const pollMs = 5
const noticedWithin = 20
/** A process that a failing device holds in the kernel may not end for long; its group is left to the next sweep. */
const pollsMax = 2_000
/** The next sweep ends what is left after this many rounds. */
const roundsMax = 20

export interface GroupPool extends Groups {
  /** Kills and removes all groups, those in use too. For the end of this process: it may block for a tenth of a second. */
  close(): void
}

/** Nothing else may run at the end of a process, not even a timer. */
const sleep = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** Groups by this version. `name`: names a group by its number. */
export function createGroupPool(version: GroupVersion, name: (group: number) => string, sh: string): GroupPool {
  const kept: GroupFiles[] = []
  /** Groups that hold processes, or may do so. */
  const used = new Set<GroupFiles>()
  let made = 0

  const prepared = (limits: Parameters<Groups['take']>[0]): GroupFiles => {
    for (let files = kept.pop(); files !== undefined; files = kept.pop()) {
      try {
        files.limit(limits)
        return files
      } catch {
        // Its last processes left more in caches than it may have now.
        files.remove()
      }
    }
    const files = version.open(name(made++))
    try {
      files.limit(limits)
    } catch (error) {
      files.remove()
      throw error
    }
    return files
  }

  const rest = (files: GroupFiles, mayBeKept: boolean): void => {
    used.delete(files)
    if (mayBeKept && kept.length < keptMax) kept.push(files)
    else files.remove()
  }

  /** Until it is empty; a parent that does not notice the end of its children is not waited for that long. */
  const giveBack = (files: GroupFiles, polls = 0): void => {
    if (polls === 0 || files.pids().length > 0) files.kill()
    else if (files.tasks() === 0) return rest(files, true)
    else if (polls > noticedWithin) return rest(files, false)
    if (polls < pollsMax) setTimeout(() => giveBack(files, polls + 1), pollMs).unref()
  }

  return {
    version: version.version,
    missing: null,
    take(limits) {
      const files = prepared(limits)
      used.add(files)
      return agentGroup(files, sh, () => giveBack(files))
    },
    close() {
      for (const files of used) files.kill()
      let left = [...kept, ...used]
      for (let round = 0; round < roundsMax && left.length > 0; round++) {
        if (round > 0) sleep(pollMs)
        left = left.filter((files) => !files.remove())
      }
    },
  }
}

function agentGroup(files: GroupFiles, sh: string, ended: () => void): AgentGroup {
  const before = files.memoryEvents()
  let weight: Weight = 'usual'
  let over: { readonly cpuMs: number; readonly outOfMemory: boolean } | null = null
  const setWeight = (wanted: Weight): void => {
    if (wanted !== weight) files.setWeight(wanted)
    weight = wanted
  }
  const outOfMemory = (): boolean => {
    const { kills, limitHits } = files.memoryEvents()
    return kills > before.kills && limitHits > before.limitHits
  }
  return {
    enter: (launch) => entering(sh, files.joins, launch),
    cpuMs: () => over?.cpuMs ?? files.cpuMs(),
    setWeight(wanted) {
      if (over === null) setWeight(wanted)
    },
    ranOutOfMemory: () => over?.outOfMemory ?? outOfMemory(),
    end() {
      if (over !== null) return
      try {
        over = { cpuMs: files.cpuMs(), outOfMemory: outOfMemory() }
        setWeight('usual')
      } catch {
        // Somebody has removed the group, which was empty then.
        over = { cpuMs: 0, outOfMemory: false }
      }
      ended()
    },
  }
}
