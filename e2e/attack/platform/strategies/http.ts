import { connect } from 'node:net'
import type { PlatformStrategy, StrategyTools } from '../strategy.ts'

/** Sends one raw request; returns the status of each reply on the connection. */
function raw(site: string, bytes: string): Promise<{ statuses: number[]; text: string }> {
  const { port } = new URL(site)
  return new Promise((done) => {
    let text = ''
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes))
    const end = (): void => {
      clearTimeout(timer)
      socket.destroy()
      done({ statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)), text })
    }
    const timer = setTimeout(end, 1_500)
    socket
      .on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
      .on('error', end)
      .on('close', end)
  })
}

const FORWARDED = 'x-forwarded-for: 45.12.8.9\r\n'

/** Sends request heads that two parsers read differently. */
async function tryAmbiguousHeads({ platform: { product }, must, needs }: StrategyTools): Promise<void> {
  const site = product.siteUrl
  const host = new URL(site).host
  const get = (more: string, path = '/user/info'): string => `GET ${path} HTTP/1.1\r\n${more}connection: close\r\n\r\n`
  const honest = await raw(site, get(`host: ${host}\r\n`, '/healthz'))
  needs('an honest request', honest.statuses[0] === 200, honest.statuses)
  const doubled = [
    `host: ${host}\r\nhost: evil.test\r\n`,
    `host: evil.test\r\nhost: ${host}\r\n`,
    `host: ${host}\r\nHost: ${host}\r\n`,
    `host: ${host}\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n`,
    `host: ${host}\r\ncontent-length: 5\r\ncontent-length: 6\r\n`,
  ]
  for (const head of doubled) {
    const { statuses } = await raw(site, get(head, '/healthz'))
    must(`a head with ${JSON.stringify(head)}`, statuses.length === 0 || statuses[0]! >= 400, statuses)
  }
  const smuggled = `POST /user/passwordLogin HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: ${host}\r\n\r\n`
  const { statuses } = await raw(site, smuggled)
  must('a second request smuggled behind the first', !statuses.includes(200), statuses)
  for (const path of [
    'http://evil.test/healthz',
    '//evil.test/user/info',
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/..%5c..%5cpackage.json',
  ]) {
    const { text } = await raw(site, get(`host: ${host}\r\n`, path))
    must(`${path} shows a file`, !/root:|"dependencies"/.test(text))
  }
}

/** Tries alternative spellings of paths that only this machine may read. */
async function tryMetricsPaths({ platform: { product }, must }: StrategyTools): Promise<void> {
  const site = product.siteUrl
  const host = new URL(site).host
  const paths = [
    '/metrics',
    '/%6detrics',
    '/metric%73',
    '//metrics',
    '/./metrics',
    '/x/../metrics',
    '/metrics/',
    '/METRICS',
    '/metrics?x',
    '/metrics;x',
    '/metrics%00',
    '/%2fmetrics',
  ]
  for (const path of paths) {
    const { text } = await raw(site, `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${FORWARDED}connection: close\r\n\r\n`)
    must(`${path} shows figures to a client outside`, !/^# HELP /m.test(text))
  }
}

/** Operator routes: reads, and one command. */
const OPERATOR_ROUTES: readonly (readonly [path: string, body?: object])[] = [
  ['/operator/work'],
  ['/operator/customers'],
  ['/operator/do/credit.grant/preview', { user: '', amount: '5', purpose: 'goodwill', days: 30 }],
]

/** Calls operator routes with a customer's token, without one, and at the customers' origin. */
async function tryOperatorRoutes({ platform, must, needs, intruder }: StrategyTools): Promise<void> {
  const { client, userId } = await intruder(0)
  const operator = await platform.owner()
  const { consoleUrl, siteUrl } = platform.product
  const isOpen = async (site: string, [path, body]: (typeof OPERATOR_ROUTES)[number], headers: Readonly<Record<string, string>>): Promise<boolean> => {
    const sent = body ? { method: 'POST', body: JSON.stringify({ ...body, user: userId }) } : {}
    const reply = await fetch(`${site}${path}`, { ...sent, headers: { 'content-type': 'application/json', ...headers } })
    return (await reply.text()).includes('"code":200')
  }
  const [asCustomer, asOperator] = [{ accesstoken: client.token, operatortoken: client.token }, { operatortoken: operator.token() }]
  for (const door of OPERATOR_ROUTES) {
    needs(`${door[0]} for an operator`, await isOpen(consoleUrl, door, asOperator))
    must(`${door[0]} without a token`, !(await isOpen(consoleUrl, door, {})))
    must(`${door[0]} with a customer's token`, !(await isOpen(consoleUrl, door, asCustomer)))
    must(`${door[0]} with a customer's token at the customers' address`, !(await isOpen(siteUrl, door, asCustomer)))
    must(`${door[0]} with an operator's token at the customers' address`, !(await isOpen(siteUrl, door, asOperator)))
  }
}

export const HTTP_STRATEGIES: readonly PlatformStrategy[] = [
  { name: 'odd-heads', tries: 'two Host headers, two lengths, smuggled requests and paths out of the folder', run: tryAmbiguousHeads },
  { name: 'open-metrics', tries: 'other spellings of the path of the metrics, from outside', run: tryMetricsPaths },
  { name: 'other-door', tries: 'routes of operators with a customer’s token, and at the customers’ address', run: tryOperatorRoutes },
]
