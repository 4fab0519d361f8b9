import { inject } from 'vitest'
import { createTestDatabase } from './db.ts'
import { launchServer } from './launch.ts'
import type { ServerAddress, TestServer } from './launch.ts'

export type { ServerAddress, TestServer } from './launch.ts'

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly databaseUrl?: string
  readonly roles?: string
  readonly crashes?: boolean
}

/** A server for this test file only, on a fresh database unless one is given. */
export async function startTestServer({ env, databaseUrl, roles, crashes }: ServerOptions = {}): Promise<TestServer> {
  return launchServer({ databaseUrl: databaseUrl ?? (await createTestDatabase()).url, pagesDir: inject('pagesDir') ?? '', roles, env, crashes })
}

/** The server that all files of the part share (e2e/shared-server.ts): for tests that create their own users and change no shared state. */
export async function getSharedServer(): Promise<ServerAddress> {
  const reply = await fetch(inject('sharedServerAt')!)
  if (!reply.ok) throw new Error(await reply.text())
  return (await reply.json()) as ServerAddress
}
