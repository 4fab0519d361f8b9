/** `pass`, `fail`, or the reason why it does not apply. */
export type Cell = string

export interface TestedClient {
  readonly id: string
  readonly label: string
  readonly kind: 'sdk' | 'cli'
  readonly package: string
  readonly version: string
  readonly vendor: string
  /** By vendor of the model, then by feature. */
  readonly cells: Readonly<Record<string, Readonly<Record<string, Cell>>>>
}

/** Results of `npm run conformance` with their date. */
export interface ConformanceResults {
  /** YYYY-MM-DD */
  readonly on: string
  readonly models: Readonly<Record<string, string>>
  readonly clients: readonly TestedClient[]
}

export const TESTED_FEATURES = [
  ...(['text', 'stream', 'system', 'image', 'pdf', 'tools', 'parallel', 'arguments', 'forced', 'none', 'structured', 'thinking', 'cache'] as const),
  ...(['length', 'usage', 'error', 'broken', 'abort'] as const),
]
export const TESTED_JOBS = ['job', 'parallel', 'goes-on', 'error'] as const
export const INAPPLICABLE_REASONS = ['whole-calls', 'client-names', 'client-auto', 'client-silent'] as const
