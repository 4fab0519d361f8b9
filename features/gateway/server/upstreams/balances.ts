import { z } from 'zod'
import { sendOutgoingRequest } from '#platform/server/http/http-client.ts'
import type { BalanceSource, Deps } from '#platform/server/feature.ts'
import { subtractNano, parseUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { selectUpstreams } from './data.ts'
import { readEnvironment } from './environment.ts'
import { resolveCredential } from './keys/upstream-key.ts'

interface BalanceApi {
  readonly path: string
  readonly read: (answer: unknown) => readonly { readonly currency: string; readonly amount: Nano }[]
}
const decimal = z.union([z.string(), z.number()]).transform((value) => parseUsd(typeof value === 'number' ? value.toFixed(9) : value))
const deepseek = z.object({ balance_infos: z.array(z.object({ currency: z.string(), total_balance: decimal })) })
const openrouter = z.object({ data: z.object({ total_credits: decimal, total_usage: decimal }) })
const moonshot = z.object({ data: z.object({ available_balance: decimal }) })
const siliconflow = z.object({ data: z.object({ totalBalance: decimal }) })

/**
 * Model servers that document an endpoint for a key's balance, by host; the first vendors (OpenAI, Anthropic, Google) document none.
 * https://api-docs.deepseek.com/api/get-user-balance, https://openrouter.ai/docs/api-reference/credits/get-credits,
 * https://platform.moonshot.cn/docs/api/balance, https://docs.siliconflow.cn/en/api-reference/userinfo/get-user-info
 */
const BALANCE_APIS: Readonly<Record<string, BalanceApi>> = {
  'api.deepseek.com': {
    path: '/user/balance',
    read: (answer) => deepseek.parse(answer).balance_infos.map(({ currency, total_balance: totalBalance }) => ({ currency, amount: totalBalance })),
  },
  'openrouter.ai': {
    path: '/api/v1/credits',
    read: (answer) => {
      const { total_credits: totalCredits, total_usage: totalUsage } = openrouter.parse(answer).data
      return [{ currency: 'USD', amount: subtractNano(totalCredits, totalUsage) }]
    },
  },
  'api.moonshot.cn': { path: '/v1/users/me/balance', read: (answer) => [{ currency: 'CNY', amount: moonshot.parse(answer).data.available_balance }] },
  'api.moonshot.ai': { path: '/v1/users/me/balance', read: (answer) => [{ currency: 'USD', amount: moonshot.parse(answer).data.available_balance }] },
  'api.siliconflow.cn': { path: '/v1/user/info', read: (answer) => [{ currency: 'CNY', amount: siliconflow.parse(answer).data.totalBalance }] },
}
const DEADLINE_MS = 10_000

/** Reads one balance per key: two rows with the same credential share it. */
export async function readUpstreamBalances(
  deps: Pick<Deps, 'db' | 'config' | 'publicUrl' | 'secretKeys'>,
  send: typeof fetch = fetch,
): Promise<readonly BalanceSource[]> {
  const env = readEnvironment(deps)
  const seen = new Set<string>()
  const sources: BalanceSource[] = []
  for (const row of await selectUpstreams(deps.db)) {
    const url = new URL(row.baseUrl)
    const known = BALANCE_APIS[url.host]
    const key = known && row.state !== 'off' ? resolveCredential(env, deps.secretKeys, row) : undefined
    if (!known || !key || seen.has(`${url.host} ${key}`)) continue
    seen.add(`${url.host} ${key}`)
    sources.push({
      id: `gateway:${row.upstreamId}`,
      read: async () => {
        const headers = { authorization: `Bearer ${key}`, accept: 'application/json' }
        const reply = await sendOutgoingRequest(send, { method: 'GET', url: url.origin + known.path, headers, deadlineMs: DEADLINE_MS })
        if (reply.status !== 200) throw new Error(`${url.host} answered ${reply.status}`)
        return known.read(JSON.parse(reply.body.toString('utf8')))
      },
    })
  }
  return sources
}
