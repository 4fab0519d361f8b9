import { expectEqual } from './act.ts'
import type { RobotAct, Robot } from './act.ts'
import { cardActs } from './cards.ts'
import { openingActs } from './opening.ts'
import { payingActs, ensureBalance } from './paying.ts'
import { serviceActs } from './services.ts'
import { accountActs, ensurePin, callWithStepUp } from './signing-up.ts'
import type { SeededRandom } from '../people/random.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { LANGS } from '#platform/shared/languages.ts'

interface WireFormat {
  readonly path: (model: string, stream: boolean) => string
  readonly models: readonly string[]
  readonly body: (model: string, text: string, options: { readonly stream: boolean; readonly most: number }) => object
  readonly auth: (secret: string) => Record<string, string>
}
const bearer = (secret: string): Record<string, string> => ({ authorization: `Bearer ${secret}` })
const ANY_MODELS = ['gpt-4.1-mini', 'gpt-5.2', 'claude-sonnet-5-5', 'gemini-2.5-flash'] as const

/** The four wire formats. Any model through Chat Completions, Responses and Messages; Gemini's own through Gemini. */
const WIRES: Readonly<Record<string, WireFormat>> = {
  chat: {
    path: () => '/v1/chat/completions',
    models: ANY_MODELS,
    auth: bearer,
    body: (model, text, { stream, most }) => ({ model, stream, max_completion_tokens: most, messages: [{ role: 'user', content: text }] }),
  },
  responses: {
    path: () => '/v1/responses',
    models: ANY_MODELS,
    auth: bearer,
    body: (model, text, { stream, most }) => ({ model, stream, max_output_tokens: most, input: text }),
  },
  messages: {
    path: () => '/v1/messages',
    models: ANY_MODELS,
    auth: (secret) => ({ 'x-api-key': secret, 'anthropic-version': '2023-06-01' }),
    body: (model, text, { stream, most }) => ({ model, stream, max_tokens: most, messages: [{ role: 'user', content: text }] }),
  },
  gemini: {
    path: (model, stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    models: ['gemini-2.5-flash', 'gemini-3.8-flash'],
    auth: (secret) => ({ 'x-goog-api-key': secret }),
    body: (_model, text, { most }) => ({ contents: [{ role: 'user', parts: [{ text }] }], generationConfig: { maxOutputTokens: most } }),
  },
}

const TEXTS = ['你好', 'Say hello', 'Hi [[sandbox:tokens=120]]', '写一首关于账单的诗', 'Hi [[sandbox:thinking=60]]']
/** Faults of model vendors, triggered by words in the call, as /sandbox lists them. */
const VENDOR_FAULTS = ['error', 'rate-limit', 'overloaded', 'close', 'bad-json', 'cut,event=3', 'mid-error,event=2', 'usage-none', 'truncate,event=3']

/** Makes one call. Returns the status and how it ended. */
async function callModel(robot: Robot, random: SeededRandom): Promise<string> {
  if (random.percent(50)) await ensureBalance(robot, random, 2)
  const key = robot.memory.keys.length ? random.pick(robot.memory.keys) : await makeKey(robot)
  if (!key) return 'no key'
  const name = random.pick(Object.keys(WIRES))
  const { path, models, body, auth } = WIRES[name]!
  const [model, stream] = [random.percent(95) ? random.pick(models) : 'missing-model', random.percent(50)]
  const fault = random.percent(20) ? ` [[sandbox:fault=${random.pick(VENDOR_FAULTS)}]]` : ''
  const text = random.pick(TEXTS) + fault
  const reply = await robot.client.fetch(path(model, stream), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...auth(key.secret) },
    body: JSON.stringify(body(model, text, { stream, most: random.pick([16, 64, 400]) })),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  const got = await (random.percent(12) ? leaveEarly(reply) : reply.text()).catch((error: Error) => `broken off: ${error.name}`)
  if (reply.status === 500)
    robot.report({ rule: 'no server error', subject: `${name} ${model}`, seen: got.slice(0, 200), expected: 'an answer in the vendor’s form' })
  // a client that disconnected early has not read the refusal
  if (reply.status !== 200 && got !== LEFT_EARLY && !/[{"]/.test(got))
    robot.report({ rule: 'a refusal in the vendor’s form', subject: `${name} ${reply.status}`, seen: got.slice(0, 200), expected: 'JSON' })
  return `${name} ${model}${stream ? ', streamed' : ''}${fault}: ${reply.status}, ${got.length} bytes`
}

const LEFT_EARLY = 'left'
async function leaveEarly(reply: Response): Promise<string> {
  const reader = reply.body!.getReader()
  await reader.read()
  await reader.cancel()
  return LEFT_EARLY
}

async function makeKey(robot: Robot): Promise<{ keyId: string; secret: string } | undefined> {
  const { code, data } = await callWithStepUp(robot, '/user/key/generate', {
    keyName: `robot ${robot.memory.keys.length + 1}`,
    requestKey: crypto.randomUUID(),
  })
  if (code !== 200) return undefined
  const key = { keyId: data.keyId as string, secret: data.apiToken as string }
  robot.memory.keys.push(key)
  return key
}

async function createNewKey(robot: Robot, random: SeededRandom): Promise<string> {
  await ensureBalance(robot, random, 1)
  return (await makeKey(robot))?.keyId ?? 'refused'
}

const LIMITS = [
  { dayBudget: '0.01' },
  { monthBudget: '100' },
  { requestsPerMinute: 1 },
  { models: ['claude-*'] },
  { networks: ['10.0.0.0/8'] },
  { expiresAt: '2020-01-01T00:00:00Z' },
  { concurrency: 1, onDisconnect: 'drain' },
  { models: ['no-such-model-anywhere'] },
  {},
]

async function limitKey(robot: Robot, random: SeededRandom): Promise<string> {
  const [key] = robot.memory.keys
  if (!key) return 'no key'
  const limits = random.pick(LIMITS)
  const { msg } = await callWithStepUp(robot, '/user/key/update', { keyId: key.keyId, keyName: random.pick(['laptop', '公司电脑', 'x'.repeat(50)]), limits })
  return `${JSON.stringify(limits)}: ${msg}`
}

async function deleteAnyKey(robot: Robot): Promise<string> {
  const key = robot.memory.keys.shift()
  if (!key) return 'no key'
  const { msg } = await robot.client.post('/user/key/delete', { keyId: key.keyId })
  const reply = await robot.client.fetch('/v1/models', { headers: bearer(key.secret) })
  await new Promise((done) => setTimeout(done, 1_200))
  const later = await robot.client.fetch('/v1/models', { headers: bearer(key.secret) })
  expectEqual(robot, 'a deleted key is refused within a second', { subject: key.keyId, seen: later.status, expected: 401 })
  return `${msg}, ${reply.status}`
}

async function rotate(robot: Robot): Promise<string> {
  const key = robot.memory.keys.pop()
  if (!key) return 'no key'
  const { code, msg, data } = await callWithStepUp(robot, '/user/key/rotate', { keyId: key.keyId, requestKey: crypto.randomUUID() })
  robot.memory.keys.push(code === 200 ? { keyId: key.keyId, secret: data.apiToken } : key)
  return msg
}

async function readUsage({ client }: Robot, random: SeededRandom): Promise<string> {
  const [path, input] = random.pick<readonly [string, Record<string, unknown>]>([
    ['/user/usage', {}],
    ['/user/usage/series', {}],
    ['/user/usage/calls', {}],
    ['/user/usage/summary', {}],
    ['/user/usage.csv', { from: '2026-01-01', to: '2026-12-31' }],
    ['/user/key/spend', {}],
    ['/user/key/list', { includeDeleted: 'true' }],
    ['/user/requests', {}],
    ['/user/own_prices', {}],
  ])
  return `${path}: ${(await client.get(path, input)).code}`
}

const callActs: readonly RobotAct[] = [
  { name: 'call a model', weight: 10, run: callModel },
  { name: 'make a key', weight: 3, run: createNewKey },
  { name: 'limit a key', weight: 1, run: limitKey },
  { name: 'delete a key', weight: 1, run: deleteAnyKey },
  { name: 'rotate a key', weight: 0.5, run: rotate },
  { name: 'look at usage', weight: 2, run: readUsage },
]

const month = (): string => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7)

/** Alipay accounts; some trigger a fault of the sandbox. */
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
  if (paid) await client.post('/v1/pay/receipt', { orderNo: paid.orderNo, lang: random.pick(LANGS) })
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
    if (code === 200)
      expectEqual(robot, 'an order shows what was paid', { subject: detail.orderNo, seen: (order.order ?? order).total, expected: detail.total })
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

/** Deletes the account, rarely, because it ends the person's acts. The remaining money must be settled first. */
async function deleteAccount(robot: Robot): Promise<string> {
  const { client, person, memory } = robot
  const { data } = await client.get('/user/deleteAccount/check')
  const { code, msg } = await client.post('/v1/user/deleteAccount', { password: person.password })
  memory.isGone = code === 200
  if (memory.isGone && data.blockers.length)
    robot.report({ rule: 'an account with open business stays', subject: memory.userId, seen: 'closed', expected: JSON.stringify(data.blockers) })
  return memory.isGone ? 'closed' : `${msg} (${data.blockers.length} in the way)`
}

const leavingActs: readonly RobotAct[] = [
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

export const ROBOT_ACTS: readonly RobotAct[] = [...payingActs, ...callActs, ...openingActs, ...cardActs, ...serviceActs, ...leavingActs, ...accountActs]
