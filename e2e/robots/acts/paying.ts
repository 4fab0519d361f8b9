import { setTimeout as sleep } from 'node:timers/promises'
import { scaleTimeout } from '#platform/testing/patience.ts'
import { computeOrderCharge } from '../oracle/price.ts'
import type { SeededRandom } from '../people/random.ts'
import { expectEqual } from './act.ts'
import type { RobotAct, Robot } from './act.ts'
import { ensurePin } from './signing-up.ts'

const SANDBOX = 25

/** A purchase: order type and options as the services name them. */
export interface WantedPurchase {
  readonly orderType: number
  readonly amount?: string
  readonly service?: string
  readonly cardId?: string
}

export interface PaidPurchase {
  readonly orderNo: string
  readonly state: string
  readonly total: string
  readonly how: string
}

/** Behaviors of payers at the sandbox's cashier, with their weights. */
const CASHIER_PRESSES = [
  ['pay', 12],
  ['twice', 1],
  ['less', 1],
  ['silent', 1],
  ['late', 1],
  ['decline', 1],
] as const
const SETTLED_WITHIN_MS = scaleTimeout(8_000)

/** Orders, selects a payment method that the page offers, and pays. undefined if ordering was not possible. */
export async function payForPurchase(
  robot: Robot,
  random: SeededRandom,
  { wanted, wish = {} }: { readonly wanted: WantedPurchase; readonly wish?: { from?: 'balance' | 'channel'; surely?: boolean } },
): Promise<PaidPurchase | string> {
  const { client, person } = robot
  const { orderType, amount } = wanted
  const device = person.width === 414 ? 'H5' : 'QRCODE'
  const offered = await client.get('/v1/pay/channelList', { orderType, ...(amount ? { orderAmount: amount } : {}), device })
  if (offered.code !== 200) return offered.msg
  const open = (offered.data as any[]).filter((row) => !row.disabled && (row.form === 'balance' ? row.missing === '0' || !wish.surely : true))
  const fit = open.filter((row) => (wish.from === 'balance') === (row.form === 'balance'))
  const list = wish.from === undefined || !fit.length ? open : fit
  if (!list.length) return 'no way to pay'
  const channel = random.pick(list)
  return channel.form === 'balance' ? payByBalance(robot, wanted) : payAtChannel(robot, random, { wanted, channel, surely: wish.surely ?? false })
}

async function payByBalance(robot: Robot, wanted: WantedPurchase): Promise<PaidPurchase | string> {
  await ensurePin(robot)
  const before = (await robot.client.get('/v1/userWrapperApi/balanceInfo')).data
  const { code, msg, data } = await robot.client.post('/v1/pay/balancePay', { ...wanted, payPassword: robot.person.pin })
  if (code !== 200) return msg
  expectEqual(robot, 'no fee from the balance', { subject: data.orderNo, seen: data.fee, expected: '0' })
  rememberPaidOrder(robot, data)
  return { orderNo: data.orderNo, state: data.state, total: data.total, how: `balance of ${before.available}` }
}

async function payAtChannel(
  robot: Robot,
  random: SeededRandom,
  { wanted, channel, surely }: { readonly wanted: WantedPurchase; readonly channel: any; readonly surely: boolean },
): Promise<PaidPurchase | string> {
  const { client } = robot
  const { transactionType, tradeFrom } = channel
  const ways = { channelType: channel.channelType ?? SANDBOX, transactionType, tradeFrom }
  const made = await client.post('/api/go/v1/payOrder', { ...wanted, ...ways })
  if (made.code !== 200) return made.msg
  const { orderNo } = made.data
  const due = computeOrderCharge(made.data, channel)
  for (const [name, value] of Object.entries(due)) expectEqual(robot, `the order's ${name}`, { subject: orderNo, seen: made.data[name], expected: value })
  let opened = await client.post('/api/go/v1/payParam', { order_id: orderNo, ...ways })
  if (opened.code !== 200) {
    await client.post('/v1/unAuth/order/noticeRead', { orderNo })
    opened = await client.post('/api/go/v1/payParam', { order_id: orderNo, ...ways })
  }
  if (opened.code !== 200) return opened.msg
  const cashier = opened.data.payUrl || /action="([^"]+)"/.exec(opened.data.payHtml)?.[1]
  await client.fetch(cashier)
  const press = surely ? 'pay' : random.weighted(CASHIER_PRESSES)
  const pressed = await client.fetch(cashier, { method: 'POST', body: new URLSearchParams({ action: press, payer: '' }) })
  if (pressed.status !== 303) robot.report({ rule: 'the cashier', subject: orderNo, seen: String(pressed.status), expected: '303' })
  const state = await waitForState(robot, orderNo, press)
  if (press !== 'decline' && press !== 'less') rememberPaidOrder(robot, made.data)
  return { orderNo, state, total: made.data.total, how: `${channel.name}, ${press}` }
}

function rememberPaidOrder({ memory }: Robot, { orderNo, orderType, total }: { orderNo: string; orderType: number; total: string }): void {
  memory.paid.push({ orderNo, orderType, total })
}

/** The state after a press; a late or missing report is found by polling, as the page does. */
async function waitForState({ client }: Robot, orderNo: string, press: string): Promise<string> {
  for (const until = Date.now() + SETTLED_WITHIN_MS; ; await sleep(120)) {
    const { data } = await client.post('/api/go/v1/payStatus', { order_id: orderNo })
    const isOpen = !data || data.payStatus === 0 || data.state === 'paid'
    if (!isOpen || press === 'decline' || press === 'less' || press === 'late' || Date.now() > until) return data?.state ?? 'unknown'
  }
}

const AMOUNTS = ['5', '10', '20', '25', '40', '60', '100', '137.31', '0.01', '99999', '4.99', '1000000']

async function topUp(robot: Robot, random: SeededRandom): Promise<string> {
  const paid = await payForPurchase(robot, random, { wanted: { orderType: 10, amount: random.pick(AMOUNTS) }, wish: { from: 'channel' } })
  return typeof paid === 'string' ? paid : `${paid.orderNo} ${paid.total} by ${paid.how}: ${paid.state}`
}

/** Ensures a spendable balance of at least this many dollars. */
export async function ensureBalance(robot: Robot, random: SeededRandom, dollars: number): Promise<void> {
  for (let tries = 0; tries < 4; tries++) {
    const { data } = await robot.client.get('/v1/userWrapperApi/balanceInfo')
    if (Number(data.available) >= dollars) return
    await payForPurchase(robot, random, {
      wanted: { orderType: 10, amount: String(Math.min(200, Math.ceil(dollars - Number(data.available)) + 5)) },
      wish: { from: 'channel', surely: true },
    })
  }
}

async function leaveUnpaid({ client, person }: Robot, random: SeededRandom): Promise<string> {
  const tradeFrom = person.width === 414 ? 'H5' : 'QRCODE'
  const made = await client.post('/api/go/v1/payOrder', { orderType: 10, amount: '20', channelType: SANDBOX, transactionType: 1, tradeFrom })
  if (made.code !== 200 || random.percent(50)) return made.code === 200 ? `${made.data.orderNo} left open` : made.msg
  return `${made.data.orderNo}: ${(await client.post('/v1/pay/cancel', { orderNo: made.data.orderNo })).msg}`
}

/** Simulates a double press: one idempotency key, one order. */
async function orderTwice(robot: Robot): Promise<string> {
  const { client, person } = robot
  const input = { orderType: 10, amount: '20', channelType: SANDBOX, transactionType: 1, tradeFrom: person.width === 414 ? 'H5' : 'QRCODE' }
  const key = crypto.randomUUID()
  const [one, two] = await Promise.all([client.post('/api/go/v1/payOrder', input, key), client.post('/api/go/v1/payOrder', input, key)])
  const made = [one, two].flatMap(({ code, data }) => (code === 200 ? [data.orderNo] : []))
  if (made.length === 2) expectEqual(robot, 'one key, one order', { subject: 'payOrder', seen: made[1], expected: made[0] })
  return made.join(' ') || one.msg
}

export const payingActs: readonly RobotAct[] = [
  { name: 'top up', weight: 8, run: topUp },
  { name: 'leave an order unpaid', weight: 1, run: leaveUnpaid },
  { name: 'order twice', weight: 1, run: orderTwice },
]
