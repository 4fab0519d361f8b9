import { NANO_PER_USD } from '#platform/shared/money.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { withdrawBalance } from '../../attacker.ts'
import type { RobotClient } from '../../../robots/people/client.ts'
import { waitPatiently, isRefusedReply, runTogether } from '../intruder.ts'
import type { Intruder } from '../intruder.ts'
import type { PlatformStrategy, StrategyTools } from '../strategy.ts'

const SANDBOX = 25
const PATH = '/v1/pay/autoRecharge'
interface RechargeInput {
  readonly threshold: string
  readonly amount: string
  readonly dayMost: string
  readonly monthMost: string
}
const RECHARGE_INPUT: RechargeInput = { threshold: '8', amount: '10', dayMost: '22', monthMost: '60' }
/** Ceilings that leave room for a second charge, so that only the stop command prevents it. */
const ROOMY: RechargeInput = { ...RECHARGE_INPUT, dayMost: '60' }

const viewOf = async (client: RobotClient) => (await client.get(PATH)).data
const begin = async (client: RobotClient, wish: RechargeInput) =>
  client.post(`${PATH}/start`, { ...wish, agreed: true, consentVersion: (await viewOf(client)).consentVersion, channelType: SANDBOX, transactionType: 5 })
const press = (client: RobotClient, url: string, action: string) => client.fetch(url, { method: 'POST', body: new URLSearchParams({ action }) })

/** Starts an auto recharge agreement and signs it at the channel, which sends its webhook twice. */
async function sign({ client }: Intruder, { needs }: StrategyTools, wish: RechargeInput = RECHARGE_INPUT): Promise<string> {
  const started = await begin(client, wish)
  needs('a page to sign', started.code === 200, started.msg)
  await press(client, started.data.payUrl, 'agreeTwice')
  await waitForValue(async () => (await client.post(`${PATH}/check`)).data?.state === 'active' || undefined, 'auto recharge to be on')
  return started.data.payUrl
}

interface AutoCharges {
  /** Number of our calls to the channel. */
  readonly sent: number
  /** Charges that reached the channel, and those that it accepted, by its own book. */
  readonly received: number
  readonly taken: number
  /** Orders that we credited for these charges. */
  readonly credited: number
}
async function countCharges({ platform: { product } }: StrategyTools, userId: string): Promise<AutoCharges> {
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
const waitForCharges = (tools: StrategyTools, userId: string, least: number) =>
  waitForValue(
    async () => {
      const now = await countCharges(tools, userId)
      return now.taken >= least && now.credited >= now.taken ? now : undefined
    },
    'a charge that is credited',
    100,
  )

/** Starts, stops and resumes in parallel, then tests the daily ceiling. */
async function tryDayCeiling(tools: StrategyTools): Promise<void> {
  const { must } = tools
  const rider = await tools.intruder(5)
  const { client } = rider
  const url = await sign(rider, tools)
  must('a second agreement next to the first', (await runTogether(6, () => begin(client, RECHARGE_INPUT))).accepted.length === 0)
  await waitForCharges(tools, rider.userId, 1)
  // repeatedly below the threshold
  for (let round = 0; round < 3; round++) {
    await spendBalance(tools, rider)
    await runTogether(6, (n) => client.post(`${PATH}/${['stop', 'resume', 'check'][n % 3]}`))
    await client.post(`${PATH}/resume`)
    const before = (await countCharges(tools, rider.userId)).taken
    for (let waited = 0; waited < 12 && (await countCharges(tools, rider.userId)).taken === before; waited++) await waitPatiently(500)
  }
  const { taken, credited } = await countCharges(tools, rider.userId)
  must('more is charged than the ceiling of a day allows', taken <= 2, taken)
  must('a charge is credited twice, or never', credited === taken, { taken, credited })
  await press(client, url, 'endSilently')
}

/** Withdraws the whole balance, as if it were spent elsewhere, so that the next charge is due. */
const spendBalance = ({ platform }: StrategyTools, { userId }: Intruder): Promise<void> => withdrawBalance(platform.product.db, userId, WHOLE_BALANCE)
const WHOLE_BALANCE = 1_000n * NANO_PER_USD

/** Tests a charge that the channel takes slowly, or whose answer is lost, with a stop, a change and a manual top-up meanwhile. */
async function tryDuringSlowCharge(tools: StrategyTools, cents: string): Promise<void> {
  const { must } = tools
  const rider = await tools.intruder(5)
  const { client } = rider
  const url = await sign(rider, tools, { ...ROOMY, amount: `10.${cents}` })
  await waitForValue(async () => (await countCharges(tools, rider.userId)).sent > 0 || undefined, 'a charge under way', 100)
  const consentVersion = (await viewOf(client)).consentVersion
  await Promise.all([
    client.post(`${PATH}/stop`),
    client.post(`${PATH}/change`, { ...ROOMY, amount: '20', agreed: true, consentVersion }),
    rider.topUp('5'),
    client.post(`${PATH}/stop`),
  ])
  await client.post(`${PATH}/stop`)
  await waitPatiently(6_500)
  // A charge sent before the stop may be slow at the channel, so the check counts our calls.
  const { sent, received } = await countCharges(tools, rider.userId)
  must(`a slow or lost charge (${cents}) reaches the channel twice`, received <= 1, received)
  const settled = async () => (({ taken, credited }) => (taken === received && credited === taken ? true : undefined))(await countCharges(tools, rider.userId))
  await waitForValue(settled, 'the charge to be paid and credited', 100).catch(async () =>
    must(`what the channel took (${cents}) is not credited once`, false, await countCharges(tools, rider.userId)),
  )
  await spendBalance(tools, rider)
  await waitPatiently(6_500)
  const after = await countCharges(tools, rider.userId)
  must('charged after consent was taken back', after.sent === sent && after.taken === received, after)
  await press(client, url, 'endSilently')
}

async function tryRefusals(tools: StrategyTools): Promise<void> {
  const { must } = tools
  const [owner, other] = await Promise.all([tools.intruder(20), tools.intruder(20)])
  const started = await begin(owner.client, RECHARGE_INPUT)
  const pressed = await press(other.client, started.data.payUrl, 'refuse')
  must('a refused page switches it on', (await viewOf(owner.client)).state !== 'active', pressed.status)
  must('an amount above the ceiling', isRefusedReply(await begin(other.client, { ...RECHARGE_INPUT, amount: '100', dayMost: '22' })))
  must('a negative threshold', isRefusedReply(await begin(other.client, { ...RECHARGE_INPUT, threshold: '-1' })))
  must('no consent', isRefusedReply(await other.client.post(`${PATH}/start`, { ...RECHARGE_INPUT, agreed: false, channelType: SANDBOX, transactionType: 5 })))
  must('resumed without an agreement', (await other.client.post(`${PATH}/resume`)).data?.state !== 'active')
}

export const AUTO_RECHARGE_STRATEGIES: readonly PlatformStrategy[] = [
  {
    name: 'auto-recharge',
    tries: 'two charges at once, above the ceilings, after consent was taken back, with answers that are slow or lost',
    run: async (tools) => {
      await Promise.all([
        tryDayCeiling(tools),
        tryDuringSlowCharge(tools, '46'),
        tryDuringSlowCharge(tools, '45'),
        tryDuringSlowCharge(tools, '44'),
        tryRefusals(tools),
      ])
    },
  },
]
