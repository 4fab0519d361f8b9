import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { waitPatiently } from '../intruder.ts'
import type { PlatformStrategy, StrategyTools } from '../strategy.ts'

const isDone = ({ state }: { readonly state: string }): boolean => state === 'done'

/** A supply operator alone runs a test call to obtain the keys of vendors and other suppliers at an address of their choice. */
async function trySupplyKeys({ platform, must }: StrategyTools): Promise<void> {
  const supply = await platform.insider('supply')
  const sent: string[] = []
  const server = createServer((request, response) => {
    sent.push(String(request.headers.authorization ?? request.headers['x-api-key'] ?? ''))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    for (const [upstreamId, credential] of [
      ['thief-one', 'OPENAI_API_KEY'],
      ['thief-two', 'LITHIC_API_KEY'],
      ['thief-three', 'UPSTREAM_THIEF_KEY'],
    ] as const) {
      const change = await supply.command('upstream.change', { upstreamId, vendor: 'openai', baseUrl: address, credentialEnv: credential }, 'maintenance')
      must(`supply alone sends ${credential} to an own address`, !isDone(change), change)
      if (credential === 'UPSTREAM_THIEF_KEY') must('an own upstream needs no second person', change.state === 'waiting', change)
      else must(`${credential} waits to be approved for a foreign address`, change.state !== 'waiting', change)
      await supply.command('upstream.test', { upstreamId, model: 'gpt-4o' }, 'maintenance')
    }
    await waitPatiently(2_000)
    must('a test call reaches the own address', sent.length === 0, sent)
  } finally {
    server.close()
  }
}

/** A support operator alone tries to publish a warning on every page with a link to a foreign site. */
async function tryForeignWarnings({ platform, must, needs }: StrategyTools): Promise<void> {
  const support = await platform.insider('support')
  const now = Date.now() + platform.product.movedMs()
  const words = (href: string, n: number) => ({
    ...{
      kind: 'warning',
      place: 'everywhere',
      titleZh: `请重新登录 ${n}`,
      titleEn: `Sign in again ${n}`,
      textZh: '账户有风险',
      textEn: 'Account at risk',
      href,
    },
    ...{ from: new Date(now).toISOString(), until: new Date(now + 3_600_000).toISOString() },
  })
  needs('an announcement without a link', isDone(await support.command('announcement.plan', words('', 0), 'incident')))
  const links = [
    'https://evil.example/sign-in',
    'https://localhost.evil.example/',
    'https://evil.example\\@localhost/',
    '//evil.example',
    'https://LOCALHOST@evil.example/',
  ]
  for (const [n, href] of links.entries()) {
    const planned = await support.command('announcement.plan', words(href, n + 1), 'incident')
    must(`a warning with the link ${href}`, !isDone(planned), planned)
  }
  const reply = await fetch(`${platform.product.siteUrl}/announcements.json`)
  must('a page shows a foreign link', !(await reply.text()).includes('evil.example'))
}

/** Fails to sign in as an operator from outside: the operator can still sign in from a known address. */
async function tryLockout({ platform, must, needs }: StrategyTools): Promise<void> {
  const { product } = platform
  const { mail } = await platform.insider('auditor')
  const signIn = async (password: string, ip?: string): Promise<{ code: number }> => {
    const headers = { 'content-type': 'application/json', ...(ip ? { 'x-forwarded-for': ip } : {}) }
    const reply = await fetch(`${product.consoleUrl}/operator/signIn`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ mail, password, code: '000000' }),
    })
    return (await reply.json()) as { code: number }
  }
  const wrong = await Promise.all(Array.from({ length: 90 }, (_, n) => signIn('not the password', `45.80.${n % 9}.${n + 1}`)))
  must(
    'a wrong password signs in',
    wrong.every(({ code }) => code !== 200),
  )
  needs(
    'a limit for strangers',
    wrong.some(({ code }) => code === LOCKED),
    wrong.map(({ code }) => code).slice(-3),
  )
  must('strangers lock an operator out of a known address', (await signIn(product.demo.password)).code !== LOCKED)
}
const LOCKED = 5002

export const INSIDER_STRATEGIES: readonly PlatformStrategy[] = [
  { name: 'insider-keys', tries: 'the role supply alone sends keys of vendors and of an issuer to an own address', run: trySupplyKeys },
  { name: 'operator-lock', tries: 'ninety wrong sign-ins from outside lock an operator out', run: tryLockout },
  { name: 'insider-warnings', tries: 'the role support alone links every page to a foreign site', run: tryForeignWarnings },
]
