import { parseUsd } from '#platform/shared/money.ts'
import { readIssuerFrame, buyAtSandboxShop } from '../../../robots/acts/shop.ts'
import { waitPatiently, isRefusedReply, runTogether } from '../intruder.ts'
import type { Intruder } from '../intruder.ts'
import type { PlatformStrategy, StrategyTools } from '../strategy.ts'

let linkCount = 0
const buildPaymentLink = (): string => `https://pay.openai.com/c/pay/cs_live_a1B2c3D4e5F6g7H8i9J${++linkCount}x${process.pid}#fidkdWxOYHwnPyd1blpxYHZxWjA0`
const nameOf = (): string => `wang${++linkCount}x${process.pid}@fastmail.com`

const draft = async ({ client }: Intruder): Promise<string> =>
  (await client.post('/reward/bindTask', { plan: 'chatgpt-plus', seats: 1, account: nameOf(), link: buildPaymentLink() })).data?.id ?? ''

/** Amount held on a card for tasks, and the card's whole balance. */
async function readCardHolds({ platform: { product } }: StrategyTools, cardId: string): Promise<{ kept: bigint; posted: bigint; open: number }> {
  const [row] = await product.db.query<{ kept: bigint; posted: bigint; open: number }>(
    `select (select coalesce(sum(left_nano), 0)::bigint from cards_task_holds where card_id = $1 and closed_at is null) as kept,
        (select count(*)::int from cards_task_holds where card_id = $1 and closed_at is null) as open,
        (select coalesce(sum(posted), 0)::bigint from wallet_accounts where owner = 'card:' || $1 and kind = 'card') as posted`,
    [cardId],
  )
  return row!
}

async function run(tools: StrategyTools): Promise<void> {
  const { must, needs } = tools
  const [one, other] = await Promise.all([tools.intruder(60), tools.intruder(0)])
  const cardId = await one.card(30)
  const payPassword = await one.pin()
  const id = await draft(one)
  needs('a draft', id !== '')
  const { data: check } = await one.client.post('/reward/bindTask/cardCheck', { id })
  needs('a card that can pay', check.cards[0]?.problem === null, check.cards)
  const total = check.total as string
  const queue = (draftId: string, more: object = {}) => one.client.post('/reward/bindQueue', { id: draftId, cardId, total, payPassword, ...more })

  must('another account queues my draft', isRefusedReply(await other.client.post('/reward/bindQueue', { id, cardId, total, payPassword: await other.pin() })))
  must(
    'a card of another account pays',
    isRefusedReply(await other.client.post('/reward/bindQueue', { id: await draft(other), cardId, total, payPassword: await other.pin() })),
  )
  must('a lower sum than the merchant wants', isRefusedReply(await queue(id, { total: '0.01' })))
  must('a negative sum', isRefusedReply(await queue(id, { total: '-20' })))
  const pressed = await runTogether(6, () => queue(id))
  needs('a place in the queue', pressed.accepted.length > 0, pressed.refused[0]?.msg)
  must('one draft is queued more than once', (await readCardHolds(tools, cardId)).open === 1, pressed.accepted.length)
  // the card has thirty dollars and twenty are on hold, so a second hold does not fit
  const second = await draft(one)
  if (second) must('more is kept than is on the card', (await runTogether(3, () => queue(second))).accepted.length === 0)

  const all = ['30', '29', '20', '11', '10.01']
  const taken = await runTogether(all.length, (n) => one.client.post('/v1/virtualCard/cardWithdrawal', { cardId, amount: all[n]!, payPassword }))
  const held = await readCardHolds(tools, cardId)
  must('what is kept is taken off the card', held.kept >= parseUsd('20') && held.posted >= held.kept, taken.accepted.length)
  const digits = await readIssuerFrame(one.robot, cardId)
  needs('the number of the card', typeof digits !== 'string', digits)
  const shown = (await one.client.post('/card/info', { id: cardId })).data
  const postal = shown.billingAddress?.postalCode ?? ''
  for (const sum of ['19.00', '15.00', '11.00']) {
    const said = await buyAtSandboxShop(one.robot, { ...(digits as Exclude<typeof digits, string>), sum, how: 'sale', postal })
    must(`another merchant takes ${sum} of what is kept`, said.word !== 'approved' || (await readCardHolds(tools, cardId)).open === 0, said)
  }
  // the card is frozen, closed and unfrozen during the task
  await runTogether(6, (n) => one.client.post(['/card/frozen', '/card/unFrozen'][n % 2]!, { id: cardId }))
  await one.client.post('/card/unFrozen', { id: cardId })
  must(
    'the card is closed and its kept money paid out',
    (await closeAndReadBalance(tools, one, cardId)) >= parseUsd('20') || (await readCardHolds(tools, cardId)).open === 0,
  )
  const left = await runTogether(4, () => one.client.post('/reward/bindTask/leave', { id }))
  await waitPatiently(800)
  const end = await readCardHolds(tools, cardId)
  must('the kept sum comes back more than once', end.posted <= parseUsd('30'), { posted: end.posted.toString(), left: left.accepted.length })
}

/** Balance left on the card after its owner requested the closure. */
async function closeAndReadBalance(tools: StrategyTools, one: Intruder, cardId: string): Promise<bigint> {
  const payPassword = await one.pin()
  const closed = await one.client.post('/card/close', { id: cardId, reason: 'user', payPassword })
  await waitPatiently(500)
  const { posted, kept } = await readCardHolds(tools, cardId)
  return isRefusedReply(closed) ? posted : posted >= kept ? posted : 0n
}

export const UPGRADE_STRATEGIES: readonly PlatformStrategy[] = [
  { name: 'upgrade-tasks', tries: 'one sum kept for several tasks, taken off the card, spent elsewhere, closed or frozen during the task', run },
]
