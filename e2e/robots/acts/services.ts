import { findCodeName } from '../oracle/contracts.ts'
import type { SeededRandom } from '../people/random.ts'
import type { RobotAct, Robot } from './act.ts'
import { ensureBalance, payForPurchase } from './paying.ts'
import { ensurePin } from './signing-up.ts'

interface ServiceOffer {
  readonly orderType: number
  readonly amount: string
  readonly service: string
}

/** Expects that a service which the hub shows as open is not refused as not offered. */
async function expectOffered({ client, report }: Robot, call: string, { page, code }: { readonly page: string; readonly code: number }): Promise<void> {
  if (!/_NOT_OFFERED$|_OFF$/.test(findCodeName('POST', call, code))) return
  const { data } = await client.get('/v1/service/catalogue')
  const row = (data.rowList as { path: string; paused: string | null; isOffered?: boolean; title: string }[]).find(({ path }) => path === page)
  if (row && row.paused === null && row.isOffered !== false)
    report({
      rule: 'what is advertised can be had',
      subject: page,
      seen: `${row.title} is open in the hub, and refused as not offered`,
      expected: 'one answer',
    })
}

/** Pays for a service that replied with a price; free ones start at once. */
async function payServicePrice(
  robot: Robot,
  random: SeededRandom,
  { pay, what }: { readonly pay: ServiceOffer | null | undefined; readonly what: string },
): Promise<string> {
  if (!pay) return `${what}: free`
  if (random.percent(8)) return `${what}: ${pay.amount}, left unpaid`
  if (random.percent(70)) await ensureBalance(robot, random, Number(pay.amount))
  const paid = await payForPurchase(robot, random, { wanted: { orderType: pay.orderType, amount: pay.amount, service: pay.service } })
  return `${what}: ${typeof paid === 'string' ? paid : `${paid.orderNo} ${paid.total} by ${paid.how}: ${paid.state}`}`
}

async function subscribe(robot: Robot, random: SeededRandom): Promise<string> {
  const { client, codes } = robot
  const inviteCode = codes.length && random.percent(25) ? random.pick(codes) : ''
  const { data } = await client.get('/v1/tool/openaiPlus/getPrice', { inviteCode })
  const row = random.pick(data.rowList as { id: number; name: string }[])
  const begun = await client.post('/v1/tool/openaiPlus/applySharePlus', { packageId: row.id, inviteCode })
  return begun.code === 200 ? payServicePrice(robot, random, { pay: begun.data.pay, what: row.name }) : `${row.name}: ${begun.msg}`
}

async function useSubscription({ client }: Robot, random: SeededRandom): Promise<string> {
  const platform = random.pick([1, 2, 3, 6])
  const path = random.pick(['shareUrl', 'shareTrialUrl', 'windows', 'livekitToken', 'voiceInvite', 'pageList', 'shareUseInfo'])
  const input = ['shareUrl', 'shareTrialUrl', 'windows'].includes(path) ? { platform } : {}
  return `${path}: ${(await client.get(`/v1/tool/openaiPlus/${path}`, input)).msg}`
}

async function extend(robot: Robot, random: SeededRandom): Promise<string> {
  const begun = await robot.client.post('/v1/tool/openaiPlus/applyExtension', { platform: random.pick([1, 2, 3, 6]) })
  return begun.code === 200 ? payServicePrice(robot, random, { pay: begun.data.pay, what: 'extension' }) : begun.msg
}

async function takeNumber({ client }: Robot, random: SeededRandom): Promise<string> {
  const { data } = await client.get('/v1/tool/reward/overseaMobileStat')
  const row = random.pick(data.services as { type: number; countries: string[] }[])
  const { code, msg, data: number } = await client.post('/v1/tool/reward/overseaMobile/apply', { type: row.type })
  if (code !== 200) return msg
  if (random.percent(30)) return `cancelled: ${(await client.post('/v1/tool/reward/overseaMobile/cancel', { id: number.id })).msg}`
  const after = await client.get('/v1/tool/reward/overseaMobile/{id}', { id: number.id, version: number.version, waitSeconds: 1 })
  return `${number.service}: ${after.data?.state}`
}

async function buyNumbers(robot: Robot, random: SeededRandom): Promise<string> {
  const { code, msg, data } = await robot.client.post('/v1/tool/reward/overseaMobile/pack')
  return code === 200 ? payServicePrice(robot, random, { pay: data, what: 'pack of numbers' }) : msg
}

async function takeMailbox(robot: Robot, random: SeededRandom): Promise<string> {
  const { client } = robot
  const username = `r${Math.floor(random.fraction() * 1e9).toString(36)}box`.slice(0, 12)
  const { code, msg, data } = await client.post('/reward/email/apply', { username })
  if (code !== 200) return msg
  const paid = await payServicePrice(robot, random, { pay: data.pay, what: `mailbox ${username}` })
  await client.post('/reward/email/password', { id: data.box.id, password: 'open sesame 77', confirm: 'open sesame 77' })
  await client.post('/reward/email/message/list', { id: data.box.id })
  if (random.percent(20)) await client.post('/reward/email/close', { id: data.box.id })
  return paid
}

async function registerAccount(robot: Robot, random: SeededRandom): Promise<string> {
  const secret = { password: 'a horse of batteries', confirm: random.percent(90) ? 'a horse of batteries' : 'another horse' }
  const { code, msg, data } = await robot.client.post('/reward/openai/apply', { email: robot.person.email, ...secret })
  return code === 200 ? payServicePrice(robot, random, { pay: data.pay, what: 'registration' }) : msg
}

async function useProxy(robot: Robot, random: SeededRandom): Promise<string> {
  const { client } = robot
  if (random.percent(20)) return `end: ${(await client.post('/v1/tool/reward/proxy/end')).msg}`
  const { code, msg, data } = await client.post('/v1/tool/reward/proxy/apply')
  const paid = code === 200 ? await payServicePrice(robot, random, { pay: data.pay, what: 'proxy' }) : msg
  await client.get('/v1/tool/reward/proxy/available')
  return paid
}

async function useBrowser(robot: Robot, random: SeededRandom): Promise<string> {
  const path = random.pick(['activateTrial', 'apply', 'singleUseApply'])
  const { code, msg, data } = await robot.client.post(`/v1/tool/proxy/browser/${path}`)
  const paid = code === 200 ? await payServicePrice(robot, random, { pay: data.pay, what: path }) : `${path}: ${msg}`
  await expectOffered(robot, `/v1/tool/proxy/browser/${path}`, { page: '/browser', code })
  await robot.client.get('/v1/tool/proxy/browser/packageUseInfo')
  return paid
}

async function useRemote(robot: Robot, random: SeededRandom): Promise<string> {
  const { client } = robot
  const { code, msg, data } = await client.post('/reward/kasm/apply', { more: random.percent(10) })
  const paid = code === 200 ? await payServicePrice(robot, random, { pay: data.pay, what: 'remote browser' }) : msg
  await expectOffered(robot, '/reward/kasm/apply', { page: '/remote', code })
  await client.get('/reward/kasm/getUrl', { waitSeconds: 1 })
  await client.post('/reward/kasm/open')
  if (random.percent(50)) await client.post('/reward/kasm/end')
  return paid
}

const LINK = 'https://pay.openai.com/c/pay/cs_live_z1B2c3D4e5F6g7H8i9J0#fidkdWxOYHwnPyd1blpxYHZxWjA0'

async function upgrade(robot: Robot, random: SeededRandom): Promise<string> {
  const { client, person } = robot
  const { data: offer } = await client.post('/common/openAIPlus')
  const plan = random.pick(offer.plans as { id: string; service: string; team: number | null }[])
  const link = plan.service === 'chatgpt' ? LINK : ''
  const draft = await client.post('/reward/bindTask', { plan: plan.id, seats: plan.team ?? 1, account: person.email, link })
  if (draft.code !== 200) return `${plan.id}: ${draft.msg}`
  const { data: check } = await client.post('/reward/bindTask/cardCheck', { id: draft.data.id })
  const [card] = (check?.cards ?? []) as { id: string; problem: string | null }[]
  if (!card) return `${plan.id}: no card`
  await ensurePin(robot)
  const queued = await client.post('/reward/bindQueue', { id: draft.data.id, cardId: card.id, total: check.total, payPassword: person.pin })
  if (queued.code === 200 && random.percent(30)) await client.post('/reward/bindTask/leave', { id: draft.data.id })
  return `${plan.id}: ${queued.code === 200 ? queued.data.state : queued.msg}`
}

async function readServices({ client }: Robot): Promise<string> {
  const { data } = await client.get('/v1/service/list')
  const tasks = await client.get('/v1/service/tasks', { pageSize: 50 })
  const [first] = (tasks.data?.rowList ?? []) as { id: string }[]
  if (first) await client.get('/v1/service/task', { id: first.id })
  return `${data.running.length} running, ${tasks.data.totalRecord} in all`
}

async function cancelTask({ client }: Robot): Promise<string> {
  const { data } = await client.get('/v1/service/tasks', { live: 'true', pageSize: 50 })
  const draft = (data.rowList as { id: string; phase: string }[]).find(({ phase }) => phase === 'draft')
  return draft ? (await client.post('/v1/service/giveUp', { id: draft.id })).msg : 'nothing to give up'
}

export const serviceActs: readonly RobotAct[] = [
  { name: 'subscribe', weight: 4, run: subscribe },
  { name: 'use a subscription', weight: 2, run: useSubscription },
  { name: 'extend a subscription', weight: 1, run: extend },
  { name: 'take a number', weight: 2, run: takeNumber },
  { name: 'buy numbers', weight: 1, run: buyNumbers },
  { name: 'take a mailbox', weight: 2, run: takeMailbox },
  { name: 'have an account registered', weight: 2, run: registerAccount },
  { name: 'use the proxy', weight: 2, run: useProxy },
  { name: 'use the accelerated browser', weight: 2, run: useBrowser },
  { name: 'use the remote browser', weight: 2, run: useRemote },
  { name: 'upgrade an account', weight: 2, run: upgrade },
  { name: 'look at services', weight: 1, run: readServices },
  { name: 'give up a service', weight: 1, run: cancelTask },
]
