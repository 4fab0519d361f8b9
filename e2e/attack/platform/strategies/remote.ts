import { WebSocket } from 'ws'
import { waitForValue } from '#platform/testing/patience.ts'
import { REMOTE_SOCKET_PROTOCOL, REMOTE_SOCKET_PATH } from '#features/remote/wire.ts'
import { explainMissingBrowser } from '#features/remote/server/testing/missing-browser.ts'
import { isRefusedReply, runTogether } from '../intruder.ts'
import type { Intruder } from '../intruder.ts'
import type { PlatformStrategy, StrategyTools } from '../strategy.ts'

interface ScreenConnection {
  readonly status: number
  readonly told: any[]
  wish(one: object): void
  isOpen(): boolean
  close(): void
}

function connectToScreen(site: string, ticket: string, headers: Readonly<Record<string, string>> = {}): Promise<ScreenConnection> {
  const told: any[] = []
  const socket = new WebSocket(`${site.replace(/^http/, 'ws')}${REMOTE_SOCKET_PATH}`, [REMOTE_SOCKET_PROTOCOL, ticket || 'x'], { headers })
  const wish = (one: object): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(one))
  }
  socket.on('message', (data: Buffer, isBinary) => (isBinary ? wish({ do: 'drawn' }) : told.push(JSON.parse(data.toString()))))
  socket.on('error', () => undefined)
  return new Promise((done) => {
    const screen = (status: number): ScreenConnection => ({
      status,
      told,
      wish,
      isOpen: () => socket.readyState === socket.OPEN,
      close: () => socket.terminate(),
    })
    socket.on('open', () => done(screen(101)))
    socket.on('unexpected-response', (_request, reply) => done(screen(reply.statusCode ?? 0)))
    socket.on('close', () => done(screen(0)))
  })
}

/** True if a socket shows a session: it stays open and reports a page. */
async function showsSession(screen: ScreenConnection): Promise<boolean> {
  if (screen.status !== 101) return false
  await waitForValue(() => !screen.isOpen() || screen.told.length > 0 || undefined, 'what a socket says')
  const isShown = !screen.told.some(({ tell }) => tell === 'over')
  screen.close()
  return isShown
}

const TARGETS = [
  ...[
    'http://127.0.0.7/',
    'http://169.254.169.254/latest/meta-data/',
    'http://later-a.rebind.test/',
    'http://both-a.rebind.test/',
    'http://[::ffff:127.0.0.7]/',
  ],
  ...[
    'http://0x7f000007/',
    'file:///etc/passwd',
    'view-source:file:///etc/passwd',
    'chrome://version/',
    'chrome://net-export/',
    'devtools://devtools/bundled/inspector.html',
  ],
  ...['data:text/html,<title>inner</title><img src=http://127.0.0.7/a.png><iframe src=http://127.0.0.7/></iframe>', 'javascript:document.title=1'],
]
/** Titles or addresses that would show internal content. */
const INNER_PATTERN = /metadata|root:|\/etc\/passwd|sandbox|明细|Mingxi|About Version|DevTools/i

async function openReadySession({ needs, intruder }: StrategyTools): Promise<Intruder> {
  const one = await intruder(60)
  await one.card(26)
  const applied = await one.client.post('/reward/kasm/apply', { more: false })
  needs('a remote browser', applied.code === 200, applied.msg)
  const { pay } = applied.data
  if (pay) await one.pay({ orderType: pay.orderType, amount: pay.amount, service: pay.service })
  await waitForValue(async () => (await one.client.get('/user/getKasm')).data.session?.state === 'ready' || undefined, 'a browser that stands', 300)
  return one
}

async function run(tools: StrategyTools): Promise<void> {
  const { must, needs, platform } = tools
  const why = await explainMissingBrowser()
  needs('a Chromium on this machine', !why, why)
  const before = platform.innerCalls()
  const [owner, other] = await Promise.all([openReadySession(tools), tools.intruder(0)])
  const site = platform.product.siteUrl
  must('without a card it begins', isRefusedReply(await other.client.post('/reward/kasm/apply', { more: false })))
  must('another account opens my session', isRefusedReply(await other.client.post('/reward/kasm/open')))
  must('another account ends my session', isRefusedReply(await other.client.post('/reward/kasm/end')))
  const { data: opened } = await owner.client.post('/reward/kasm/open')
  const ticket = opened.ticket as string
  const [claims, signature] = ticket.split('.')
  const read = JSON.parse(Buffer.from(claims!, 'base64url').toString())
  const rewritten = (change: object): string => `${Buffer.from(JSON.stringify({ ...read, ...change })).toString('base64url')}.${signature}`
  for (const bad of [
    '',
    'x.y',
    rewritten({ userId: other.userId }),
    rewritten({ until: 9e12 }),
    rewritten({ nonce: 'another' }),
    `${claims}.`,
    `${claims}.${signature}x`,
  ])
    must('a ticket that we did not sign', !(await showsSession(await connectToScreen(site, bad))), bad.slice(-20))
  must('a page of another site takes the ticket', !(await showsSession(await connectToScreen(site, ticket, { origin: 'https://evil.test' }))))
  const screens = await Promise.all(Array.from({ length: 4 }, () => connectToScreen(site, ticket)))
  const open = screens.filter(({ status }) => status === 101)
  must('one ticket opens several pages', open.length <= 1, open.length)
  needs('one page', open.length === 1)
  const screen = open[0]!
  await waitForValue(() => screen.told.some(({ tell }) => tell === 'until') || undefined, 'the paid time to begin')
  await visitInnerAddresses(tools, screen)
  must('a used ticket opens it again', !(await showsSession(await connectToScreen(site, ticket))))
  must('a door that only this machine may reach is reached', platform.innerCalls() === before, platform.innerCalls() - before)
  // tries to add twenty minutes without paying
  const more = await runTogether(4, () => owner.client.post('/reward/kasm/apply', { more: true }))
  must(
    'time is added without paying',
    more.accepted.every(({ data }) => data.pay !== null || data.task.amount === '0'),
  )
  const { data: late } = await owner.client.post('/reward/kasm/open')
  await runTogether(3, () => owner.client.post('/reward/kasm/end'))
  await waitForValue(() => !screen.isOpen() || undefined, 'the picture to end')
  must('a ticket of before opens it after the end', !(await showsSession(await connectToScreen(site, late.ticket))))
}

/** Navigates the browser to internal addresses, from the address bar and from pages. */
async function visitInnerAddresses({ must }: StrategyTools, screen: ScreenConnection): Promise<void> {
  for (const address of TARGETS) {
    const told = screen.told.length
    screen.wish({ do: 'go', address })
    await new Promise((done) => setTimeout(done, 700))
    const tabs = screen.told.slice(told).flatMap((one) => (one.tell === 'tabs' ? one.tabs : [])) as { title: string; url: string }[]
    const shown = tabs.find(({ title }) => INNER_PATTERN.test(title))
    must(`${address} is shown`, shown === undefined, shown)
  }
}

export const REMOTE_BROWSER_STRATEGIES: readonly PlatformStrategy[] = [
  { name: 'remote-browser', tries: 'sessions of others, tickets reused, rewritten and after the end, and the way from inside to inner addresses', run },
]
