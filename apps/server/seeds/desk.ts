import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { aUser } from '#features/account/server/builders.ts'
import { operateCommand } from '#features/backoffice/server/index.ts'
import { aDemoOperator, anOperatorToken } from '#features/backoffice/server/builders.ts'
import { PAY_CHANNELS } from '#features/payments/contract-channels.ts'
import { aPaidRechargeOrder, anInvoiceRequest, aWithdrawal, anOpenOrder, pressCashier } from '#features/payments/server/builders.ts'
import { aConversation } from '#features/support/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { insertComplaints, selectOperatorIdByMail } from '../data.ts'

export const DEMO_OPERATORS = {
  password: 'mingxi-demo-2026',
  owner: { name: '陈屿', mail: 'chen@mingxi.example', roles: ['owner'] },
  finance: { name: '林可', mail: 'lin@mingxi.example', roles: ['finance', 'support'] },
} as const

/** Seeds two operators, so that one can approve the other's requests, and at least one item in each queue. */
export async function seedDesk(deps: Deps, demoUserId: string): Promise<void> {
  const { password, owner, finance } = DEMO_OPERATORS
  if (!(await aDemoOperator(deps, { ...owner, password }))) return
  await aDemoOperator(deps, { ...finance, password })
  await seedConversations(deps, demoUserId)
  await seedMoney(deps).catch((error: unknown) => deps.log.info({ err: error }, 'the demo has no cashier: no queue of payments'))
  await seedApproval(deps, demoUserId)
}

async function seedConversations(deps: Deps, userId: string): Promise<void> {
  await aConversation(deps, { userId, text: '充了 60 美元，账单里为什么有 3 笔？' })
  await aConversation(deps, { text: 'Do you issue invoices for companies in Hong Kong?', email: 'ada.lovelace@example.com' })
  await transact(deps.db, SYSTEM, async (tx) => {
    await insertComplaints(tx, [
      { id: 'cmp_demo1', userId, email: 'demo@mingxi.example', content: '昨晚 21:00 到 22:00 的调用断了十几次，扣的钱能退吗？', ago: '50 minutes' },
      { id: 'cmp_demo2', userId: null, email: 'wang.wu@example.com', content: '提现 3 天了还没有到账，请尽快处理。', ago: '2 days' },
    ])
    await tx.audit('demo.complaints', 'demo')
  })
}

/** Seeds withdrawals that wait for an operator, an invoice requested from the desk, and a payment whose webhook never came. */
async function seedMoney(deps: Deps): Promise<void> {
  for (const [email, amount, alipay] of [
    ['ouyang@mingxi.example', '962', 'ouyang.mo@example.com'],
    ['situ@mingxi.example', '38', 'situ@example.com'],
  ] as const) {
    const { userId } = await aUser(deps, { email, password: DEMO_OPERATORS.password })
    await aFundedUser(deps.db, { userId, purchased: parseUsd('1600') })
    await aWithdrawal(deps, { userId, amount, alipay })
  }
  const { userId } = await aUser(deps, { email: 'late@mingxi.example', password: DEMO_OPERATORS.password })
  await aPaidRechargeOrder(deps, { userId, amount: '50', channelType: PAY_CHANNELS.sandbox.id })
  await anInvoiceRequest(deps, userId, { userName: '云帆科技（深圳）2 部 A&B', note: '发票上请写公司注册号 91440300MA5F' })
  const { params } = await anOpenOrder(deps, { userId, amount: '20', channelType: PAY_CHANNELS.sandbox.id })
  await pressCashier(params, 'silent')
}

/** A request by 林可 that 陈屿 may approve. */
async function seedApproval(deps: Deps, user: string): Promise<void> {
  const id = await selectOperatorIdByMail(deps.db, DEMO_OPERATORS.finance.mail)
  if (!id) return
  const { token } = await anOperatorToken(deps, id, ['customers.grant'])
  await operateCommand(deps, {
    ...{ name: 'credit.grant', input: { user, amount: '60', purpose: 'compensation', days: 90 }, reasonCode: 'vendorFault', by: { token } },
    ...{ reason: '11 月 22 日晚上游中断 1 小时，按当晚消费补偿', goOn: () => true },
  })
}
