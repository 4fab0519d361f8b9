import { parseUsd } from '#platform/shared/money.ts'
import { readFrame, shopAt } from '../../../robots/acts/shop.ts'
import { aMoment, isRefused, together } from '../intruder.ts'
import type { Intruder } from '../intruder.ts'
import type { PlatformStrategy, Tools } from '../strategy.ts'

let links = 0
const aLink = (): string => `https://pay.openai.com/c/pay/cs_live_a1B2c3D4e5F6g7H8i9J${++links}x${process.pid}#fidkdWxOYHwnPyd1blpxYHZxWjA0`
const nameOf = (): string => `wang${++links}x${process.pid}@fastmail.com`

const draft = async ({ client }: Intruder): Promise<string> =>
  (await client.post('/reward/bindTask', { plan: 'chatgpt-plus', seats: 1, account: nameOf(), link: aLink() })).data?.id ?? ''

/** Amount held on a card for tasks, and the card's whole balance. */
async function keptOn({ platform: { product } }: Tools, cardId: string): Promise<{ kept: bigint; posted: bigint; open: number }> {
  const [row] = await product.db.query<{ kept: bigint; posted: bigint; open: number }>(
    `select (select coalesce(sum(left_nano), 0)::bigint from cards_task_holds where card_id = $1 and closed_at is null) as kept,
        (select count(*)::int from cards_task_holds where card_id = $1 and closed_at is null) as open,
        (select coalesce(sum(posted), 0)::bigint from wallet_accounts where owner = 'card:' || $1 and kind = 'card') as posted`,
    [cardId],
  )
  return row!
}

async function run(tools: Tools): Promise<void> {
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

  must('another account queues my draft', isRefused(await other.client.post('/reward/bindQueue', { id, cardId, total, payPassword: await other.pin() })))
  must(
    'a card of another account pays',
    isRefused(await other.client.post('/reward/bindQueue', { id: await draft(other), cardId, total, payPassword: await other.pin() })),
  )
  must('a lower sum than the merchant wants', isRefused(await queue(id, { total: '0.01' })))
  must('a negative sum', isRefused(await queue(id, { total: '-20' })))
  const pressed = await together(6, () => queue(id))
  needs('a place in the queue', pressed.accepted.length > 0, pressed.refused[0]?.msg)
  must('one draft is queued more than once', (await keptOn(tools, cardId)).open === 1, pressed.accepted.length)
  // thirty on the card and twenty kept: a second one has no room
  const second = await draft(one)
  if (second) must('more is kept than is on the card', (await together(3, () => queue(second))).accepted.length === 0)

  const all = ['30', '29', '20', '11', '10.01']
  const taken = await together(all.length, (n) => one.client.post('/v1/virtualCard/cardWithdrawal', { cardId, amount: all[n]!, payPassword }))
  const held = await keptOn(tools, cardId)
  must('what is kept is taken off the card', held.kept >= parseUsd('20') && held.posted >= held.kept, taken.accepted.length)
  const digits = await readFrame(one.robot, cardId)
  needs('the number of the card', typeof digits !== 'string', digits)
  const shown = (await one.client.post('/card/info', { id: cardId })).data
  const postal = shown.billingAddress?.postalCode ?? ''
  for (const sum of ['19.00', '15.00', '11.00']) {
    const said = await shopAt(one.robot, { ...(digits as Exclude<typeof digits, string>), sum, how: 'sale', postal })
    must(`another merchant takes ${sum} of what is kept`, said.word !== 'approved' || (await keptOn(tools, cardId)).open === 0, said)
  }
  // frozen, closed and thawed during the task
  await together(6, (n) => one.client.post(['/card/frozen', '/card/unFrozen'][n % 2]!, { id: cardId }))
  await one.client.post('/card/unFrozen', { id: cardId })
  must(
    'the card is closed and its kept money paid out',
    (await closeThenLook(tools, one, cardId)) >= parseUsd('20') || (await keptOn(tools, cardId)).open === 0,
  )
  const left = await together(4, () => one.client.post('/reward/bindTask/leave', { id }))
  await aMoment(800)
  const end = await keptOn(tools, cardId)
  must('the kept sum comes back more than once', end.posted <= parseUsd('30'), { posted: end.posted.toString(), left: left.accepted.length })
}

/** Balance left on the card after its owner asked to close it. */
async function closeThenLook(tools: Tools, one: Intruder, cardId: string): Promise<bigint> {
  const payPassword = await one.pin()
  const closed = await one.client.post('/card/close', { id: cardId, reason: 'user', payPassword })
  await aMoment(500)
  const { posted, kept } = await keptOn(tools, cardId)
  return isRefused(closed) ? posted : posted >= kept ? posted : 0n
}

export const UPGRADE_TASKS: readonly PlatformStrategy[] = [
  { name: 'upgrade-tasks', tries: 'one sum kept for several tasks, taken off the card, spent elsewhere, closed or frozen during the task', run },
]
