import { connect } from 'node:net'
import type { PlatformStrategy, Tools } from '../strategy.ts'

/** One request, byte for byte; answers the status of each reply on the connection. */
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

/** Heads that two readers understand differently. */
async function heads({ platform: { product }, must, needs }: Tools): Promise<void> {
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

/** Spellings of what is for this machine alone. */
async function metrics({ platform: { product }, must }: Tools): Promise<void> {
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
    must(`${path} shows figures to somebody outside`, !/^# HELP /m.test(text))
  }
}

/** The operators' side, asked at the customers' address and with a customer's token. */
async function desk({ platform: { product }, must, intruder }: Tools): Promise<void> {
  const { client } = await intruder(0)
  for (const path of ['/operator/work', '/operator/customers', '/operator/do/credit.give/preview', '/operator/signIn']) {
    const reply = await fetch(`${product.consoleUrl}${path}`, { headers: { accesstoken: client.token, operatortoken: client.token } })
    must(`${path} with a customer's token`, (await reply.text()).includes('"code":200') === false, reply.status)
    const here = await client.get(path)
    must(`${path} at the customers' address`, here.code !== 200)
  }
}

export const WEBS: readonly PlatformStrategy[] = [
  { name: 'odd-heads', tries: 'two Host headers, two lengths, smuggled requests and paths out of the folder', run: heads },
  { name: 'open-metrics', tries: 'other spellings of the path of the metrics, from outside', run: metrics },
  { name: 'other-door', tries: 'the operators’ side with a customer’s token', run: desk },
]
