/**
 * Measures parallel remote browsers: `SESSIONS=6 node bench/remote/sessions.ts [seconds]`. Each is paid for and viewed at full speed.
 * Prints, for a page that is read, clicked and animated: memory and processor time of each browser, pictures per second, and the time from
 * a press to the picture that shows it. One session more than the limit waits, and starts when another one ends.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { readBrowserMegabytes } from '#features/remote/server/engine/memory.ts'
import { openTestViewer } from '#features/remote/server/testing/test-viewer.ts'
import type { TestViewer } from '#features/remote/server/testing/test-viewer.ts'
import { readProcessTreeCpu, computePercentile, startToolServer } from './serve.ts'

const SESSIONS = Number(process.env['SESSIONS'] ?? 6)
const SECONDS = Number(process.argv[2] ?? 10)
const STILL_PAGE = `<title>Still</title><body style="margin:0;font:18px serif;background:#fff" onmousedown="document.body.style.background=document.body.style.background==='rgb(255, 255, 255)'?'#cde':'#fff'">${'<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit.</p>'.repeat(40)}`
const MOVING_PAGE = `<title>Moving</title><body style="margin:0;background:#fff"><div id=a style="position:absolute;width:300px;height:300px;background:#16705b"></div>
<script>const go=(at)=>{a.style.transform='translate('+(400+300*Math.sin(at/400))+'px,'+(200+150*Math.cos(at/300))+'px)';requestAnimationFrame(go)};go(0)</script>`
const site = createServer(
  (request, reply) => void reply.writeHead(200, { 'content-type': 'text/html' }).end(request.url === '/moving' ? MOVING_PAGE : STILL_PAGE),
)
await new Promise<void>((done) => site.listen(0, '127.0.0.1', () => done()))
const sitePort = (site.address() as AddressInfo).port
const server = await startToolServer('api,worker,sandbox,proxy,remote', {
  PROXY_TEST_TARGETS: `bench.test=127.0.0.1:${sitePort}`,
  REMOTE_PLACES: String(SESSIONS),
})
await server.db.query(
  `insert into settings (key, value, updated_by) values ('remote.included', '{"standard":0,"pro":0}', 'bench'), ('remote.ready_minutes', '30', 'bench')`,
)

interface BenchSeat {
  readonly token: string
  readonly userId: string
  looker?: TestViewer
}
const round = (value: number, digits = 0) => value.toFixed(digits)

const state = async ({ token }: BenchSeat) =>
  (await server.ask(token, 'GET', { path: '/user/getKasm' })).session as { id: string; state: string; ahead: number | null; aheadMinutes: number | null } | null
async function apply(): Promise<BenchSeat> {
  const { token, userId } = await server.aMember()
  const { pay } = await server.ask(token, 'POST', { path: '/reward/kasm/apply' })
  if (pay) await server.pay(token, pay) // the first uses are included with the card
  return { token, userId }
}
async function enter(seat: BenchSeat): Promise<void> {
  for (;;) {
    const now = (await state(seat))?.state
    if (now === 'ready') break
    if (now === undefined) throw new Error('a session did not start')
    await sleep(50)
  }
  const { ticket } = await server.ask(seat.token, 'POST', { path: '/reward/kasm/open' })
  seat.looker = await openTestViewer(server.baseUrl, ticket)
  while (!seat.looker.told.some(({ tell }) => tell === 'until')) await sleep(20)
}
const go = async ({ looker }: BenchSeat, path: string, title: string) => {
  looker!.send({ do: 'go', address: `http://bench.test:${sitePort}${path}` })
  while (!looker!.told.some((message) => message.tell === 'tabs' && message.tabs.some((tab) => tab.title === title))) await sleep(20)
}
/** The server's browsers, by their main processes. */
const listBrowsers = () =>
  readdirSync('/proc').flatMap((name) => {
    try {
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
      return Number(parent) === server.pid && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('remote-debugging-pipe') ? [Number(name)] : []
    } catch {
      return []
    }
  })

try {
  const begun = performance.now()
  const seats = await Promise.all(Array.from({ length: SESSIONS }, apply))
  const one = await apply()
  await Promise.all(seats.map(enter))
  console.log(`${SESSIONS} sessions in use ${round((performance.now() - begun) / 1000, 1)} s after the first was asked for`)
  const waiting = await state(one)
  console.log(`one more waits: ${waiting?.state}, ${waiting?.ahead} ahead, about ${waiting?.aheadMinutes} min`)

  await Promise.all(seats.map((seat) => go(seat, '/', 'Still')))
  await sleep(2000)
  await measure('a page that is read', seats, async () => sleep(SECONDS * 1000))
  const delays: number[] = []
  await measure('a page that is clicked, once a second each', seats, async () => {
    await Promise.all(
      seats.map(async ({ looker }, at) => {
        await sleep((at * 1000) / SESSIONS)
        for (let n = 0; n < SECONDS; n++) {
          const next = looker!.next()
          const pressed = performance.now()
          for (const type of ['mousePressed', 'mouseReleased'] as const)
            looker!.send({ do: 'mouse', type, x: 300, y: 300, button: 'left', buttons: 1, clickCount: 1, modifiers: 0 })
          delays.push((await next) - pressed)
          await sleep(Math.max(0, 1000 - (performance.now() - pressed)))
        }
      }),
    )
  })
  console.log(
    `  press to picture: p50 ${round(computePercentile(delays, 0.5))} ms, p95 ${round(computePercentile(delays, 0.95))} ms, worst ${round(Math.max(...delays))} ms of ${delays.length}`,
  )
  await Promise.all(seats.map((seat) => go(seat, '/moving', 'Moving')))
  await measure('a page that moves all the time', seats, async () => sleep(SECONDS * 1000))

  const ended = performance.now()
  await server.ask(seats[0]!.token, 'POST', { path: '/reward/kasm/end' })
  await enter(one)
  console.log(`the one that waited is in ${round((performance.now() - ended) / 1000, 1)} s after another one has ended`)
  for (const seat of [...seats, one]) seat.looker?.close()
} finally {
  await server.stop()
  site.closeAllConnections()
  site.close()
}

async function measure(what: string, seats: readonly BenchSeat[], work: () => Promise<void>): Promise<void> {
  const leaders = listBrowsers()
  const before = {
    cpu: leaders.map(readProcessTreeCpu),
    server: readProcessTreeCpu(server.pid),
    pictures: seats.map(({ looker }) => looker!.pictures()),
    bytes: seats.map(({ looker }) => looker!.bytes()),
    at: performance.now(),
  }
  await work()
  const seconds = (performance.now() - before.at) / 1000
  const cpu = leaders.map((pid, at) => (readProcessTreeCpu(pid) - before.cpu[at]!) / seconds)
  const all = cpu.reduce((sum, share) => sum + share, 0)
  const own = (readProcessTreeCpu(server.pid) - before.server) / seconds - all
  const fps = seats.map(({ looker }, at) => (looker!.pictures() - before.pictures[at]!) / seconds)
  const rate = seats.map(({ looker }, at) => (looker!.bytes() - before.bytes[at]!) / seconds)
  const memory = leaders.map(readBrowserMegabytes)
  console.log(
    `${what}: ${round(Math.min(...memory))} to ${round(Math.max(...memory))} MB a browser, ${round((100 * all) / leaders.length, 1)} % of a core each, server ${round(100 * own, 1)} %, ` +
      `${round(Math.min(...fps), 1)} to ${round(Math.max(...fps), 1)} pictures a second, ${round(rate.reduce((sum, one) => sum + one, 0) / rate.length / 1000)} kB/s each`,
  )
}
