/**
 * Measures parallel tunnels of the forward proxy: `TUNNELS=100 node bench/proxy/tunnels.ts [megabytes each]`. Opens the tunnels of one paid
 * use, sends bytes both ways through all of them, and prints time, rate, memory and processor time of the proxy's process, and whether its
 * meter is exact to the byte.
 */
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { anEcho, buildBasicAuth, openTunnel } from '#features/proxy/server/testing/proxy-clients.ts'
import { readProcessTreeCpu, readProcessMb, computePercentile, startToolServer } from '../remote/serve.ts'

const TUNNELS = Number(process.env['TUNNELS'] ?? 100)
const MEGABYTES = Number(process.argv[2] ?? 2)
const CHUNK = 64 * 1024
const echo = anEcho()
await new Promise<void>((done) => echo.listen(0, '127.0.0.1', () => done()))
const target = `127.0.0.1:${(echo.address() as AddressInfo).port}`
const server = await startToolServer('api,worker,sandbox,proxy', { PROXY_TEST_TARGETS: target, PROXY_PORT: '0' })
await server.db.query(
  `insert into settings (key, value, updated_by) values ('proxy.tunnels', $1, 'bench'), ('proxy.megabits', '1000', 'bench'), ('proxy.megabytes', '100000', 'bench')`,
  [String(TUNNELS)],
)

/** Resolves when the background work of a start (pages, the first jobs) is done. */
async function waitUntilStarted(pid: number): Promise<void> {
  for (let seconds = 0; seconds < 60; seconds++) {
    const before = readProcessTreeCpu(pid)
    await sleep(1000)
    if (readProcessTreeCpu(pid) - before < 0.2) return
  }
}

try {
  const { token } = await server.aMember()
  const { pay } = await server.ask(token, 'POST', { path: '/v1/tool/reward/proxy/apply' })
  await server.pay(token, pay)
  let account: { username: string; password: string; upBytes: number; downBytes: number; tunnels: number } | null = null
  const look = async () => (account = (await server.ask(token, 'GET', { path: '/v1/tool/reward/proxy/available' })).account)
  while (!(await look())) await sleep(50)
  const auth = buildBasicAuth(account!.username, account!.password)
  await sleep(1000)
  const idle = readProcessMb(server.pid)
  const opened: number[] = []
  const begun = performance.now()
  const tunnels = await Promise.all(
    Array.from({ length: TUNNELS }, async () => {
      const one = await openTunnel(server.proxyPort, target, auth)
      opened.push(performance.now() - begun)
      if (one.status !== 200) throw new Error(`a tunnel was refused: ${one.status}`)
      return one.socket
    }),
  )
  console.log(
    `${TUNNELS} tunnels open: p50 ${computePercentile(opened, 0.5).toFixed(0)} ms, the last after ${Math.max(...opened).toFixed(0)} ms; ${(readProcessMb(server.pid) - idle).toFixed(1)} MB more`,
  )
  console.log(`one more is refused: ${(await openTunnel(server.proxyPort, target, auth)).status}`)
  await waitUntilStarted(server.pid)
  const quiet = readProcessTreeCpu(server.pid)
  await sleep(5000)
  console.log(`idle: ${((readProcessTreeCpu(server.pid) - quiet) * 20).toFixed(1)} % of a core`)

  const cpu = readProcessTreeCpu(server.pid)
  const sentFrom = performance.now()
  const chunk = Buffer.alloc(CHUNK, 7)
  const bytes = Math.ceil((MEGABYTES * 1_000_000) / CHUNK) * CHUNK
  await Promise.all(
    tunnels.map(
      (socket) =>
        new Promise<void>((done) => {
          let [sent, got] = [0, 0]
          const more = () => {
            while (sent < bytes && socket.write(chunk)) sent += CHUNK
            if (sent < bytes) {
              sent += CHUNK
              socket.once('drain', more)
            }
          }
          socket.on('data', (data: Buffer) => {
            got += data.length
            if (got >= bytes) done()
          })
          more()
        }),
    ),
  )
  const seconds = (performance.now() - sentFrom) / 1000
  const moved = (2 * bytes * TUNNELS) / 1_000_000
  console.log(
    `${moved.toFixed(0)} MB both ways in ${seconds.toFixed(1)} s: ${(moved / seconds).toFixed(0)} MB/s, ${(((readProcessTreeCpu(server.pid) - cpu) * 1000) / moved).toFixed(2)} ms of processor time a megabyte, ${readProcessMb(server.pid).toFixed(0)} MB in all (${idle.toFixed(0)} idle)`,
  )
  for (const socket of tunnels) socket.destroy()
  await sleep(2500)
  await look()
  console.log(`meter: ${account!.upBytes} up, ${account!.downBytes} down, ${account!.tunnels} tunnels; sent ${bytes * TUNNELS}`)
} finally {
  await server.stop()
  echo.close()
}
