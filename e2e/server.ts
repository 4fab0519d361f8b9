import { connect } from '#platform/server/database/db.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { ServerOptions, TestServer } from '#platform/testing/server.ts'
import { createId } from '#platform/shared/ids.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import type { StoredLimits } from '#features/gateway/server/keys/data-limits.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'

export interface FundedServer extends TestServer {
  readonly apiKey: string
  readonly poorKey: string
  readonly userId: string
  /** Another key of the same user, with limits. */
  keyOf(limits: Partial<StoredLimits>): Promise<string>
}

/** The real server in a separate process, with a user of 100 dollars and a key, and one without money. */
export async function startFundedServer(options: ServerOptions = {}): Promise<FundedServer> {
  const server = await startTestServer({
    roles: 'gateway,worker,sandbox',
    ...options,
    env: { STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail', SANDBOX_CHUNK_MS: '0', ...options.env },
  })
  const db = connect(server.databaseUrl, { max: 1 })
  try {
    const userId = await aFundedUser(db, { userId: createId('user') })
    const { secret: apiKey } = await aKey(db, userId)
    const { secret: poorKey } = await aKey(db, createId('user'))
    const keyOf = async (limits: Partial<StoredLimits>) => {
      const one = connect(server.databaseUrl, { max: 1 })
      return aKey(one, userId, { name: 'limited', limits })
        .then(({ secret }) => secret)
        .finally(() => one.close())
    }
    return Object.assign(server, { apiKey, poorKey, userId, keyOf })
  } finally {
    await db.close()
  }
}
