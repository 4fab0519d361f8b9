import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

/** Worker thread that sends one body repeatedly, `atOnce` in parallel, until it receives a stop message; reports the responses. */
interface AttackOrders {
  readonly base: string
  readonly key: string
  readonly path: string
  readonly type: string
  readonly body: Uint8Array
  readonly atOnce: number
}
const { base, key, path, type, body, atOnce } = workerData as AttackOrders
const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
const answers: Record<string, number> = {}
let isRunning = true

/** `agent`: false closes the connection after each response, which keeps it off the lane (docs/decisions/upstream-client.md). */
function send(agent: Agent | false): Promise<void> {
  return new Promise((done) => {
    const headers = { 'authorization': `Bearer ${key}`, 'content-type': type, 'content-length': bytes.length }
    const req = request(`${base}${path}`, { method: 'POST', agent, headers }, (res) => {
      const status = String(res.statusCode)
      answers[status] = (answers[status] ?? 0) + 1
      res.resume()
      res.on('close', () => done())
    })
    req.on('error', () => done())
    req.end(bytes)
  })
}
const loop = async (_: unknown, at: number): Promise<void> => {
  const agent = at % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : false
  while (isRunning) await send(agent)
  if (agent !== false) agent.destroy()
}
parentPort!.on('message', () => {
  isRunning = false
})
await Promise.all(Array.from({ length: atOnce }, loop))
parentPort!.postMessage(answers)
parentPort!.close()
