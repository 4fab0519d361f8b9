import { NANO_PER_USD } from '#platform/shared/money.ts'
import { until } from '#platform/testing/patience.ts'
import { withdraw } from '../../attacker.ts'
import type { Client } from '../../../robots/people/client.ts'
import { aMoment, isRefused, together } from '../intruder.ts'
import type { Intruder } from '../intruder.ts'
import type { PlatformStrategy, Tools } from '../strategy.ts'

const SANDBOX = 25
const PATH = '/v1/pay/autoRecharge'
interface Wish {
  readonly threshold: string
  readonly amount: string
  readonly dayMost: string
  readonly monthMost: string
}
const WISH: Wish = { threshold: '8', amount: '10', dayMost: '22', monthMost: '60' }
/** Ceilings that leave room for a second charge, so that only the stop prevents it. */
const ROOMY: Wish = { ...WISH, dayMost: '60' }

const viewOf = async (client: Client) => (await client.get(PATH)).data
const begin = async (client: Client, wish: Wish) =>
  client.post(`${PATH}/start`, { ...wish, agreed: true, consentVersion: (await viewOf(client)).consentVersion, channelType: SANDBOX, transactionType: 5 })
const press = (client: Client, url: string, action: string) => client.fetch(url, { method: 'POST', body: new URLSearchParams({ action }) })

/** Agreed to, signed at the channel with its notice sent twice. */
async function sign({ client }: Intruder, { needs }: Tools, wish: Wish = WISH): Promise<string> {
  const started = await begin(client, wish)
  needs('a page to sign', started.code === 200, started.msg)
  await press(client, started.data.payUrl, 'agreeTwice')
  await until(async () => (await client.post(`${PATH}/check`)).data?.state === 'active' || undefined, 'auto recharge to be on')
  return started.data.payUrl
}

interface AutoCharges {
  /** Times that we called the channel. */
  readonly sent: number
  /** Charges that reached it, and those that it took, by its own book. */
  readonly received: number
  readonly taken: number
  /** Orders credited for them here. */
  readonly credited: number
}
async function charges({ platform: { product } }: Tools, userId: string): Promise<AutoCharges> {
  const [row] = await product.db.query<AutoCharges>(
    `with orders as (select id, state from payments_orders where user_id = $1 and source = 'auto'),
        attempts as (select trade_no from payments_attempts where order_id in (select id from orders) and state <> 'prepared'),
        trades as (select token from payments_sandbox_trades where trade_no in (select trade_no from attempts))
      select (select count(*)::int from attempts) as sent, (select count(*)::int from trades) as received,
        (select count(*)::int from payments_sandbox_payments where token in (select token from trades)) as taken,
        (select count(*)::int from orders where state in ('paid', 'fulfilled', 'paid_late')) as credited`,
    [userId],
  )
  return row!
}
const chargedOnce = (tools: Tools, userId: string, least: number) =>
  until(
    async () => {
      const now = await charges(tools, userId)
      return now.taken >= least && now.credited >= now.taken ? now : undefined
    },
    'a charge that is credited',
    100,
  )

/** Starts, stops and resumes at the same time; then the ceiling of the day. */
async function ceiling(tools: Tools): Promise<void> {
  const { must } = tools
  const rider = await tools.intruder(5)
  const { client } = rider
  const url = await sign(rider, tools)
  must('a second agreement next to the first', (await together(6, () => begin(client, WISH))).accepted.length === 0)
  await chargedOnce(tools, rider.userId, 1)
  // low again and again
  for (let round = 0; round < 3; round++) {
    await spend(tools, rider)
    await together(6, (n) => client.post(`${PATH}/${['stop', 'resume', 'check'][n % 3]}`))
    await client.post(`${PATH}/resume`)
    const before = (await charges(tools, rider.userId)).taken
    for (let waited = 0; waited < 12 && (await charges(tools, rider.userId)).taken === before; waited++) await aMoment(500)
  }
  const { taken, credited } = await charges(tools, rider.userId)
  must('more is charged than the ceiling of a day allows', taken <= 2, taken)
  must('a charge is credited twice, or never', credited === taken, { taken, credited })
  await press(client, url, 'endSilently')
}

/** All that is there leaves the balance, as spent elsewhere, so that the next charge is due. */
const spend = ({ platform }: Tools, { userId }: Intruder): Promise<void> => withdraw(platform.product.db, userId, EVERYTHING)
const EVERYTHING = 1_000n * NANO_PER_USD

/** A charge that the channel takes slowly, or whose answer is lost: stopped, changed and topped up by hand meanwhile. */
async function meanwhile(tools: Tools, cents: string): Promise<void> {
  const { must } = tools
  const rider = await tools.intruder(5)
  const { client } = rider
  const url = await sign(rider, tools, { ...ROOMY, amount: `10.${cents}` })
  await until(async () => (await charges(tools, rider.userId)).sent > 0 || undefined, 'a charge under way', 100)
  const consentVersion = (await viewOf(client)).consentVersion
  await Promise.all([
    client.post(`${PATH}/stop`),
    client.post(`${PATH}/change`, { ...ROOMY, amount: '20', agreed: true, consentVersion }),
    rider.topUp('5'),
    client.post(`${PATH}/stop`),
  ])
  await client.post(`${PATH}/stop`)
  await aMoment(6_500)
  // A charge that left before the stop may be slow at the channel, so what counts is what we sent.
  const { sent, received } = await charges(tools, rider.userId)
  must(`a slow or lost charge (${cents}) reaches the channel twice`, received <= 1, received)
  const settled = async () => (({ taken, credited }) => (taken === received && credited === taken ? true : undefined))(await charges(tools, rider.userId))
  await until(settled, 'the charge to be paid and credited', 100).catch(async () =>
    must(`what the channel took (${cents}) is not credited once`, false, await charges(tools, rider.userId)),
  )
  await spend(tools, rider)
  await aMoment(6_500)
  const after = await charges(tools, rider.userId)
  must('charged after consent was taken back', after.sent === sent && after.taken === received, after)
  await press(client, url, 'endSilently')
}

async function refusals(tools: Tools): Promise<void> {
  const { must } = tools
  const [owner, other] = await Promise.all([tools.intruder(20), tools.intruder(20)])
  const started = await begin(owner.client, WISH)
  const pressed = await press(other.client, started.data.payUrl, 'refuse')
  must('a refused page switches it on', (await viewOf(owner.client)).state !== 'active', pressed.status)
  must('an amount above the ceiling', isRefused(await begin(other.client, { ...WISH, amount: '100', dayMost: '22' })))
  must('a negative threshold', isRefused(await begin(other.client, { ...WISH, threshold: '-1' })))
  must('no consent', isRefused(await other.client.post(`${PATH}/start`, { ...WISH, agreed: false, channelType: SANDBOX, transactionType: 5 })))
  must('resumed without an agreement', (await other.client.post(`${PATH}/resume`)).data?.state !== 'active')
}

export const AUTO: readonly PlatformStrategy[] = [
  {
    name: 'auto-recharge',
    tries: 'two charges at once, above the ceilings, after consent was taken back, with answers that are slow or lost',
    run: async (tools) => {
      await Promise.all([ceiling(tools), meanwhile(tools, '46'), meanwhile(tools, '45'), meanwhile(tools, '44'), refusals(tools)])
    },
  },
]
