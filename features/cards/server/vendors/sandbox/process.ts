import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join, resolve } from 'node:path'
import type { IssuerConfig, IssuerTools } from '../port.ts'
import { NOTICE_KEY, TOKEN } from './client.ts'
import { placeOf } from './config.ts'

/** A crash is followed by a new start, later each time it happens soon. */
const PAUSE_MS = 500
const MOST_PAUSE_MS = 30_000
const STEADY_MS = 60_000
const STARTED_WITHIN_MS = 10_000

const ports = new WeakMap<IssuerConfig, Promise<number>>()

/** The port at which the company answers for this process. */
export async function portOf(config: IssuerConfig): Promise<number> {
  const starting = ports.get(config)
  if (!starting) return placeOf(config).port
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, failed) => {
    timer = setTimeout(() => failed(new Error('the sandbox issuer has not started')), STARTED_WITHIN_MS)
  })
  return Promise.race([starting, late]).finally(() => clearTimeout(timer))
}

/** Starts the company in a child process, which ends with this one. */
export async function startCompany(config: IssuerConfig, tools: IssuerTools): Promise<() => Promise<void>> {
  const { port, url, host, folder, decideWithinMs } = placeOf(config)
  // another process runs it
  if (url && config['SANDBOX_ISSUER_PORT'] === undefined) return async () => {}
  let stopped = false
  let child: ChildProcess | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let pause = PAUSE_MS
  let bound = port
  let known: (port: number) => void = () => {}
  ports.set(
    config,
    new Promise((done) => {
      known = done
    }),
  )

  const launch = () => {
    const started = performance.now()
    const one = fork(join(import.meta.dirname, '../../../../../stand-ins/card-network/bank/main.ts'), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {},
      execArgv: [],
    })
    child = one
    one.on('message', (said: { port?: number; failed?: string }) => {
      if (said.failed) tools.log.error({ reason: said.failed, port: bound }, 'the sandbox issuer did not start')
      if (!said.port) return
      bound = said.port
      known(said.port)
      tools.log.info({ port: said.port, pid: one.pid }, 'the sandbox issuer listens')
    })
    one.on('error', (error) => tools.log.error({ reason: error.message }, 'the sandbox issuer could not be started'))
    one.once('exit', (code, signal) => {
      if (stopped) return
      pause = performance.now() - started > STEADY_MS ? PAUSE_MS : Math.min(pause * 2, MOST_PAUSE_MS)
      tools.log.warn({ code, signal, pause }, 'the sandbox issuer ended and is started again')
      timer = setTimeout(launch, pause)
    })
    one.send({
      folder: resolve(folder),
      port: bound,
      host,
      decideWithinMs,
      testClock: config['TEST_CLOCK'] as string | undefined,
      tokens: tools.secrets(TOKEN).map((key) => key.toString('base64')),
      noticeKey: tools.secrets(NOTICE_KEY)[0].toString('base64'),
    })
  }
  launch()
  return async () => {
    stopped = true
    clearTimeout(timer)
    const last = child
    if (!last || last.exitCode !== null || last.signalCode) return
    const gone = new Promise((done) => last.once('exit', done))
    last.kill('SIGKILL')
    await gone
  }
}
