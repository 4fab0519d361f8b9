import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { replaceDatabase } from '#platform/testing/global-setup.ts'
import { launchServer } from '#platform/testing/launch.ts'
import type { ServerAddress, TestServer } from '#platform/testing/launch.ts'
import { ADDRESS_LIMITS, LIFTED_LIMIT } from './limits.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Starts the part's server on the first request, and returns its address. */
    sharedServerAt?: string
  }
}

/** Settings for all journeys: many users behind one address, and auto recharge without days of advance notice. */
const SETTINGS: readonly (readonly [key: string, value: number])[] = [
  ...ADDRESS_LIMITS.map((key) => [key, LIFTED_LIMIT] as const),
  ['payments.auto_lead_minutes', 0],
]

let addressServer: Server
let runningServer: Promise<TestServer> | undefined

/**
 * One server for all files of a part that change nothing global: each test creates its own users. Tests that change the clock, a channel or
 * a setting start their own (startTestServer). The server starts on the first file's request.
 */
export async function setup(project: TestProject): Promise<void> {
  const { databaseUrl, pagesDir } = project.getProvidedContext()
  addressServer = createServer((_request, reply) => {
    runningServer ??= start(databaseUrl, pagesDir ?? '')
    runningServer.then(
      ({ baseUrl, databaseUrl: own }) => reply.end(JSON.stringify({ baseUrl, databaseUrl: own } satisfies ServerAddress)),
      (error: Error) => reply.writeHead(500).end(error.message),
    )
  })
  await new Promise<void>((done) => addressServer.listen(0, '127.0.0.1', done))
  project.provide('sharedServerAt', `http://127.0.0.1:${(addressServer.address() as AddressInfo).port}`)
}

export async function teardown(): Promise<void> {
  addressServer.closeAllConnections()
  addressServer.close()
  await runningServer?.then(
    (server) => server.stop(),
    () => {},
  )
}

async function start(base: string, pagesDir: string): Promise<TestServer> {
  const admin = new pg.Client({ connectionString: base })
  await admin.connect()
  await admin.query('create database shared_by_files template template_mingxi strategy file_copy')
  await admin.end()
  const databaseUrl = replaceDatabase(base, 'shared_by_files')
  const own = new pg.Client({ connectionString: databaseUrl })
  await own.connect()
  for (const [key, value] of SETTINGS) await own.query(`insert into settings (key, value, updated_by) values ($1, $2, 'test')`, [key, String(value)])
  await own.end()
  return launchServer({ databaseUrl, pagesDir, env: { DEMO: 'true', SANDBOX_CHUNK_MS: '0', VOICE_PORTS: '44000-44900' } })
}
