import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { reserveFreePort } from '#platform/testing/free-port.ts'
import type { Balancer } from './balancer.ts'

/** The proxy of `deploy/` itself, where a machine has it (HAPROXY=path): its own file with these nodes, without TLS and names. */
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
      // A second for the proxy's own look.
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
