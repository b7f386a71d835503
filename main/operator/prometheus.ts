// The text form of metrics that Prometheus reads: https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4.

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

export interface Metric {
  /** With its unit, and `_total` for a counter: `[a-z_]+`. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge'
  readonly samples: readonly Sample[]
}

/** The content type of `metricsText`. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** The metrics as lines, in their order. */
export function metricsText(metrics: readonly Metric[]): string {
  return metrics.map(linesOf).join('')
}

function linesOf({ name, help, type, samples }: Metric): string {
  const head = `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`
  return head + samples.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${numberText(value)}\n`).join('')
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

function numberText(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value)
  return value > 0 ? '+Inf' : '-Inf'
}

export function gauge(name: string, help: string, value: number): Metric {
  return { name, help, type: 'gauge', samples: [{ value }] }
}

export function counter(name: string, help: string, value: number): Metric {
  return { name, help, type: 'counter', samples: [{ value }] }
}

/** A gauge with a sample for each value of one label. */
export function gauges(name: string, help: string, label: string, values: Readonly<Record<string, number>>): Metric {
  const samples = Object.entries(values).map(([key, value]) => ({ labels: { [label]: key }, value }))
  return { name, help, type: 'gauge', samples }
}
