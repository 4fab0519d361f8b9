import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Session {
  readonly id: string
  readonly userId: string
  readonly began: string
  state: 'starting' | 'running' | 'deleted'
  keptAlive: number
}

/** A fake Kasm that serves both of its APIs from one state and fails on request. */
export interface FakeKasm {
  readonly url: string
  readonly sessions: Map<string, Session>
  /** Users by name: anonymous ones by their idempotency key. */
  readonly users: Map<string, string>
  /**
   * `lost`: the request takes effect, but its response never arrives. `text`: plain text instead of JSON. Both
   * apply once; `full` and `slow` last until changed. With `slow`, requests about a session wait for `answer`.
   */
  fault: 'none' | 'lost' | 'full' | 'text' | 'down' | 'stranger' | 'slow'
  run(): void
  /** Answers the requests held by `slow`. */
  answer(): void
  /** Number of requests held by `slow`. */
  waiting(): number
  /** Ends every session without notice, as an operator at Kasm could. */
  lose(): void
  close(): Promise<void>
}

type Answer = { readonly status: number; readonly body: unknown }
type KasmRequestBody = Readonly<Record<string, any>>

const isStart = ({ method, url = '' }: IncomingMessage) => method === 'POST' && /request_kasm|sessions$/.test(url)

export async function aKasm(): Promise<FakeKasm> {
  const slow: (() => void)[] = []
  const fake: Omit<FakeKasm, 'url' | 'close'> = {
    sessions: new Map(),
    users: new Map(),
    fault: 'none',
    run: () => {
      for (const session of fake.sessions.values()) if (session.state === 'starting') session.state = 'running'
    },
    answer: () => {
      for (const go of slow.splice(0)) go()
    },
    waiting: () => slow.length,
    lose: () => {
      for (const session of fake.sessions.values()) session.state = 'deleted'
    },
  }
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    void bodyOf(request).then(async (body) => {
      if (fake.fault === 'slow' && isStart(request)) await new Promise<void>((go) => slow.push(go))
      const { fault } = fake
      if (fault !== 'lost' && fault !== 'full' && fault !== 'slow') fake.fault = 'none'
      if (fault === 'down') return response.writeHead(502).end('<h1>Bad gateway</h1>')
      if (fault === 'text') return response.writeHead(200, { 'content-type': 'text/html' }).end('<html>maintenance</html>')
      const url = request.url ?? ''
      const answer = url.startsWith('/api/public/') ? answerPublicApi(fake, url.slice(12), body, fault) : answerSessionApi(fake, request, url, fault)
      // The request took effect, but its response is lost
      if (fault === 'lost' && isStart(request)) {
        fake.fault = 'none'
        return response.destroy()
      }
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(fake, {
    url: at,
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  })
}

type Book = Omit<FakeKasm, 'url' | 'close'>

const createSession = (book: Book, userId: string): Session => {
  const began = new Date(Date.UTC(2026, 0, 1) + book.sessions.size * 1000).toISOString()
  const session: Session = { id: randomUUID().replaceAll('-', ''), userId, began, state: 'starting', keptAlive: 0 }
  book.sessions.set(session.id, session)
  return session
}
const listLiveSessions = ({ sessions }: Book, userId: string) => [...sessions.values()].filter((one) => one.userId === userId && one.state !== 'deleted')

/** The older API reports errors as 200 with `error_message`. */
function answerPublicApi(book: Book, verb: string, ask: KasmRequestBody, fault: FakeKasm['fault']): Answer {
  const told = (body: unknown): Answer => ({ status: 200, body })
  if (ask['api_key'] !== 'key' || ask['api_key_secret'] !== 'secret' || fault === 'stranger') return { status: 403, body: { error_message: 'Unauthorized' } }
  const session = book.sessions.get(ask['kasm_id'])
  const found = session && session.state !== 'deleted' ? session : undefined
  const name: string = ask['target_user']?.username ?? ''
  switch (verb) {
    case 'get_user': {
      const id = book.users.get(name)
      return told(
        id
          ? { user: { user_id: id, username: name, kasms: listLiveSessions(book, id).map((one) => ({ kasm_id: one.id, start_date: one.began })) } }
          : { error_message: 'User not found' },
      )
    }
    case 'create_user':
      if (book.users.has(name)) return told({ error_message: 'User already exists' })
      book.users.set(name, randomUUID().replaceAll('-', ''))
      return told({ user: { user_id: book.users.get(name), username: name, kasms: [] } })
    case 'request_kasm': {
      if (fault === 'full') return told({ error_message: 'No resources are available to create the requested Kasm.' })
      const { id, userId } = createSession(book, ask['user_id'])
      return told({ kasm_id: id, status: 'starting', user_id: userId, session_token: randomUUID(), kasm_url: `/#/connect/kasm/${id}/${userId}/first` })
    }
    case 'get_kasm_status':
      if (!found) return told({ error_message: 'Kasm not found' })
      return told({
        ...(found.state === 'running' ? { kasm_url: `/#/connect/kasm/${found.id}/${found.userId}/${randomUUID()}` } : {}),
        kasm: { kasm_id: found.id, operational_status: found.state },
      })
    case 'keepalive':
      if (found) found.keptAlive++
      return told(found ? { usage_reached: false } : { error_message: 'Kasm not found' })
    case 'destroy_kasm':
      if (!found) return told({ error_message: 'Kasm not found' })
      found.state = 'deleted'
      return told({})
    case 'delete_user': {
      const [known] = [...book.users].find(([, id]) => id === ask['target_user']?.user_id) ?? []
      if (known !== undefined) {
        const left = listLiveSessions(book, ask['target_user'].user_id)
        if (left.length && !ask['force']) return told({ error_message: 'User has sessions' })
        for (const one of left) one.state = 'deleted'
        book.users.delete(known)
      }
      return told(known === undefined ? { error_message: 'User not found' } : {})
    }
    default:
      return { status: 404, body: {} }
  }
}

/** The newer API: states, RFC 9457 problems, an idempotency key for anonymous sessions. */
function answerSessionApi(book: Book, request: IncomingMessage, url: string, fault: FakeKasm['fault']): Answer {
  const no = (status: number, type: string): Answer => ({ status, body: { type, title: type, status } })
  const basic = `Basic ${Buffer.from('key:secret').toString('base64')}`
  if (request.headers.authorization !== basic || fault === 'stranger') return no(401, 'unauthorized')
  const [, id, rest = ''] = /^\/api\/session\/sessions(?:\/([0-9a-f]+)(\/\w+)?)?$/.exec(url) ?? []
  if (request.method === 'POST' && id === undefined) {
    const key = String(request.headers['idempotency-key'])
    const known = book.users.get(key)
    if (!known && fault === 'full') return no(409, 'no-resources')
    if (!known) book.users.set(key, randomUUID())
    const userId = book.users.get(key)!
    const session = [...book.sessions.values()].find((one) => one.userId === userId) ?? createSession(book, userId)
    return { status: 202, body: { session_id: session.id, user_id: userId, session_token: 'jwt', connect_url: `/#/connect/session/${session.id}?token=jwt` } }
  }
  const session = book.sessions.get(id ?? '')
  if (!session || session.state === 'deleted') return no(404, 'not-found')
  if (request.method === 'DELETE') {
    session.state = 'deleted'
    return { status: 202, body: {} }
  }
  if (rest === '/keepalives') session.keptAlive++
  return { status: 200, body: { operational_status: session.state.toUpperCase(), desired_state: 'RUNNING' } }
}

async function bodyOf(request: IncomingMessage): Promise<KasmRequestBody> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text ? (JSON.parse(text) as KasmRequestBody) : {}
}
