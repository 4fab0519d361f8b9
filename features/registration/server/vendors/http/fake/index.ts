import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSameSignature, signRegistrationRequest } from '../sign.ts'

export type FakeBehavior = 'fine' | 'busy' | 'text' | 'broken' | 'lost' | 'forged' | 'late'

/** A fake supplier that implements docs/vendors/registration.md with its own records: one job per key. For tests. */
export async function aRegistrationCompany(secret = 's'.repeat(32), key = 'mingxi') {
  const jobs = new Map<string, { id: string; key: string; email: string; state: string; reason?: string }>()
  const company = { mood: 'fine' as FakeBehavior, jobs, url: '', seen: [] as string[], close: () => new Promise<void>((done) => server.close(() => done())) }
  const byId = (id: string) => [...jobs.values()].find((one) => one.id === id)

  const answer = (method: string, path: string, body: string): { status: number; said: object } => {
    const url = new URL(path, 'http://company')
    const wanted = url.searchParams.get('key')
    const id = decodeURIComponent(url.pathname.split('/')[3] ?? '')
    if (method === 'POST') {
      const { key: given, email } = JSON.parse(body) as { key: string; email: string }
      if (company.mood === 'busy') return { status: 409, said: { error: 'busy' } }
      const job = jobs.get(given) ?? { id: `job-${jobs.size + 1}`, key: given, email, state: 'working' }
      jobs.set(given, job)
      return { status: 201, said: job }
    }
    const job = wanted === null ? byId(id) : jobs.get(wanted)
    if (!job) return { status: 404, said: { error: 'unknown' } }
    if (method === 'DELETE' && job.state === 'working') job.state = company.mood === 'late' ? 'done' : 'cancelled'
    return { status: 200, said: job }
  }
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    let body = ''
    request.on('data', (piece: Buffer) => (body += piece.toString()))
    request.on('end', () => {
      const { method = '', url: path = '' } = request
      const time = String(request.headers['x-time'])
      const right = signRegistrationRequest(secret, { method, path, time, body })
      if (request.headers['x-key'] !== key || !isSameSignature(String(request.headers['x-signature']), right)) return response.writeHead(401).end('who are you')
      company.seen.push(`${method} ${path}`)
      if (company.mood === 'text') return response.writeHead(200).end('Service busy')
      if (company.mood === 'broken') return response.writeHead(502).end('<h1>Bad gateway</h1>')
      const { status, said } = answer(method, path, body)
      if (company.mood === 'lost') return request.socket.destroy()
      const text = JSON.stringify(said)
      const signed = signRegistrationRequest(company.mood === 'forged' ? 'x'.repeat(32) : secret, { method, path, time, body: text })
      return response.writeHead(status, { 'content-type': 'application/json', 'x-time': time, 'x-signature': signed }).end(text)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  company.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return company
}
