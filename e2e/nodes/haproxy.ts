import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { reserveFreePort } from '#platform/testing/launch.ts'
import { Agent, createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { scaleTimeout } from '#platform/testing/patience.ts'

export interface Balancer {
  readonly url: string
  /** Number of nodes that accept requests now. */
  ready(): number
  stop(): Promise<void>
}

interface Backend {
  readonly port: number
  readonly agent: Agent
  ready: boolean
}

const PROBE_INTERVAL_MS = 100

/**
 * A reverse proxy as a deployment has one: round robin over the nodes whose /readyz succeeds, with keep-alive connections. It never retries
 * a request, so that no fault of a node is hidden.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const backends: Backend[] = ports.map((port) => ({ port, agent: new Agent({ keepAlive: true, maxSockets: 512 }), ready: false }))
  let turn = 0
  const look = async () => {
    for (const backend of backends) {
      backend.ready = await fetch(`http://127.0.0.1:${backend.port}/readyz`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(scaleTimeout(2_000)),
      }).then(
        async (reply) => (await reply.arrayBuffer(), reply.status === 200),
        () => false,
      )
    }
  }
  await look()
  let looking: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    looking = looking.then(look)
  }, PROBE_INTERVAL_MS)
  const server = createServer((client, answer) => {
    const ready = backends.filter((backend) => backend.ready)
    const chosen = ready[turn++ % (ready.length || 1)]
    if (chosen) forwardRequest(chosen, client, answer)
    else answer.writeHead(502).end('no node is ready')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => backends.filter((backend) => backend.ready).length,
    stop: async () => {
      clearInterval(timer)
      await looking
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      for (const backend of backends) backend.agent.destroy()
    },
  }
}

function forwardRequest(backend: Backend, client: IncomingMessage, answer: ServerResponse): void {
  const { connection: _hop, ...headers } = client.headers
  const onward = request({ host: '127.0.0.1', port: backend.port, method: client.method, path: client.url, headers, agent: backend.agent })
  onward.on('response', (reply) => {
    const { connection: _ours, ...passed } = reply.headers
    answer.writeHead(reply.statusCode!, passed)
    answer.flushHeaders()
    reply.on('error', () => answer.destroy())
    reply.pipe(answer)
  })
  onward.on('error', (error) => {
    if (answer.headersSent) answer.destroy()
    else answer.writeHead(502, { 'content-type': 'text/plain' }).end(error.message)
  })
  answer.on('close', () => {
    if (!answer.writableFinished) onward.destroy()
  })
  client.pipe(onward)
}

/** The proxy of `deploy/`, if it is installed (HAPROXY=path): its own configuration with these nodes, without TLS and host names. */
export async function startHaproxy(binary: string, ports: readonly number[]): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-haproxy-'))
  const port = await reserveFreePort()
  const servers = (how: string): string => ports.map((node, n) => `    server gateway${n} 127.0.0.1:${node}${how}`).join('\n')
  const read = (name: string): string => readFileSync(join(import.meta.dirname, '../../deploy/haproxy', name), 'utf8')
  writeFileSync(join(folder, 'operators.lst'), '127.0.0.0/8\n')
  const front = read('haproxy.cfg')
    .replace(/^ {4}bind ":\$HTTPS_PORT".*$/m, '')
    .replace(/^ {4}http-request redirect.*$/m, '')
    .replace('maxconn 50000', 'maxconn 2000')
    .replace('bind ":$HTTP_PORT"', `bind 127.0.0.1:${port}`)
    .replace('/etc/haproxy/operators.lst', join(folder, 'operators.lst'))
  const back = read('machine.cfg')
    .replaceAll(/^ {4}server gateway1 \S+(.*)\n {4}server gateway2 .*$/gm, (_lines, how: string) => servers(how))
    .replaceAll(/^ {4}server (?:platform|console|remote)1 .*$/gm, '')
  const text = `${front}\n${back}`
  writeFileSync(join(folder, 'haproxy.cfg'), text)
  const child = spawn(binary, ['-W', '-db', '-f', join(folder, 'haproxy.cfg')], {
    env: { ...process.env, CONSOLE_NAME: 'console.example' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  let ready = 0
  let stopped = false
  const look = async () => {
    while (!stopped) {
      const answers = await Promise.all(
        ports.map((node) =>
          fetch(`http://127.0.0.1:${node}/readyz`).then(
            (reply) => reply.ok,
            () => false,
          ),
        ),
      )
      // Gives the proxy's own health check a second.
      await sleep(1200)
      ready = answers.filter(Boolean).length
    }
  }
  const looking = look()
  while (ready < ports.length) await sleep(50)
  return {
    url,
    ready: () => ready,
    stop: async () => {
      stopped = true
      await looking
      const gone = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true })
    },
  }
}
