import { randomUUID } from 'node:crypto'
import { waitForValue } from '#platform/testing/patience.ts'
import { buildBasicAuth, fetchByProxy, openSocks, openTunnel } from '#features/proxy/server/testing/proxy-clients.ts'
import type { PlatformStrategy, StrategyTools } from '../strategy.ts'

/** A name under the attacker's domain (../resolver.ts); for some kinds the second query gets a different answer. */
const KINDS = ['later', 'turns', 'both', 'mapped', 'nat64', 'zero', 'azure', 'metadata'] as const
const nameOf = (kind: string): string => `${kind}-${randomUUID().slice(0, 8)}.rebind.test`
/** Names whose first answer may be dialled; the internal service shows if a later answer was dialled. */
const STARTS_PUBLIC = /^(?:later|turns)-/
/** Spellings of addresses of this machine, of the cloud metadata service and of a private network. */
const ADDRESSES = [
  ...['127.0.0.7', '127.1', '2130706439', '0x7f000007', '0177.0.0.7', '127.0.0.7.', '[::ffff:127.0.0.7]', '[::ffff:7f00:7]', '[64:ff9b::7f00:7]'],
  ...['169.254.169.254', '[fd00:ec2::254]', '[::]', '0', '168.63.129.16', '100.100.100.200', 'metadata.google.internal', 'localhost', 'LOCALHOST.'],
]

/** Sends CONNECT, SOCKS5 and plain requests through our proxy as a customer, with repeated queries for each name. */
async function tryThroughProxy({ intruder, must, needs, platform }: StrategyTools): Promise<void> {
  const rider = await intruder(30)
  await rider.pin()
  const { data: begun, msg } = await rider.client.post('/v1/tool/reward/proxy/apply')
  needs('a way through the proxy', begun !== undefined, msg)
  if (begun.pay) await rider.pay({ orderType: begun.pay.orderType, amount: begun.pay.amount, service: begun.pay.service })
  const use = await waitForValue(async () => (await rider.client.get('/v1/tool/reward/proxy/available')).data?.account ?? undefined, 'a proxy account')
  const { port, username, password } = use as { port: number; username: string; password: string }
  const names = [...KINDS.flatMap((kind) => [nameOf(kind), nameOf(kind)]), ...ADDRESSES]
  const site = new URL(platform.product.siteUrl).port
  for (const name of names) {
    const asked = Array.from({ length: 3 }, () => openTunnel(port, `${name}:80`, buildBasicAuth(username, password)))
    const tunnels = await Promise.all(asked)
    for (const { status, socket } of tunnels) {
      must(`CONNECT to ${name}`, status !== 200 || STARTS_PUBLIC.test(name), status)
      socket.destroy()
    }
    const bare = name.replace(/^\[|\]$/g, '')
    const { code, socket } = await openSocks(port, bare, { port: 80, username, password })
    must(`SOCKS5 to ${name}`, code !== 0 || STARTS_PUBLIC.test(name), code)
    socket.destroy()
    const page = await fetchByProxy(port, `http://${name}/latest/meta-data/`, buildBasicAuth(username, password)).catch(() => ({ status: 0, body: '' }))
    must(`GET of http://${name}/`, !page.body.includes('metadata'), page.status)
  }
  for (const inner of [site, new URL(platform.product.consoleUrl).port, String(port), '5432'])
    must(`CONNECT to our own port ${inner}`, (await openTunnel(port, `127.0.0.1:${inner}`, buildBasicAuth(username, password))).status !== 200)
}

/** Registers alert URLs, which this server calls itself. */
async function tryThroughWebhooks({ intruder, must, needs }: StrategyTools): Promise<void> {
  const owner = await intruder(5)
  let last = 0
  for (const host of [...KINDS.map(nameOf), nameOf('later'), '127.0.0.7', '[::ffff:127.0.0.7]', '169.254.169.254', '2130706439', 'localhost']) {
    const saved = await owner.client.post('/user/alerts', { webhookUrl: `https://${host}/hook` })
    must(`a webhook at ${host} is taken`, true)
    if (saved.code !== 200) continue
    const { code, msg } = await owner.client.post('/user/alerts/test')
    if (code !== 200) break
    last++
    needs('a test of a webhook', true, msg)
  }
  needs('at least one webhook that is tried', last > 0)
  const sent = await waitForValue(async () => {
    const { data } = await owner.client.get('/user/alerts')
    const rows = data.deliveries as { state: string }[]
    return rows.some(({ state }) => state === 'sent') || rows.length > 0 ? rows : undefined
  }, 'a delivery')
  must(
    'a webhook is delivered inside',
    sent.every(({ state }) => state !== 'sent'),
  )
}

async function run(tools: StrategyTools): Promise<void> {
  const before = tools.platform.innerCalls()
  await Promise.all([tryThroughProxy(tools), tryThroughWebhooks(tools)])
  const reached = tools.platform.innerCalls() - before
  tools.must('the door that only this machine may reach is reached', reached === 0, reached)
}

export const REBINDING_STRATEGIES: readonly PlatformStrategy[] = [
  { name: 'dns-rebinding', tries: 'names that answer otherwise the second time, and other spellings of inner addresses, by proxy and webhooks', run },
]
