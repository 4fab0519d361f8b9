import { beforeAll, expect, test } from 'vitest'
import type { Db } from '#platform/server/database/db.ts'
import { createLog } from '#platform/server/log.ts'
import { createSettings } from '#platform/server/settings.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { aKey, aReservedCall, aSettledCall, isLease } from '../builders.ts'
import { correctCalls } from '../journal/corrections/data-corrections.ts'
import { createJournal } from '../journal/journal.ts'
import { seedPrices } from '../catalogue/seed.ts'
import { compareVendorBooks } from './compare-books.ts'
import { formatBookComparison } from './book-text.ts'
import { judgeBookRow, resolveOwnModelId, matchVendorBook } from './match.ts'

const log = createLog('silent')
const DAY = new Date().toISOString().slice(0, 10)
let db: Db & { url: string; owner: Db }

/** Three calls of one model at a vendor, one of them estimated, and one in the sandbox: 100 tokens in and 10 out each. */
beforeAll(async () => {
  db = await useTestDb()
  await seedPrices({ db })
  const { key } = await aKey(db, await aFundedUser(db, { purchased: parseUsd('10') }))
  const journal = await createJournal(db, log, { deadMs: 60_000 })
  for (const upstream of ['openai', 'openai', 'openai', 'sandbox-openai']) {
    const lease = await journal.admit(key, parseUsd('0.01'))
    if (!isLease(lease)) throw new Error('refused')
    const call = aReservedCall(key, lease, { held: parseUsd('0.01'), more: { upstream, model: 'gpt-6-luna' } })
    await journal.reserve(call, true)
    await journal.settle(aSettledCall(call, parseUsd('0.004'), { inputTokens: 100, cachedTokens: 20, outputTokens: 10 }))
  }
  await journal.stop()
})

interface World {
  /** Tokens in OpenAI's own report, and its cost. */
  input: number
  cost: number
  status?: number
}
function deps(world: World) {
  const page = (results: object[]) => Response.json({ data: [{ results }], has_more: false, next_page: null })
  const send = (async (address: string) => {
    const url = new URL(address)
    if (url.pathname.endsWith('/book')) {
      const entry = { model: 'gpt-6-luna', dialect: 'openai-chat', startedAt: Date.parse(DAY) + 5, billed: { input: 100, cached: 20, output: 10 } }
      return Response.json({
        entries: [entry, { ...entry, billed: { input: 0, cached: 0, output: 0 } }, { ...entry, startedAt: Date.parse(DAY) + 86_400_000 }],
      })
    }
    if (world.status) return new Response('', { status: world.status })
    if (url.pathname.endsWith('/completions'))
      return page([{ model: 'gpt-6-luna-2026-08-07', input_tokens: world.input, input_cached_tokens: 60, output_tokens: 30, num_model_requests: 3 }])
    return page(url.pathname.endsWith('/costs') ? [{ amount: { value: world.cost, currency: 'usd' }, line_item: 'gpt-6-luna-2026-08-07, input' }] : [])
  }) as unknown as typeof fetch
  const given = {
    db,
    log,
    settings: createSettings(db, 0),
    clock: { now: () => new Date() },
    publicUrl: () => 'http://127.0.0.1:1',
    config: { STAGE: 'development', ALLOW_SANDBOX: [], OPENAI_ADMIN_KEY: 'x' },
  }
  return [given as unknown as Parameters<typeof compareVendorBooks>[0], DAY, { send }] as const
}

test('books that agree have no drift and a correct margin, to the nano-dollar; the sandbox reports like a vendor', async () => {
  const { total, rows } = await compareVendorBooks(...deps({ input: 300, cost: 0.009 }))
  expect(rows).toMatchObject([
    {
      vendor: 'openai',
      model: 'gpt-6-luna',
      ourCalls: 3n,
      ourInput: 300n,
      ourCached: 60n,
      theirCalls: 3n,
      theirInput: 300n,
      theirCached: 60n,
      revision: 1,
    },
    { vendor: 'sandbox-openai', ourCalls: 1n, theirCalls: 1n, theirInput: 100n, theirOutput: 10n, theirCost: null },
  ])
  expect(judgeBookRow(rows[0]!)).toEqual({ tokenDrift: 0n, driftShare: 0, margin: parseUsd('0.003') })
  expect(total).toMatchObject({ charged: parseUsd('0.016'), posted: parseUsd('0.016'), received: parseUsd('10'), paidBack: 0n, alarms: [], unread: [] })
  expect(total.sums).toBe(total.captured)
  const again = await compareVendorBooks(...deps({ input: 300, cost: 0.009 }))
  expect(again.rows.map((row) => row.revision)).toEqual([1, 1])
})

test('a vendor’s late correction is a new revision; drift and a loss raise alarms beyond the settings', async () => {
  const small = await compareVendorBooks(...deps({ input: 5300, cost: 0.009 }))
  expect(small.rows[0]).toMatchObject({ theirInput: 5300n, revision: 2 })
  expect(small.total.alarms).toEqual([])
  const large = await compareVendorBooks(...deps({ input: 20_300, cost: 0.02 }))
  expect(large.total.alarms).toEqual(['gateway.book_drift openai gpt-6-luna', 'gateway.margin_negative openai gpt-6-luna'])
  expect(judgeBookRow(large.rows[0]!)).toMatchObject({ tokenDrift: 20_000n, driftShare: 983_767, margin: -parseUsd('0.008') })
  const text = formatBookComparison(large, false)
  expect(text).toContain('ALARM gateway.margin_negative openai gpt-6-luna')
  expect(text).toMatch(/openai +gpt-6-luna +3 +3 +300 +20300 +30 +30 +20000 +98\.3767 +0 +0\.012 +0\.02 +-0\.008 +3/)
  expect(formatBookComparison(large, true).split('\r\n')).toHaveLength(3)
})

test('a vendor that does not answer leaves its earlier figures in place', async () => {
  const { total, rows } = await compareVendorBooks(...deps({ input: 0, cost: 0, status: 500 }))
  expect(total).toMatchObject({ unread: ['openai'] })
  expect(total.alarms[0]).toBe('gateway.report_unread openai')
  expect(rows[0]).toMatchObject({ theirInput: 20_300n, theirCost: parseUsd('0.02'), revision: 3 })
})

test('a nano-dollar that the sums have and the ledger lacks raises an alarm', async () => {
  await db.query('update gateway_usage_days set amount = amount + 1 where calls > 0')
  const { total } = await compareVendorBooks(...deps({ input: 300, cost: 0.009 }))
  expect(total.alarms).toEqual(['gateway.ledger_drift'])
  expect(formatBookComparison({ total, rows: [] }, false)).toContain('DIFFERS')
  const audits = await db.owner.query(`select count(*)::int as n from audit_rows where action = 'books.compared'`)
  expect(audits).toEqual([{ n: 6 }])
})

test('dated model names map to ours, unknown ones are kept; a model in one book only has its own row', () => {
  const ours = new Set(['gpt-6-luna', 'claude-haiku-5-5', 'gemini-3.8-flash'])
  expect(['gpt-6-luna-2026-08-07', 'claude-haiku-5-5-20261001', 'models/gemini-3.8-flash', 'gpt-6-sol'].map((name) => resolveOwnModelId(name, ours))).toEqual([
    'gpt-6-luna',
    'claude-haiku-5-5',
    'gemini-3.8-flash',
    'gpt-6-sol',
  ])
  const ourUse = { upstream: 'openai', model: 'gpt-6-luna', calls: 1n, input: 9n, cached: 0n, output: 1n, charge: 5n, estimated: 1n }
  const rows = matchVendorBook('openai', [ourUse], {
    reported: [{ model: 'gpt-6-sol', calls: 2n, input: 7n, cached: 0n, output: 0n, cost: 1n }],
    catalogue: ours,
  })
  expect(rows.map((row) => [row.model, judgeBookRow(row)])).toEqual([
    ['gpt-6-luna', { tokenDrift: -10n, driftShare: 1_000_000, margin: 5n }],
    ['gpt-6-sol', { tokenDrift: 7n, driftShare: 1_000_000, margin: -1n }],
  ])
  const spoken = { model: 'gpt-6-luna', calls: 1n, input: undefined, cached: undefined, output: undefined, cost: 2n }
  expect(judgeBookRow(matchVendorBook('openai', [ourUse], { reported: [spoken], catalogue: ours })[0]!)).toEqual({
    tokenDrift: undefined,
    driftShare: undefined,
    margin: 3n,
  })
  expect(judgeBookRow(matchVendorBook('x', [ourUse], { reported: undefined, catalogue: ours })[0]!)).toEqual({
    tokenDrift: undefined,
    driftShare: undefined,
    margin: undefined,
  })
})

test('money given back by a later figure is no drift between sums and ledger', async () => {
  const drift = async () => {
    const { total } = await compareVendorBooks(...deps({ input: 300, cost: 0.000_1 }))
    return total.sums - total.captured
  }
  const before = await drift()
  const [row] = await db.query<{ accountId: bigint; callId: string; startedAt: Date; leaseId: bigint }>(
    'select account_id, call_id, started_at, lease_id from gateway_usage limit 1',
  )
  const { accountId, callId, startedAt } = row!
  await db.query(
    `insert into gateway_swept (account_id, call_id, started_at, lease_id, node, basis, amount) select account_id, call_id, started_at, lease_id, 'gone', 'hold', amount from gateway_usage
     where account_id = $1 and call_id = $2`,
    [accountId, callId],
  )
  const amount = parseUsd('0.001')
  const lines = [{ kind: 'output' as const, tokens: 1, unitPrice: 1n, amount }]
  const done = await correctCalls(db, 'vendor', { by: 'test', corrections: [{ accountId, callId, startedAt, figures: { amount, lines } }] })
  expect(done).toEqual([{ callId, outcome: 'corrected', difference: -parseUsd('0.003') }])
  expect(await drift()).toBe(before)
})
