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
import { CARDS_EMAIL, seedCards } from './cards.ts'
import { DEMO_OPERATORS, seedDesk } from './desk.ts'
import { seedGateway } from './gateway.ts'

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
