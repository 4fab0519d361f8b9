import { z } from 'zod'
import { addNano } from '#platform/shared/money.ts'
import { parseReportCents, readReportResults } from '../report-port.ts'
import type { ReportedUse, UsageReport } from '../report-port.ts'

/**
 * The Usage and Cost Admin API: GET /v1/organizations/usage_report/messages by model, GET /v1/organizations/cost_report by
 * description. An admin key (`sk-ant-admin`). Input comes apart from cache reads and writes; amounts are decimal text in cents.
 * Priority Tier is in the usage and not in the costs. https://platform.claude.com/docs/en/manage-claude/usage-cost-api
 */
const count = z.number().int().nonnegative()
const usage = z.object({
  model: z.string().nullable(),
  uncached_input_tokens: count,
  cache_read_input_tokens: count,
  cache_creation: z.object({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count }),
  output_tokens: count,
})
const cost = z.object({ amount: z.string(), currency: z.string(), model: z.string().nullish(), description: z.string().nullish() })

interface Sums {
  input: bigint
  cached: bigint
  output: bigint
  cost: bigint
}

export const anthropicReport: UsageReport = {
  needs: ['ANTHROPIC_ADMIN_KEY'],
  takes: ['ANTHROPIC_WORKSPACE_ID'],
  read: async ({ send, baseUrl, config, day }): Promise<ReportedUse[]> => {
    const headers = { 'x-api-key': config('ANTHROPIC_ADMIN_KEY')!, 'anthropic-version': '2023-06-01' }
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
    const workspace = config('ANTHROPIC_WORKSPACE_ID')
    const when: [string, string][] = [
      ['starting_at', `${day}T00:00:00Z`],
      ['ending_at', `${next}T00:00:00Z`],
      ['bucket_width', '1d'],
      ['limit', '31'],
    ]
    const at = (path: string) => `${baseUrl}/v1/organizations/${path}`
    const models = new Map<string, Sums>()
    const of = (model: string) => {
      const known = models.get(model) ?? { input: 0n, cached: 0n, output: 0n, cost: 0n }
      models.set(model, known)
      return known
    }
    const only: [string, string][] = workspace ? [['workspace_ids[]', workspace]] : []
    for (const result of await readReportResults(send, at('usage_report/messages'), { query: [...when, ...only, ['group_by[]', 'model']], headers })) {
      const row = usage.parse(result)
      const sums = of(row.model ?? 'other')
      const { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long } = row.cache_creation
      sums.input += BigInt(row.uncached_input_tokens + row.cache_read_input_tokens + short + long)
      sums.cached += BigInt(row.cache_read_input_tokens)
      sums.output += BigInt(row.output_tokens)
    }
    // Costs cannot be grouped by workspace alone: the request groups by both, and other workspaces are dropped here.
    const groups: [string, string][] = [['group_by[]', 'description'], ...(workspace ? [['group_by[]', 'workspace_id'] as [string, string]] : [])]
    for (const result of await readReportResults(send, at('cost_report'), { query: [...when, ...groups], headers })) {
      const row = cost.extend({ workspace_id: z.string().nullish() }).parse(result)
      if (workspace && row.workspace_id !== workspace) continue
      if (row.currency !== 'USD') throw new Error(`a cost in ${row.currency}`)
      const sums = of(row.model ?? 'other')
      sums.cost = addNano(sums.cost, parseReportCents(row.amount))
    }
    return [...models].map(([model, sums]) => ({ model, calls: undefined, ...sums }))
  },
}
