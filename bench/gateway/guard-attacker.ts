import { request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

/** Sends one body again and again, so many at once, until it is told to stop; says how each was answered. On a thread of its own. */
interface Orders {
  readonly base: string
  readonly key: string
  readonly path: string
  readonly type: string
  readonly body: Uint8Array
  readonly atOnce: number
}
const { base, key, path, type, body, atOnce } = workerData as Orders
const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
const answers: Record<string, number> = {}
let going = true

function send(): Promise<void> {
  return new Promise((done) => {
    const headers = { 'authorization': `Bearer ${key}`, 'content-type': type, 'content-length': bytes.length }
    const req = request(`${base}${path}`, { method: 'POST', agent: false, headers }, (res) => {
      const status = String(res.statusCode)
      answers[status] = (answers[status] ?? 0) + 1
      res.resume()
      res.on('close', () => done())
    })
    req.on('error', () => done())
    req.end(bytes)
  })
}
const loop = async (): Promise<void> => {
  while (going) await send()
}
parentPort!.on('message', () => {
  going = false
})
await Promise.all(Array.from({ length: atOnce }, loop))
parentPort!.postMessage(answers)
parentPort!.close()
