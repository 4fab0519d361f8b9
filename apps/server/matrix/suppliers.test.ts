import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { reserveFreePort } from '#platform/testing/launch.ts'
import { createTestClock } from '#platform/testing/http.ts'
import { createLog } from '#platform/server/log.ts'
import { numberRegistry } from '#features/numbers/server/vendors/index.ts'
import { findChannelByName } from '#features/payments/server/vendors/index.ts'
import type { PaymentCompany } from '#stand-ins/kit/payments.ts'
import { PAYMENT_COMPANIES } from '#features/payments/server/testing/payment-companies.ts'
import type { PaymentCompanyEntry } from '#features/payments/server/testing/payment-companies.ts'
import type { Channel, OpenCall, RefundCall } from '#features/payments/server/vendors/port.ts'
import { payoutRegistry } from '#features/payments/server/withdrawals/vendors/index.ts'
import { startAlipayTransfers } from '#stand-ins/alipay/index.ts'
import { findRegistrationSupplier } from '#features/registration/server/vendors/index.ts'
import { findRemoteSupplier } from '#features/remote/server/vendors/index.ts'
import { features } from '../features.ts'
import { createHelperVendors } from './supplier-helpers.ts'
import type { WireVendor } from './supplier-helpers.ts'

// One suite over every port and vendor: the peer's behaviour on the wire decides the outcome.
const MODES = ['refused-connection', 'too-many', 'reset', 'timeout', 'error-500', 'garbage'] as const
type Mode = (typeof MODES)[number] | 'refusal'

interface Peer {
  readonly url: string
  mode: Mode
  /** Status and body of a documented refusal. */
  refusal: readonly [number, string]
  /** Responses to the reads that precede a write, by path. */
  prelude: (path: string) => string | undefined
}

const gone = `http://127.0.0.1:${await reserveFreePort()}`
const peer: Peer = { url: '', mode: 'garbage', refusal: [400, ''], prelude: () => undefined }
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const known = peer.prelude(request.url ?? '')
    if (known !== undefined) return void response.writeHead(200, { 'content-type': 'application/json' }).end(known)
    // A client whose deadline the test cannot set loses its connection instead.
    if (peer.mode === 'reset' || peer.mode === 'timeout') return void response.destroy()
    if (peer.mode === 'refusal') return void response.writeHead(peer.refusal[0], { 'content-type': 'application/json' }).end(peer.refusal[1])
    if (peer.mode === 'too-many') return void response.writeHead(429, { 'retry-after': '30' }).end('{}')
    if (peer.mode === 'error-500') return void response.writeHead(500).end('oops')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>502</html>')
  })
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
Object.assign(peer, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
const fakes: PaymentCompany[] = []
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await Promise.all([...fakes, helpers].map((fake) => fake.close()))
})

const clock = createTestClock()
const tools = {
  get fetch() {
    return globalThis.fetch
  },
  now: clock.now,
  log: createLog('silent'),
  publicUrl: () => 'https://shop.example',
  noticeUrl: () => 'https://shop.example/notify',
  secret: () => Buffer.alloc(32),
  query: async () => [],
}
type Work = () => Promise<unknown>
type Vendor = WireVendor
const helpers = await createHelperVendors()

const buildNumbersVendor = (
  name: string,
  env: (url: string) => Readonly<Record<string, string>>,
  { prelude, refusal }: { readonly prelude?: Vendor['prelude']; readonly refusal?: Vendor['refusal'] } = {},
): Vendor => ({
  port: 'numbers',
  vendor: name,
  connect: (url) => {
    const supplier = numberRegistry.getVendor(name).connect(env(url), tools)!
    const rented = { ref: '7', number: '+12135550100', since: new Date() }
    return {
      writes: { rent: () => supplier.rent({ key: 'try_1', service: 'openai', country: 'US', maxCost: 9_000_000_000n }), finish: () => supplier.finish(rented) },
      reads: { offer: () => supplier.offer({ service: 'openai', country: 'US' }), open: () => supplier.open(), balance: () => supplier.balance() },
    }
  },
  ...(prelude ? { prelude } : {}),
  ...(refusal ? { refusal } : {}),
})

const KASM = { KASM_KEY: 'key', KASM_SECRET: 'secret', KASM_IMAGE: 'img' }
const buildKasmVendor = (api: string, refusal: NonNullable<Vendor['refusal']>): Vendor => ({
  refusal,
  port: 'remote',
  vendor: 'kasm',
  connect: (url) => {
    const supplier = findRemoteSupplier({ config: { KASM_URL: url, KASM_API: api, ...KASM } } as never)!
    return { writes: { start: () => supplier.start('k1'), keepAlive: () => supplier.keepAlive('a:b') }, reads: { look: () => supplier.look('a:b') } }
  },
  // The public API first looks up the user of the key.
  prelude: (path) => (path.endsWith('/get_user') ? '{"user":{"user_id":"u","kasms":[]}}' : undefined),
})

const registration: Vendor = {
  port: 'registration',
  vendor: 'http',
  connect: (url) => {
    const config = { REGISTRATION_URL: url, REGISTRATION_KEY: 'k', REGISTRATION_SECRET: 's'.repeat(32) }
    const supplier = findRegistrationSupplier({ config, clock } as never, 'http')!
    return {
      writes: { submit: () => supplier.submit({ key: 'k', account: 'a@example.com', password: 'p', attempt: 1 }), cancel: () => supplier.cancel('1') },
      reads: { find: () => supplier.find('k'), look: () => supplier.look('1') },
    }
  },
}

async function buildChannelVendor({ make, transactionType, prelude, refusal }: PaymentCompanyEntry): Promise<Vendor> {
  const fake = await make({ now: clock.now, notifyUrl: () => 'http://127.0.0.1:1' })
  fakes.push(fake)
  return {
    port: 'payments.channel',
    vendor: fake.name,
    connect: (url) => {
      const env = Object.fromEntries(Object.entries(fake.env).map(([name, value]) => [name, value.replaceAll(fake.http.url, url)]))
      const one: Channel = findChannelByName({ config: { STAGE: 'development', ALLOW_SANDBOX: [], ...env } }, fake.name)!
      const tradeNo = '20261121-ABCDEFGHIJKL-1'
      const open: OpenCall = {
        ...{ tradeNo, payMinor: 14_745n, currency: one.manifest.currency, orderAmount: '20', subject: 'Mingxi 20 USD', transactionType, tradeFrom: 'QRCODE' },
        ...{ notifyUrl: 'https://shop.example/n', returnUrl: 'https://shop.example/r', expiresAt: new Date(clock.now().getTime() + 900_000) },
        ...{ payerIp: '203.0.113.7', payerAgent: 'test', lang: 'zh' },
      }
      const trade = { tradeNo, openedAt: clock.now(), channelRef: 'ref_1' }
      const paid = { channelTxn: 'pi_1', minor: 14_745n, currency: one.manifest.currency, paidAt: clock.now() }
      const refund: RefundCall = { refundNo: 'R1', trade, paid, minor: 100n, earlierMinor: 0n, reason: 'asked', notifyUrl: 'https://shop.example/n' }
      return {
        writes: { open: () => one.open(tools, open), refund: () => one.refund(tools, refund) },
        reads: { query: () => one.query(tools, trade), queryRefund: () => one.queryRefund(tools, refund) },
      }
    },
    ...(prelude ? { prelude } : {}),
    ...(refusal ? { refusal } : {}),
  }
}

async function buildTransfersVendor(): Promise<Vendor> {
  const fake = await startAlipayTransfers()
  return {
    port: 'payments.payout',
    vendor: 'alipay-transfer',
    connect: (url) => {
      const env = Object.fromEntries(Object.entries(fake.env).map(([name, value]) => [name, value.replace(/http:\/\/127\.0\.0\.1:\d+/, url)]))
      const payout = payoutRegistry.getVendor('alipay-transfer').connect(env)!
      const call = { payoutNo: 'W1', minor: 100n, account: 'a@b.cn', name: '王小明', identityNumber: '11010519491231002X', title: 'Mingxi' }
      return { writes: { send: () => payout.send(tools, call) }, reads: { query: () => payout.query(tools, 'W1') } }
    },
  }
}

const suite: readonly Vendor[] = [
  buildNumbersVendor('handler-api', (url) => ({ NUMBERS_HANDLER_API_URL: url, NUMBERS_HANDLER_API_KEY: 'k'.repeat(16) }), {
    prelude: (path) => (path.includes('action=getPrices') ? '{"187":{"dr":{"cost":1,"count":5}}}' : undefined),
    refusal: [200, 'NO_BALANCE'],
  }),
  buildNumbersVendor('5sim', (url) => ({ NUMBERS_5SIM_URL: url, NUMBERS_5SIM_TOKEN: 't'.repeat(16) }), {
    prelude: (path) => (path.includes('/guest/prices') ? '{"usa":{"openai":{"any":{"cost":1,"count":5,"rate":90}}}}' : undefined),
    refusal: [200, 'no free phones'],
  }),
  buildNumbersVendor('twilio', (url) => ({ NUMBERS_TWILIO_URL: url, NUMBERS_TWILIO_SID: `AC${'0'.repeat(32)}`, NUMBERS_TWILIO_TOKEN: 't'.repeat(16) }), {
    prelude: (path) => (path.includes('AvailablePhoneNumbers') ? '{"available_phone_numbers":[{"phone_number":"+12135550100"}]}' : undefined),
    refusal: [400, '{"code":21422}'],
  }),
  buildKasmVendor('session', [422, '{"type":"bad-image"}']),
  buildKasmVendor('public', [200, '{"error_message":"Invalid image"}']),
  registration,
  ...(await Promise.all(PAYMENT_COMPANIES.map(buildChannelVendor))),
  await buildTransfersVendor(),
  ...helpers.vendors,
]

/** Vendors that other tests cover, or that have no network protocol. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'cards.issuer': 'features/cards/server/vendors/vendors.test.ts',
  'payments.agreement': 'the same clients as payments.channel; features/payments/server/auto/real-channels.db.test.ts',
  'identity.store/local': 'a folder of this machine',
  'identity.ocr': 'a process of this machine: features/identity/server/ocr/papers.test.ts',
  'risk.captcha/altcha': 'computed here',
  'risk.captcha/slide': 'drawn and compared here',
  'notices.mail/smtp': 'no HTTP: features/notices/server/vendors/vendors.db.test.ts',
}

const readOutcome = (work: Work) =>
  work().then(
    (value) => ({ kind: 'answered' as const, reason: JSON.stringify(value, (_name, each: unknown) => (typeof each === 'bigint' ? String(each) : each)) }),
    (error: unknown) => asSupplierError(error),
  )

const send = globalThis.fetch
/** Reads before a write get a response; after that, nothing arrives in time. */
const timeOutFetch: typeof fetch = (input, init) =>
  peer.prelude(new URL(String(input)).pathname + new URL(String(input)).search) === undefined
    ? Promise.reject(new DOMException('the deadline is over', 'TimeoutError'))
    : send(input, init)
afterEach(() => vi.unstubAllGlobals())

describe.each(suite)('$port $vendor', ({ connect, prelude }) => {
  test.each(MODES)('%s', async (mode) => {
    peer.mode = mode
    peer.prelude = prelude ?? (() => undefined)
    if (mode === 'timeout') vi.stubGlobal('fetch', timeOutFetch)
    const { writes, reads } = connect(mode === 'refused-connection' ? gone : peer.url)
    const isNothing = mode === 'refused-connection' || mode === 'too-many'
    for (const [name, work] of Object.entries(writes)) {
      const { kind, reason } = await readOutcome(work)
      // A page that we sign is created without a call, so it cannot fail.
      if (kind === 'answered' && name === 'open') continue
      expect([name, mode, kind, reason]).toEqual([name, mode, isNothing ? 'retryable' : 'unknown', expect.any(String)])
    }
    for (const [name, work] of Object.entries(reads)) {
      const { kind, reason } = await readOutcome(work)
      expect([name, mode, kind, reason]).toEqual([
        name,
        mode,
        expect.stringMatching(prelude ? /^(retryable|unknown|answered)$/ : /^(retryable|unknown)$/),
        reason,
      ])
    }
  })
})

test.each(suite.filter(({ refusal }) => refusal))('$port $vendor: a documented refusal is definite', async ({ connect, prelude, refusal }) => {
  Object.assign(peer, { mode: 'refusal', refusal, prelude: prelude ?? (() => undefined) })
  const [first] = Object.values(connect(peer.url).writes)
  const { kind, reason } = await readOutcome(first!)
  // Channels report a refusal as a payment state.
  if (kind === 'answered') expect(reason).toContain('"refused"')
  else expect([kind, reason]).toEqual(['rejected', expect.any(String)])
})

test('every port and every real vendor is in this suite or names its test', () => {
  const here = new Set(suite.map(({ port, vendor }) => `${port}/${vendor}`))
  const all = features.flatMap(({ suppliers = [] }) =>
    suppliers.flatMap(({ port, vendors }) => vendors.filter((name) => name !== 'sandbox').map((name) => `${port}/${name}`)),
  )
  expect(all.length).toBeGreaterThan(20)
  expect(all.filter((name) => !here.has(name) && !(name in ELSEWHERE) && !(name.split('/')[0]! in ELSEWHERE))).toEqual([])
})

test('every folder of a vendor belongs to a registered port', () => {
  const root = join(import.meta.dirname, '../../../features')
  const rooms = readdirSync(root, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.name === 'port.ts' && /\/server\/(?:[^/]+\/)?vendors$/.test(entry.parentPath),
  )
  // Model vendors and chat widgets: no order waits for them.
  const open = rooms.filter(({ parentPath }) => !/\/(?:gateway|support)\/server\/vendors$/.test(parentPath))
  expect(open.length).toBeGreaterThanOrEqual(12)
  const known = new Set(features.flatMap(({ suppliers = [] }) => suppliers.flatMap(({ vendors }) => vendors)))
  const folders = open.flatMap(({ parentPath }) =>
    readdirSync(parentPath, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])),
  )
  const NAMES: Readonly<Record<string, string>> = { 'five-sim': '5sim' }
  expect(folders.filter((name) => !known.has(NAMES[name] ?? name))).toEqual([])
})
