import { monitorEventLoopDelay } from 'node:perf_hooks'
import { counter, gauge, gauges, type Metric } from './prometheus.ts'

/** Measures this process. */
export interface ProcessWatch {
  /** The names are those of Prometheus' own client for Node. The delays are those since the last call. */
  metrics(): readonly Metric[]
  stop(): void
}

export function watchProcess(version: string): ProcessWatch {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const started = Date.now() / 1_000 - process.uptime()
  return {
    metrics() {
      const { rss, heapUsed } = process.memoryUsage()
      const { userCPUTime, systemCPUTime } = process.resourceUsage()
      // Nothing is measured yet right after the start.
      const seconds = (ns: number): number => (delay.count === 0 ? 0 : ns / 1e9)
      const delays = { p50: seconds(delay.percentile(50)), p99: seconds(delay.percentile(99)), max: seconds(delay.max) }
      delay.reset()
      return [
        gauges('tartaglia_build_info', 'The version that runs; always 1.', 'version', { [version]: 1 }),
        gauge('process_start_time_seconds', 'Start of the process since the epoch.', started),
        counter(
          'process_cpu_seconds_total',
          'Processor time of the process, without its workers.',
          (userCPUTime + systemCPUTime) / 1e6,
        ),
        gauge('process_resident_memory_bytes', 'Memory of the process, without its workers.', rss),
        gauge('nodejs_heap_size_used_bytes', 'Part of the heap that is used.', heapUsed),
        gauge('nodejs_eventloop_lag_p50_seconds', 'Median delay of the event loop since the last look.', delays.p50),
        gauge('nodejs_eventloop_lag_p99_seconds', '99th percentile of the same.', delays.p99),
        gauge('nodejs_eventloop_lag_max_seconds', 'Longest delay of the same.', delays.max),
      ]
    },
    stop: () => delay.disable(),
  }
}
