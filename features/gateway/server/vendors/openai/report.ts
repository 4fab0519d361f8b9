import { z } from 'zod'
import { addNano } from '#platform/shared/money.ts'
import { parseReportUsd, readReportResults } from '../report-port.ts'
import type { ReportedUse, UsageReport } from '../report-port.ts'

/**
 * The organization's usage and costs: GET /v1/organization/usage/{completions,embeddings,images,...} by model, GET /v1/organization/costs by
 * line item (`gpt-6-luna, input`). An admin key (`sk-admin-`), not a project's. Input tokens include cached ones. Costs come for
 * whole UTC days and are corrected for some days. https://platform.openai.com/docs/api-reference/usage
 */
const count = z.number().int().nonnegative()
const usage = z.object({
  model: z.string(),
  num_model_requests: count,
  input_tokens: count,
  output_tokens: count.optional(),
  input_cached_tokens: count.nullish(),
})
const cost = z.object({ amount: z.object({ value: z.union([z.number(), z.string()]), currency: z.string() }), line_item: z.string().nullish() })

const tokenlessUsage = z.object({ model: z.string().nullish(), num_model_requests: count })
/** Reports without tokens: pictures, characters and seconds. Their models are listed so that none counts as missing. */
const WITHOUT_TOKENS = ['usage/images', 'usage/audio_speeches', 'usage/audio_transcriptions', 'usage/moderations']

interface Sums {
  calls: bigint
  input: bigint | undefined
  cached: bigint | undefined
  output: bigint | undefined
  cost: bigint
}

export const openaiReport: UsageReport = {
  needs: ['OPENAI_ADMIN_KEY'],
  takes: ['OPENAI_PROJECT_ID'],
  read: async ({ send, baseUrl, config, day }): Promise<ReportedUse[]> => {
    const headers = { authorization: `Bearer ${config('OPENAI_ADMIN_KEY')}` }
    const start = Date.parse(day) / 1000
    const project = config('OPENAI_PROJECT_ID')
    const when: [string, string][] = [
      ['start_time', String(start)],
      ['end_time', String(start + 86_400)],
      ['bucket_width', '1d'],
      ['limit', '31'],
      ...(project ? [['project_ids', project] as [string, string]] : []),
    ]
    const at = (path: string) => `${baseUrl}/v1/organization/${path}`
    const models = new Map<string, Sums>()
    const of = (model: string) => {
      const known = models.get(model) ?? { calls: 0n, input: undefined, cached: undefined, output: undefined, cost: 0n }
      models.set(model, known)
      return known
    }
    for (const kind of ['usage/completions', 'usage/embeddings'])
      for (const result of await readReportResults(send, at(kind), { query: [...when, ['group_by', 'model']], headers })) {
        const row = usage.parse(result)
        const sums = of(row.model)
        sums.calls += BigInt(row.num_model_requests)
        sums.input = (sums.input ?? 0n) + BigInt(row.input_tokens)
        sums.cached = (sums.cached ?? 0n) + BigInt(row.input_cached_tokens ?? 0)
        sums.output = (sums.output ?? 0n) + BigInt(row.output_tokens ?? 0)
      }
    for (const kind of WITHOUT_TOKENS)
      for (const result of await readReportResults(send, at(kind), { query: [...when, ['group_by', 'model']], headers })) {
        const row = tokenlessUsage.parse(result)
        if (row.model) of(row.model).calls += BigInt(row.num_model_requests)
      }
    for (const result of await readReportResults(send, at('costs'), { query: [...when, ['group_by', 'line_item']], headers })) {
      const row = cost.parse(result)
      if (row.amount.currency !== 'usd') throw new Error(`a cost in ${row.amount.currency}`)
      const sums = of((row.line_item ?? 'other').split(',')[0]!.trim())
      sums.cost = addNano(sums.cost, parseReportUsd(row.amount.value))
    }
    return [...models].map(([model, sums]) => ({ model, ...sums }))
  },
}
