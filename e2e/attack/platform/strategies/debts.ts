import { parseUsd } from '#platform/shared/money.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { readIssuerFrame, buyAtSandboxShop } from '../../../robots/acts/shop.ts'
import type { FrameDigits } from '../../../robots/acts/shop.ts'
import { waitPatiently, isRefusedReply, runTogether } from '../intruder.ts'
import type { Intruder } from '../intruder.ts'
import type { PlatformStrategy, StrategyTools } from '../strategy.ts'

export const ATTACK_PAYEE = { alipayIdentity: 'wang@example.com', alipayRealName: '王小明', identityNumber: '11010519491231002X' }

/** Dollars that a card may owe before it is stopped. */
const MAX_CARD_DEBT = 50

export interface AttackCardHolder {
  readonly one: Intruder
  readonly cardId: string
  readonly digits: FrameDigits
  readonly postal: string
}

export async function anAttackCardHolder({ intruder, needs }: StrategyTools, dollars: number): Promise<AttackCardHolder> {
  const one = await intruder(dollars)
  const cardId = await one.card(26)
  const digits = await readIssuerFrame(one.robot, cardId)
  needs('the number of the card', typeof digits !== 'string', digits)
  const { data: shown } = await one.client.post('/card/info', { id: cardId })
  return { one, cardId, digits: digits as FrameDigits, postal: shown.billingAddress?.postalCode ?? '' }
}
export const buyWithCard = ({ one, digits, postal }: AttackCardHolder, how: string, sum: string) => buyAtSandboxShop(one.robot, { ...digits, how, sum, postal })

/** A shop of the attacker force-captures amounts that the card does not have, while every withdrawal method empties the account. */
async function tryForcedPurchases(tools: StrategyTools): Promise<void> {
  const { must, needs } = tools
  const holder = await anAttackCardHolder(tools, 90)
  const { one, cardId } = holder
  const payPassword = await one.pin()
  const before = await one.balance()
  const takings = [
    () => buyWithCard(holder, 'force', '60.00'),
    () => one.client.post('/v1/userWrapperApi/balanceRefund', { ...ATTACK_PAYEE, payPassword }),
    () => one.client.post('/v1/virtualCard/cardWithdrawal', { cardId, amount: '20', payPassword }),
    ...one.robot.memory.paid.map(
      ({ orderNo }) =>
        () =>
          one.client.post('/pay/refund', { orderNo, reason: 'attack' }),
    ),
  ]
  await Promise.all(takings.map((take) => take()))
  await waitPatiently(2_000)
  const owed = async () => (await one.client.get('/v1/userWrapperApi/withdrawQuote')).data
  // at the debt limit the card is frozen at the issuer; we did not approve what a network forces on it after that
  for (let n = 0; n < 4 && Number((await owed()).owed) < MAX_CARD_DEBT; n++) {
    await buyWithCard(holder, 'force', '55.00')
    await waitPatiently(2_500)
  }
  const quote = await owed()
  needs('a card that owes', Number(quote.owed) > 0, quote)
  const { data: stopped } = await one.client.post('/card/info', { id: cardId })
  must('a card beyond the limit stays usable', Number(quote.owed) < MAX_CARD_DEBT || stopped.state === 'frozen', stopped.state)
  must('who owes withdraws', isRefusedReply(await one.client.post('/v1/userWrapperApi/balanceRefund', { ...ATTACK_PAYEE, amount: '5', payPassword })))
  must('who owes takes money off a card', isRefusedReply(await one.client.post('/v1/virtualCard/cardWithdrawal', { cardId, amount: '1', payPassword })))
  const refunds = await Promise.all(one.robot.memory.paid.map(({ orderNo }) => one.client.post('/pay/refund', { orderNo, amount: '1', reason: 'attack' })))
  must('who owes is refunded', refunds.every(isRefusedReply))
  must('who owes gets another card', isRefusedReply(await one.client.post('/card/create', { type: 'pro' })))
  must('who owes gets a trial', isRefusedReply(await one.client.post('/v1/tool/openaiPlus/applySharePlus', { packageId: 1, inviteCode: '' })))
  must('who owes deletes the account', isRefusedReply(await one.client.post('/v1/user/deleteAccount', { password: one.robot.person.password })))
  const said = await buyWithCard(holder, 'sale', '1.00')
  must('a card that owes is approved', said.word !== 'approved', said)
  await one.topUp('10')
  const { data: after } = await one.client.get('/v1/userWrapperApi/withdrawQuote')
  must('a top-up settles nothing', Number(after.owed) < Number(quote.owed), { before: quote.owed, after: after.owed })
  must('the balance pays nothing of what its card owes', Number(quote.owed) === 0 || Number(quote.withdrawable) === 0, { before, quote })
}

/** Requests many parallel approvals for more than the balance, with captures above the hold and after it. */
async function tryParallelApprovals(tools: StrategyTools): Promise<void> {
  const { must } = tools
  const holder = await anAttackCardHolder(tools, 60)
  const { one, cardId } = holder
  const sales = await Promise.all(Array.from({ length: 8 }, () => buyWithCard(holder, 'sale', '12.00')))
  const approved = sales.filter(({ word }) => word === 'approved').length
  must('more is approved than is on the card', approved <= 2, approved)
  await one.pin()
  const loads = await runTogether(6, async () =>
    one.client.post('/v1/virtualCard/cardRecharge', { cardId, amount: '10', channelType: 5, payPassword: await one.pin() }),
  )
  await waitPatiently(1_500)
  const [row] = await tools.platform.product.db.query<{ least: bigint }>(
    `select coalesce(min(posted), 0)::bigint as least from wallet_accounts where owner in ('card:' || $1, 'user:' || $2) and kind in ('card', 'customer')`,
    [cardId, one.userId],
  )
  must('a card or balance falls below zero', row!.least >= 0n, { least: row!.least.toString(), loads: loads.accepted.length })
}

/** Goodwill credit and referral rewards must never leave as money. */
async function tryWithdrawingGifts(tools: StrategyTools): Promise<void> {
  const { must, needs } = tools
  const finance = await tools.platform.finance()
  const one = await tools.intruder(0)
  const given = await finance.command('credit.grant', { user: one.userId, amount: '20', purpose: 'goodwill', days: 30 })
  needs('a gift', ['done', 'waiting'].includes(given.state), given)
  if (given.no && given.state === 'waiting') await (await tools.platform.owner()).post('/operator/command/approve', { no: given.no, reason: 'fine' })
  await waitForValue(async () => Number((await one.balance()).available) >= 20 || undefined, 'the gift')
  const payPassword = await one.pin()
  const { data: quote } = await one.client.get('/v1/userWrapperApi/withdrawQuote')
  must('a gift can be withdrawn', parseUsd(quote.withdrawable) === 0n, quote.withdrawable)
  must('a gift is withdrawn', isRefusedReply(await one.client.post('/v1/userWrapperApi/balanceRefund', { ...ATTACK_PAYEE, amount: '5', payPassword })))
  const top = await one.topUp('10')
  const out = await runTogether(4, () => one.client.post('/pay/refund', { orderNo: top.orderNo, amount: '10', reason: 'attack' }))
  must('a refund takes the gift along', out.accepted.length <= 1, out.accepted.length)
  must(
    'more is withdrawn than was paid',
    isRefusedReply(await one.client.post('/v1/userWrapperApi/balanceRefund', { ...ATTACK_PAYEE, amount: '15', payPassword })),
  )
}

export const DEBT_STRATEGIES: readonly PlatformStrategy[] = [
  {
    name: 'debt-first',
    tries: 'a shop of the holder’s own takes by force what is not there, while all else is withdrawn, refunded and taken off the card',
    mayOwe: { most: parseUsd('110'), rule: 'V5: the limit of a card, 50, and the one capture that the network forced' },
    run: tryForcedPurchases,
  },
  { name: 'card-crowd', tries: 'purchases and loads at the same time for more than there is', run: tryParallelApprovals },
  { name: 'gifts', tries: 'a gift out as money: by withdrawal, refund and both at once', run: tryWithdrawingGifts },
]
