import { NANO_PER_USD } from '#platform/shared/money.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { withdrawBalance as spendElsewhere } from '../../attacker.ts'
import type { RobotClient } from '../../../robots/people/client.ts'
import { waitPatiently, isRefusedReply, runTogether } from '../intruder.ts'
import type { Intruder } from '../intruder.ts'
import type { PlatformStrategy, StrategyTools } from '../strategy.ts'

const fetchState = async (client: RobotClient, orderNo: string): Promise<string> => {
  const { data } = await client.get('/v1/pay/orderDetail', { orderNo })
  return (data.order ?? data).state
}
const refund = (client: RobotClient, orderNo: string, amount?: string) =>
  client.post('/pay/refund', { orderNo, ...(amount ? { amount } : {}), reason: 'attack' })
const requestWithdrawal = async (one: Intruder, payee: string, amount?: string) =>
  one.client.post('/v1/userWrapperApi/balanceRefund', {
    ...(amount ? { amount } : {}),
    ...{ alipayIdentity: payee, alipayRealName: '王小明', identityNumber: '11010519491231002X' },
    payPassword: await one.pin(),
  })
const waitForRuling = (client: RobotClient, orderNo: string, states: readonly string[]) =>
  waitForValue(async () => states.includes(await fetchState(client, orderNo)) || undefined, `a ruling about ${orderNo}`, 200)

/** Disputes a payment while a refund and a withdrawal of it are in progress; the desk approves everything. */
async function tryTripleReturn(tools: StrategyTools, cents: '31' | '32' | '33'): Promise<void> {
  const { must } = tools
  const one = await tools.intruder(0)
  await one.pin()
  const claimed = await one.topUp(`20.${cents}`)
  const clean = await one.topUp('20')
  const acts = await runTogether(6, (n) =>
    n === 0 ? requestWithdrawal(one, 'wang@example.com') : n % 2 ? refund(one.client, claimed.orderNo) : refund(one.client, clean.orderNo, '15'),
  )
  await tools.platform.workThrough()
  await waitPatiently(9_000)
  await tools.platform.workThrough()
  const { available } = await one.balance()
  must('more is there than was paid in', Number(available) <= 41, { available, accepted: acts.accepted.length })
  const again = await runTogether(4, () => refund(one.client, claimed.orderNo))
  if (cents !== '32') must('a payment that is claimed back, or was, is refunded as well', again.accepted.length === 0, again.accepted.length)
}

/** Tests that a disputed payment is not returned a second time, even with a sufficient balance. */
async function tryRefundAfterDispute(tools: StrategyTools): Promise<void> {
  const { must } = tools
  const one = await tools.intruder(0)
  const claimed = await one.topUp('20.31')
  await one.topUp('60')
  await waitForRuling(one.client, claimed.orderNo, ['disputed'])
  const asked = await runTogether(4, () => refund(one.client, claimed.orderNo, '20'))
  must('a disputed payment is refunded as well', asked.accepted.length === 0, asked.accepted.length)
  const finance = await tools.platform.finance()
  const given = await finance.command('order.refund', { orderNo: claimed.orderNo })
  must('an operator refunds a disputed payment', !['done', 'waiting'].includes(given.state), given)
}

/** Spends the money before the chargeback: an account in debt must not withdraw by any method. */
async function trySpendThenDispute(tools: StrategyTools): Promise<void> {
  const { must, needs } = tools
  const one = await tools.intruder(0)
  await one.pin()
  await one.topUp('20.33')
  await spendElsewhere(tools.platform.product.db, one.userId, 1_000n * NANO_PER_USD)
  const owedNow = async () => Number((await one.client.get('/v1/userWrapperApi/withdrawQuote')).data.owed)
  for (let waited = 0; waited < 24 && (await owedNow()) <= 20; waited++) await waitPatiently(500)
  const { data: quote } = await one.client.get('/v1/userWrapperApi/withdrawQuote')
  must('what was spent and charged back is not owed', Number(quote.owed) > 20, quote)
  needs('a debt', Number(quote.owed) > 0, quote)
  must('who owes withdraws', isRefusedReply(await requestWithdrawal(one, 'wang@example.com', '5')))
  must(
    'who owes buys from the balance',
    isRefusedReply(await one.client.post('/v1/pay/balancePay', { orderType: 10, amount: '5', payPassword: await one.pin() })),
  )
  const call = await one.client.post('/v1/tool/reward/proxy/apply')
  if (call.data?.pay)
    must(
      'who owes buys a service from the balance',
      isRefusedReply(
        await one.client.post('/v1/pay/balancePay', {
          orderType: call.data.pay.orderType,
          amount: call.data.pay.amount,
          service: call.data.pay.service,
          payPassword: await one.pin(),
        }),
      ),
    )
  const paid = await one.topUp('5')
  const after = (await one.client.get('/v1/userWrapperApi/withdrawQuote')).data
  must('a top-up leaves the debt as it was', Number(after.owed) < Number(quote.owed) || Number(after.owed) === 0, { before: quote.owed, after: after.owed })
  must('the top-up of a debtor is refunded whole', isRefusedReply(await refund(one.client, paid.orderNo, '5')))
}

export const DISPUTE_STRATEGIES: readonly PlatformStrategy[] = [
  {
    name: 'disputes',
    tries: 'a payment charged back, refunded and withdrawn at once, won, lost and open; spent before it is lost',
    mayOwe: { most: 87n * NANO_PER_USD, rule: 'R5: what was spent or refunded before it was charged back is owed, with the fee of the dispute' },
    run: async (tools) => {
      await Promise.all([
        tryTripleReturn(tools, '31'),
        tryTripleReturn(tools, '32'),
        tryTripleReturn(tools, '33'),
        tryRefundAfterDispute(tools),
        trySpendThenDispute(tools),
      ])
    },
  },
]
