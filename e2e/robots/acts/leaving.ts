import type { SeededRandom } from '../people/random.ts'
import { expectEqual } from './act.ts'
import type { RobotAct, Robot } from './act.ts'
import { ensurePin } from './signing-up.ts'

const month = (): string => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7)

/** Accounts at Alipay; the sandbox goes wrong in its own way with some. */
const PAYEES = [
  'wang@example.com',
  'pending@sandbox.example',
  'account@sandbox.example',
  'lost-after@sandbox.example',
  'returned@sandbox.example',
  'held@sandbox.example',
]

async function requestWithdrawal(robot: Robot, random: SeededRandom): Promise<string> {
  const { client, person } = robot
  await ensurePin(robot)
  const { data: quote } = await client.get('/v1/userWrapperApi/withdrawQuote')
  const amount = random.pick([undefined, quote.min, quote.withdrawable, '10', '0.01', '5000'])
  const payee =
    quote.account && random.percent(70)
      ? {}
      : { alipayIdentity: random.pick(PAYEES), alipayRealName: person.chineseName.replaceAll('·', '') || '王小明', identityNumber: '11010519491231002X' }
  const { code, msg, data } = await client.post('/v1/userWrapperApi/balanceRefund', { ...(amount ? { amount } : {}), ...payee, payPassword: person.pin })
  if (code !== 200) return `${amount ?? 'all'}: ${msg}`
  if (random.percent(20))
    return `${data.withdrawalNo} taken back: ${(await client.post('/v1/userWrapperApi/cancelWithdrawal', { withdrawalNo: data.withdrawalNo })).msg}`
  return `${data.withdrawalNo} ${data.amount}: ${data.state}`
}

async function refund({ client, memory }: Robot, random: SeededRandom): Promise<string> {
  if (!memory.paid.length) return 'nothing was paid'
  const { orderNo } = random.pick(memory.paid)
  const detail = await client.get('/v1/pay/orderDetail', { orderNo })
  const { code, msg, data } = await client.post('/pay/refund', { orderNo, ...(random.percent(50) ? { amount: '5' } : {}), reason: '买错了' })
  return `${orderNo} (${detail.data?.state}): ${code === 200 ? data.state : msg}`
}

async function requestInvoice({ client, memory }: Robot, random: SeededRandom): Promise<string> {
  const [paid] = memory.paid
  if (paid) await client.post('/v1/pay/receipt', { orderNo: paid.orderNo, lang: random.pick(['zh', 'en']) })
  const preview = await client.get('/v1/userWrapperApi/usageStat/invoicePreview', { month: month() })
  if (preview.code !== 200) return preview.msg
  const to = {
    userName: 'Wang Xiaoming',
    email: 'books@example.com',
    country: 'China',
    state: 'Guangdong',
    city: 'Shenzhen',
    addressLine: '1 Keji Road',
    postalCode: '518057',
  }
  const issued = random.percent(70)
    ? await client.post('/v1/userWrapperApi/usageStat/applyInvoice', {
        month: month(),
        agreedFee: preview.data.fee.includes('.') ? Number(preview.data.fee).toFixed(2) : `${preview.data.fee}.00`,
        ...to,
      })
    : await client.post('/v1/userWrapperApi/usageStat/askInvoice', { month: month(), ...to, userName: 'A & B 2 Ltd.', agreedFee: '20.00', note: '请写税号' })
  await client.get('/v1/pay/paperList')
  return issued.code === 200 ? (issued.data.paperNo ?? issued.data.requestNo) : issued.msg
}

async function statements(robot: Robot): Promise<string> {
  const { client } = robot
  await client.get('/user/statement.csv', {})
  const { data } = await client.get('/user/statement', { limit: 50 })
  await client.get('/v1/pay/orderList', { pageSize: 50 })
  const detail = robot.memory.paid.at(-1)
  if (detail) {
    const { data: order, code } = await client.get('/v1/pay/orderDetail', { orderNo: detail.orderNo })
    if (code === 200) expectEqual(robot, 'an order shows what was paid', detail.orderNo, (order.order ?? order).total, detail.total)
  }
  return `${data.rowList.length} entries`
}

async function invite({ client, codes }: Robot, random: SeededRandom): Promise<string> {
  const { data } = await client.get('/invitation/info')
  const code: string | undefined = data.code ?? data.inviteCode
  if (code && !codes.includes(code)) codes.push(code)
  if (random.percent(30))
    await client.post('/invitation/code', {
      code: `R${Math.floor(random.fraction() * 1e7)
        .toString(36)
        .toUpperCase()}`,
    })
  await client.get('/v1/fission/getInvitationRewardStat')
  await client.post('/invitation/list', { filter: 'all' })
  return code ?? 'no code'
}

async function withdrawReward(robot: Robot): Promise<string> {
  await ensurePin(robot)
  const payee = { alipayIdentity: 'wang@example.com', alipayRealName: '王小明', identityNumber: '11010519491231002X' }
  return (await robot.client.post('/invitation/withdrawal', { ...payee, payPassword: robot.person.pin })).msg
}

async function submitComplaint({ client, person, memory }: Robot, random: SeededRandom): Promise<string> {
  const orderNo = memory.paid.at(-1)?.orderNo
  const content = random.pick(['钱扣了卡没有', 'The page shows another amount than I paid.', '🤷', '<b>请回复</b>'])
  if (random.percent(50)) return (await client.post('/common/complaint', { content, email: person.email, ...(orderNo ? { orderNo } : {}) })).msg
  return (await client.post('/common/support/start', { clientId: crypto.randomUUID(), text: content })).msg
}

async function tryAutoRecharge({ client }: Robot, random: SeededRandom): Promise<string> {
  const { data } = await client.get('/v1/pay/autoRecharge')
  if (data.state !== 'off' && random.percent(50)) return (await client.post(`/v1/pay/autoRecharge/${random.pick(['stop', 'resume'])}`)).msg
  const [method] = data.methods as { channelType: number; transactionType: number }[]
  if (!method) return 'no method'
  const plan = { threshold: '5', amount: '10', dayMost: '35', monthMost: '200', agreed: true, consentVersion: data.consentVersion }
  const { channelType, transactionType } = method
  const started = await client.post('/v1/pay/autoRecharge/start', { ...plan, channelType, transactionType })
  if (started.code !== 200) return started.msg
  await client.fetch(started.data.payUrl, { method: 'POST', body: new URLSearchParams({ action: 'agree' }) })
  return (await client.post('/v1/pay/autoRecharge/check')).data?.state
}

/** Rarely: it ends what the person can do. Money that is left must have been settled first. */
async function deleteAccount(robot: Robot): Promise<string> {
  const { client, person, memory } = robot
  const { data } = await client.get('/user/deleteAccount/check')
  const { code, msg } = await client.post('/v1/user/deleteAccount', { password: person.password })
  memory.isGone = code === 200
  if (memory.isGone && data.blockers.length)
    robot.report({ rule: 'an account with open business stays', subject: memory.userId, seen: 'closed', expected: JSON.stringify(data.blockers) })
  return memory.isGone ? 'closed' : `${msg} (${data.blockers.length} in the way)`
}

export const leavingActs: readonly RobotAct[] = [
  { name: 'withdraw', weight: 4, run: requestWithdrawal },
  { name: 'ask for a refund', weight: 3, run: refund },
  { name: 'ask for receipts and invoices', weight: 2, run: requestInvoice },
  { name: 'look at statements', weight: 2, run: statements },
  { name: 'invite', weight: 2, run: invite },
  { name: 'withdraw rewards', weight: 0.5, run: withdrawReward },
  { name: 'complain', weight: 1, run: submitComplaint },
  { name: 'recharge by itself', weight: 1, run: tryAutoRecharge },
  { name: 'delete the account', weight: 0.4, run: deleteAccount },
]
