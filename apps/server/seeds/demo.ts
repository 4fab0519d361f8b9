import type { Deps } from '#platform/server/feature.ts'
import { transact, SYSTEM } from '#platform/server/database/transact.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { aUser } from '#features/account/server/builders.ts'
import { PAY_CHANNELS } from '#features/payments/contract-channels.ts'
import { aPaidRechargeOrder } from '#features/payments/server/builders.ts'
import { addSampleContent } from '#features/site/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { insertDemoKey, readDemoKey } from '../data.ts'
import type { DemoAccount } from '../banner.ts'
import { DEMO_OPERATORS, seedDesk } from './desk.ts'
import { anArrivedRecharge, anOpenedCard, freezeCard, startSandboxMerchants } from '#features/cards/server/builders.ts'
import { aReadyHolder } from '#features/identity/server/builders.ts'
import { aKey, aRefusedCall, recordRefusedCalls, generateUse, markKeyUsed } from '#features/gateway/server/builders.ts'

const MINUTE_MS = 60_000

/** Seeds the demo's keys in various states, a month of use of them, and refused calls; returns the secret of the first. */
async function seedGateway({ db, log }: Deps, userId: string): Promise<string> {
  const { secret, key } = await aKey(db, userId, { name: '演示密钥 Demo' })
  const { key: claude } = await aKey(db, userId, { name: 'claude code 本机', limits: { monthBudget: parseUsd('8') } })
  const limits = { models: ['google/*'], requestsMinute: 20, expiresAt: new Date(Date.now() + 9 * 86_400_000) }
  const { key: intern } = await aKey(db, userId, { name: '给实习生的测试密钥，只能用便宜模型，请记得删除', limits })
  await generateUse(db, log, { key, days: 30 })
  await generateUse(db, log, { key: claude, days: 12, mostCalls: 3 })
  await markKeyUsed(db, key, { ago: 4 * MINUTE_MS, model: 'gpt-6.2-sol' })
  await markKeyUsed(db, claude, { ago: 31 * MINUTE_MS, model: 'claude-sonnet-5-5', from: '113.87.1.2' })
  await markKeyUsed(db, intern, { ago: 26 * 60 * MINUTE_MS, model: 'gemini-3.8-flash', from: '203.0.113.7' })
  const tooMany = { cause: 'too_many_requests', status: 429, model: 'gemini-3.8-flash', asked: 'gemini-3.8-flash', field: undefined }
  await recordRefusedCalls(db, log, [
    aRefusedCall(intern, 5 * MINUTE_MS),
    aRefusedCall(intern, 6 * MINUTE_MS),
    aRefusedCall(intern, 95 * MINUTE_MS, {
      ...tooMany,
      message: 'Rate limit reached for this API key on requests per minute: limit 20, used 20. Please try again in 12s.',
    }),
    aRefusedCall(key, 50 * 60 * MINUTE_MS, {
      cause: 'no_model',
      status: 404,
      model: '',
      asked: 'gpt-9-preview',
      message: 'The model `gpt-9-preview` does not exist or you do not have access to it.',
    }),
  ])
  return secret
}

const CARDS_EMAIL = 'cards@mingxi.example'

/**
 * A second demo user, with a standard card that has a balance and bills, and a frozen Pro card. More can be bought in the issuer's shop.
 */
async function seedCards(deps: Deps, password: string): Promise<void> {
  try {
    const { userId } = await aUser(deps, { email: CARDS_EMAIL, password })
    await aReadyHolder(deps, userId)
    await aFundedUser(deps.db, { userId, purchased: parseUsd('112.40') })
    const card = await anOpenedCard(deps, userId)
    await anArrivedRecharge(deps, card, parseUsd('60'))
    await anArrivedRecharge(deps, card, parseUsd('12.34'))
    await startSandboxMerchants(deps, card)
    await freezeCard(deps, await anOpenedCard(deps, userId, 'pro'))
  } catch (error) {
    deps.log.info({ err: error }, 'the demo has no cards: this process has no issuer')
  }
}

const DEMO = {
  email: 'demo@mingxi.example',
  password: 'mingxi-demo-2026',
  cardsEmail: CARDS_EMAIL,
  operators: [DEMO_OPERATORS.owner.mail, DEMO_OPERATORS.finance.mail] as const,
  model: 'gpt-6.1-sol',
}

/** Alipay, then WeChat Pay, in the sandbox. */
const TOP_UPS = [
  { amount: '40', transactionType: 1 },
  { amount: '20', transactionType: 2 },
] as const

/**
 * Seeds the demo of a development start: one user with 60 dollars topped up by two orders, a key, and a month of use. Created once; the
 * key's secret is kept in the demo's settings only, so that a later start can print it again. Never runs in qa or production.
 */
export async function seedDemo(deps: Deps): Promise<DemoAccount> {
  const kept = await readDemoKey(deps.db)
  if (kept) return { ...DEMO, apiKey: kept }
  const user = await aUser(deps, DEMO).catch(() => undefined) // An earlier start was killed after this step.
  if (!user) return { ...DEMO, apiKey: undefined }
  await topUp(deps, user.userId)
  const secret = await seedGateway(deps, user.userId)
  await addSampleContent(deps)
  await seedCards(deps, DEMO.password)
  await seedDesk(deps, user.userId)
  await transact(deps.db, SYSTEM, async (tx) => {
    await insertDemoKey(tx, secret)
    await tx.audit('demo.seeded', `user:${user.userId}`)
  })
  return { ...DEMO, apiKey: secret }
}

/** Paid in the sandbox as a user would, so that the balance has its orders; granted if this process has no cashier. */
async function topUp(deps: Deps, userId: string): Promise<void> {
  for (const { amount, transactionType } of TOP_UPS)
    await aPaidRechargeOrder(deps, { userId, amount, transactionType, channelType: PAY_CHANNELS.sandbox.id }).catch(async (error: unknown) => {
      deps.log.info({ err: error }, 'the demo has no cashier: its credit is made without an order')
      await aFundedUser(deps.db, { userId, purchased: parseUsd(amount) })
    })
}
