import { expect, test } from 'vitest'
import type { Db } from '#platform/server/database/db.ts'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import type { Deps } from '#platform/server/feature.ts'
import { gatewayConfig } from '../config.ts'
import { readUpstreamBalances } from './balances.ts'

// Sample responses from each vendor's documentation.
const ANSWERS: Readonly<Record<string, unknown>> = {
  'https://api.deepseek.com/user/balance': {
    is_available: true,
    balance_infos: [{ currency: 'CNY', total_balance: '110.00', granted_balance: '10.00', topped_up_balance: '100.00' }],
  },
  'https://openrouter.ai/api/v1/credits': { data: { total_credits: 100.5, total_usage: 25.75 } },
  'https://api.moonshot.cn/v1/users/me/balance': {
    code: 0,
    data: { available_balance: 49.58894, voucher_balance: 46.58893, cash_balance: 3.00001 },
    scode: '0x0',
    status: true,
  },
  'https://api.siliconflow.cn/v1/user/info': { code: 20000, data: { balance: '0.88', chargeBalance: '88.00', totalBalance: '88.88' } },
}
const row = (
  upstreamId: string,
  baseUrl: string,
  { credentialEnv = 'UPSTREAM_TEST_BALANCE', state = 'active' }: { readonly credentialEnv?: string; readonly state?: string } = {},
) => ({
  upstreamId,
  baseUrl,
  credentialEnv,
  state,
  ...{ keyId: null, keySealed: null },
})
const rows = [
  row('deepseek', 'https://api.deepseek.com/v1'),
  row('deepseek-again', 'https://api.deepseek.com'),
  row('router', 'https://openrouter.ai/api/v1'),
  row('moon', 'https://api.moonshot.cn/v1'),
  row('flow', 'https://api.siliconflow.cn/v1'),
  row('off', 'https://api.moonshot.ai/v1', { credentialEnv: 'UPSTREAM_TEST_BALANCE', state: 'off' }),
  row('none', 'https://api.openai.com/v1'),
]
const deps = {
  db: { query: async () => rows } as unknown as Db,
  config: readConfig({ ...platformConfig, ...gatewayConfig }, { LOG_LEVEL: 'silent' }),
  publicUrl: () => 'http://localhost:3000',
} as unknown as Deps
process.env['UPSTREAM_TEST_BALANCE'] = 'sk-the-key'

test('each key whose vendor reports a balance is asked once, in the currency it is billed in', async () => {
  const seen: string[] = []
  const send = (async (url: string, { headers }: { headers: Record<string, string> }) => {
    seen.push(`${url} ${headers['authorization']}`)
    return new Response(JSON.stringify(ANSWERS[url]))
  }) as unknown as typeof fetch
  const sources = await readUpstreamBalances(deps, send)
  const read = await Promise.all(sources.map(async ({ id, read: ask }) => [id, await ask()]))
  expect(read).toEqual([
    ['gateway:deepseek', [{ currency: 'CNY', amount: 110_000_000_000n }]],
    ['gateway:router', [{ currency: 'USD', amount: 74_750_000_000n }]],
    ['gateway:moon', [{ currency: 'CNY', amount: 49_588_940_000n }]],
    ['gateway:flow', [{ currency: 'CNY', amount: 88_880_000_000n }]],
  ])
  expect(seen.every((line) => line.endsWith('Bearer sk-the-key'))).toBe(true)
})

test('a failed answer names its host, and nothing of the key', async () => {
  const [source] = await readUpstreamBalances(deps, (async () => new Response('sk-the-key is wrong', { status: 401 })) as unknown as typeof fetch)
  await expect(source!.read()).rejects.toThrow(/^api\.deepseek\.com answered 401$/)
})
