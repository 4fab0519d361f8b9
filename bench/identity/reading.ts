/**
 * Measures the effect of document reading on other requests: `PAPERS=66 node bench/identity/reading.ts`. A whole server, with users who upload drawn
 * documents and have them read, `READERS` (3) at once. Meanwhile polls `/healthz` and a page's call that queries the database. Prints the latency of
 * both with and without reading, as a ratio that is comparable across machines; the time per document; and the reader process's peak memory. The idle
 * latency is measured before and after, so that other load on the machine shows.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { aSamplePerson, drawIdBack, drawIdFront, drawPassport, applyPictureDefect, PICTURE_DEFECTS } from '#features/identity/server/testing/papers.ts'
import { readProcessTreeCpu, readProcessMb, computePercentile, startToolServer } from '../remote/serve.ts'

const PAPER_COUNT = Number(process.env['PAPERS'] ?? 12)
const READER_COUNT = Number(process.env['READERS'] ?? 3)
const QUIET_SECONDS = 10
const KINDS = [
  { purpose: 'idFront', path: '/common/ocrIdCardFace', draw: drawIdFront },
  { purpose: 'idBack', path: '/common/ocrIdCardBack', draw: drawIdBack },
  { purpose: 'passport', path: '/common/ocrPassport', draw: drawPassport },
] as const
const server = await startToolServer('api,worker,sandbox,proxy', {})
const round = (value: number, digits = 1) => value.toFixed(digits)

/** Polls one URL fifty times a second, sequentially, until stopped. */
function startProbing(path: string, token?: string) {
  const times: number[] = []
  let over = false
  const running = (async () => {
    while (!over) {
      const from = performance.now()
      await (await fetch(`${server.baseUrl}${path}`, token === undefined ? {} : { headers: { accesstoken: token } })).arrayBuffer()
      times.push(performance.now() - from)
      await sleep(20)
    }
  })()
  return async () => {
    over = true
    await running
    return times
  }
}

const watcher = await server.aMember()
async function measureDuring<T>(work: () => Promise<T>) {
  const health = startProbing('/healthz')
  const call = startProbing('/card/list', watcher.token)
  const done = await work()
  return { done, health: await health(), call: await call() }
}

/** Finds the memory of the reader: the server's child process with the largest memory, which exits after some images. */
function findReaderMemory(): number {
  const below = readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')[1] === String(server.pid)
    } catch {
      return false
    }
  })
  return Math.max(0, ...below.map((pid) => readMemoryOrZero(Number(pid))))
}
function readMemoryOrZero(pid: number): number {
  try {
    return /ocr\/child/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ? readProcessMb(pid) : 0
  } catch {
    return 0
  }
}

/** Uploads a document through the signed form, submits it and has it read. Returns the duration of the reading and its outcome. */
async function uploadAndRead(n: number): Promise<{ ms: number; outcome: string }> {
  const kind = KINDS[n % 3]!
  const jpeg = await applyPictureDefect(await kind.draw(aSamplePerson(n)), PICTURE_DEFECTS[n % PICTURE_DEFECTS.length]!)
  const { token } = await server.aMember()
  const policy = await server.ask(token, 'GET', {
    path: `/common/upload/policy?${new URLSearchParams({ purpose: kind.purpose, type: 'image/jpeg', size: String(jpeg.length) })}`,
  })
  const form = new FormData()
  for (const [name, value] of Object.entries(policy.fields as Record<string, string>)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' }))
  const sent = await fetch(new URL(policy.url, server.baseUrl), { method: 'POST', body: form })
  if (!sent.ok) throw new Error(`upload: ${sent.status}`)
  await server.ask(token, 'POST', { path: '/common/upload/done', body: { filePath: policy.filePath } })
  const from = performance.now()
  const outcome = await server.ask(token, 'POST', { path: kind.path, body: { filePath: policy.filePath } }).then(
    () => 'read',
    (error: Error) => error.message,
  )
  return { ms: performance.now() - from, outcome }
}

async function readAll() {
  const times: number[] = []
  const refused: string[] = []
  let next = 0
  let most = 0
  const look = setInterval(() => (most = Math.max(most, findReaderMemory())), 100)
  await Promise.all(
    Array.from({ length: READER_COUNT }, async () => {
      while (next < PAPER_COUNT) {
        const { ms, outcome } = await uploadAndRead(next++)
        if (outcome === 'read') times.push(ms)
        else refused.push(outcome)
      }
    }),
  )
  clearInterval(look)
  return { times, refused, most }
}

await uploadAndRead(0)
const quietBefore = await measureDuring(() => sleep(QUIET_SECONDS * 1000))
const cpu = readProcessTreeCpu(server.pid)
const busyTimes = await measureDuring(readAll)
const usedCpuSeconds = readProcessTreeCpu(server.pid) - cpu
const quietAfter = await measureDuring(() => sleep(QUIET_SECONDS * 1000))
const quietTimes = { health: [...quietBefore.health, ...quietAfter.health], call: [...quietBefore.call, ...quietAfter.call] }
for (const [name, key] of [
  ['/healthz', 'health'],
  ['/card/list', 'call'],
] as const) {
  const at = (times: readonly number[]) => [0.5, 0.99].map((share) => computePercentile(times, share))
  const [still, under] = [at(quietTimes[key]), at(busyTimes[key])]
  const words = (figures: readonly number[]) => `p50 ${round(figures[0]!)} ms, p99 ${round(figures[1]!)} ms`
  console.log(
    `${name.padEnd(11)} quiet: ${words(still)}; while papers are read: ${words(under)}; ${round(under[0]! / still[0]!)} and ${round(under[1]! / still[1]!)} times (${busyTimes[key].length} asked)`,
  )
}
const { times, refused, most } = busyTimes.done
console.log(
  `${times.length} papers read, ${READER_COUNT} at once: median ${round(computePercentile(times, 0.5) / 1000)} s, longest ${round(Math.max(...times) / 1000)} s; ${round(usedCpuSeconds / PAPER_COUNT)} s of processor a paper; the reader held up to ${round(most, 0)} MB`,
)
if (refused.length) console.log(`not read: ${[...new Set(refused)].join('; ')} (${refused.length})`)
await server.stop()
