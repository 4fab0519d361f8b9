import type { ReportedUse, UsageReport } from '../report-port.ts'

/** A call in the stand-in's book: when it began, by the clock, and what was billed for it. */
interface Entry {
  readonly model: string
  readonly dialect: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Tokens. */
  readonly billed: { readonly input: number; readonly cached: number; readonly output: number }
}

const DAY_MS = 86_400_000
const MOST = 50_000

/** Usage that the stand-in's book billed on a day. It has no prices, so no cost. Refused attempts are no calls. */
export const sandboxReport = (dialects: readonly string[]): UsageReport => ({
  needs: [],
  takes: [],
  read: async ({ send, baseUrl, key, day }): Promise<ReportedUse[]> => {
    const begin = Date.parse(day)
    const reply = await send(`${baseUrl.replace(/\/+$/, '')}/book?since=${begin}&limit=${MOST}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(30_000),
    })
    if (!reply.ok) throw new Error(`the sandbox book answered ${reply.status}`)
    const { entries } = (await reply.json()) as { entries: Entry[] }
    if (entries.length >= MOST) throw new Error('the sandbox book is longer than it can tell')
    const models = new Map<string, { calls: bigint; input: bigint; cached: bigint; output: bigint }>()
    for (const { model, dialect, startedAt, billed } of entries) {
      if (startedAt >= begin + DAY_MS || !dialects.includes(dialect) || billed.input + billed.output === 0) continue
      const sums = models.get(model) ?? { calls: 0n, input: 0n, cached: 0n, output: 0n }
      models.set(model, sums)
      sums.calls += 1n
      sums.input += BigInt(billed.input)
      sums.cached += BigInt(billed.cached)
      sums.output += BigInt(billed.output)
    }
    return [...models].map(([model, sums]) => ({ model, ...sums, cost: undefined }))
  },
})
