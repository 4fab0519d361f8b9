import { existsSync, readFileSync } from 'node:fs'

interface OracleLine {
  readonly vendor: string
  /** Messages compared by endpoint and kind: `POST /v1/cards request`. */
  readonly counts: Readonly<Record<string, number>>
  readonly differences: readonly { readonly what: string; readonly reason: string }[]
}

/** Messages that stand-ins compared with the vendors' published interfaces (stand-ins/README.md), by vendor; empty if none were. */
export function formatOracleTable(file: string): string[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line): OracleLine[] => (line ? [JSON.parse(line) as OracleLine] : []))
  return [...Map.groupBy(lines, ({ vendor }) => vendor)]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([vendor, all]) => {
      const sums = new Map<string, number>()
      for (const { counts } of all) for (const [what, count] of Object.entries(counts)) sums.set(what, (sums.get(what) ?? 0) + count)
      const kinds = Map.groupBy(sums, ([what]) => kindOf(what))
      const sum = (kind: 'request' | 'reply' | 'event') => (kinds.get(kind) ?? []).reduce((total, [, count]) => total + count, 0)
      const endpoints = new Set([...sums.keys()].map((what) => what.replace(/ (request|reply|event)( \d+)?$/, '')))
      const reasons = new Set(all.flatMap(({ differences }) => differences.map(({ reason }) => reason)))
      return `${vendor.padEnd(24)}${endpoints.size} endpoints, ${sum('request')} requests, ${sum('reply')} answers, ${sum('event')} events and webhooks, ${reasons.size} known differences`
    })
}

const kindOf = (what: string): 'request' | 'reply' | 'event' => (what.endsWith(' request') ? 'request' : / reply( \d+)?$/.test(what) ? 'reply' : 'event')
