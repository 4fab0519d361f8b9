import { parseUsd } from '#platform/shared/money.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { anEarnedReward } from '#features/invitations/server/builders.ts'
import { ensureBalance, payForPurchase } from '../../../robots/acts/paying.ts'
import type { PaidPurchase } from '../../../robots/acts/paying.ts'
import { waitPatiently, isRefusedReply } from '../intruder.ts'
import type { Intruder } from '../intruder.ts'
import type { PlatformStrategy, StrategyTools } from '../strategy.ts'
import { anAttackCardHolder, buyWithCard, ATTACK_PAYEE } from './debts.ts'
import type { AttackCardHolder } from './debts.ts'

const BALANCE = 5
/** Minimum first recharge of a card in dollars. */
const FIRST_LOAD = 26

/** Opens and loads another card of the account. The opening is paid at a channel, to which a refund of our income would go. */
async function anotherCard({ needs }: StrategyTools, one: Intruder, first: string): Promise<{ id: string; orderNo: string }> {
  const { data: offer } = await one.client.post('/card/create', { type: 'standard' })
  const { orderType, amount, service } = offer
  const paid = await payForPurchase(one.robot, one.random, { wanted: { orderType, amount, service }, wish: { from: 'channel', surely: true } })
  needs('a card paid at a channel', typeof paid !== 'string', paid)
  const { id } = await waitForValue(async () => {
    const { data } = await one.client.get('/card/list')
    return (data.rowList as { id: string; state: string }[]).find((row) => row.state === 'active' && row.id !== first)
  }, 'a second card')
  await ensureBalance(one.robot, one.random, FIRST_LOAD + 5)
  await one.client.post('/v1/virtualCard/cardRecharge', { cardId: id, amount: String(FIRST_LOAD), channelType: BALANCE, payPassword: await one.pin() })
  await waitForValue(async () => Number((await one.client.post('/card/info', { id })).data.available) > 0 || undefined, 'a loaded second card')
  return { id, orderNo: (paid as PaidPurchase).orderNo }
}

const fetchDebt = async ({ client }: Intruder): Promise<number> => Number((await client.get('/v1/userWrapperApi/withdrawQuote')).data.owed)

/** Force-captures at a shop until the account is in debt. */
async function fallIntoDebt({ needs }: StrategyTools, holder: AttackCardHolder): Promise<void> {
  for (let n = 0; n < 6 && (await fetchDebt(holder.one)) === 0; n++) {
    await buyWithCard(holder, 'force', '55.00')
    await waitPatiently(2_500)
  }
  needs('an account that owes', (await fetchDebt(holder.one)) > 0)
}

/** Counts an account's payments that the channel has returned or was asked to return, by the channel's own book. */
async function countReturnedPayments({ platform: { product } }: StrategyTools, userId: string): Promise<number> {
  const [row] = await product.db.query<{ n: number }>(
    `select count(*)::int as n from payments_sandbox_refunds r join payments_sandbox_trades t on t.token = r.token
      join payments_attempts a on a.trade_no = t.trade_no join payments_orders o on o.id = a.order_id where o.user_id = $1`,
    [userId],
  )
  return row!.n
}

async function run(tools: StrategyTools): Promise<void> {
  const { must, needs, platform } = tools
  const holder = await anAttackCardHolder(tools, 90)
  const { one, cardId } = holder
  const second = await anotherCard(tools, one, cardId)
  await anEarnedReward(platform.product.db, one.userId, parseUsd('150'))
  const top = await one.topUp('20')
  const waiting = await one.client.post('/pay/refund', { orderNo: top.orderNo, amount: '10', reason: 'attack' })
  needs('a refund that waits for an operator', !isRefusedReply(waiting), waiting.msg)
  const payPassword = await one.pin()
  await fallIntoDebt(tools, holder)

  const { client } = one
  must('a debtor withdraws the balance', isRefusedReply(await client.post('/v1/userWrapperApi/balanceRefund', { ...ATTACK_PAYEE, amount: '5', payPassword })))
  must('a debtor withdraws rewards', isRefusedReply(await client.post('/invitation/withdrawal', { ...ATTACK_PAYEE, payPassword })))
  must('rewards of a debtor become balance', isRefusedReply(await client.post('/v1/fission/invitationRewardWithdraw')))
  must(
    'a debtor takes money off another card',
    isRefusedReply(await client.post('/v1/virtualCard/cardWithdrawal', { cardId: second.id, amount: '5', payPassword })),
  )
  const finance = await platform.insider('finance')
  const given = await finance.command('credit.grant', { user: one.userId, amount: '20', purpose: 'goodwill', days: 30 })
  needs('a gift', given.state === 'done', given)
  await waitForValue(async () => Number((await one.balance()).available) >= 20 || undefined, 'the gift')
  const load = { cardId: second.id, amount: '10', channelType: BALANCE, payPassword }
  must('a gift to a debtor is loaded on a card', isRefusedReply(await client.post('/v1/virtualCard/cardRecharge', load)))
  must('a gift to a debtor is withdrawn', isRefusedReply(await client.post('/v1/userWrapperApi/balanceRefund', { ...ATTACK_PAYEE, amount: '5', payPassword })))

  const before = await fetchDebt(one)
  const back = await finance.command('order.refund', { orderNo: second.orderNo })
  needs('a refund of our income', back.state === 'done', back)
  await waitPatiently(2_000)
  must('income goes back to the channel of a debtor', (await countReturnedPayments(tools, one.userId)) === 0)
  const left = await fetchDebt(one)
  must('income that goes back pays no debt', left < before, { before, left })
  if (left === 0) await fallIntoDebt(tools, holder)
  await platform.workThrough()
  await waitPatiently(4_000)
  must('a refund that waited leaves while its customer owes', (await countReturnedPayments(tools, one.userId)) === 0)
}

export const PAYOUT_STRATEGIES: readonly PlatformStrategy[] = [
  {
    name: 'debt-exits',
    tries: 'every way out for an account that owes: balance, rewards, another card, a gift, income of a service, a refund asked for before',
    mayOwe: { most: parseUsd('110'), rule: 'V5: the limit of a card, 50, and the one capture that the network forced' },
    run,
  },
]
