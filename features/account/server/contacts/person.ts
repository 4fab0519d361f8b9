import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { normalizeMailbox } from '#features/risk/server/door.ts'
import { computeKeyedHash } from '../sessions/tokens.ts'
import { findContact } from '../contacts.ts'

/**
 * Computes digests of the person behind an account: hex hashes of the verified mailbox and mobile, under each key of the installation. Use
 * them for one-time benefits, because they recognize a person who closes the account and returns. Empty if nothing is verified.
 */
export async function computePersonDigests({ secretKeys }: Pick<Deps, 'secretKeys'>, sql: Sql, userId: string): Promise<string[]> {
  const { email, mobile } = (await findContact(sql, userId)) ?? {}
  const facts = [...(email ? [['mailbox', normalizeMailbox(email)] as const] : []), ...(mobile ? [['mobile', mobile] as const] : [])]
  return [...new Set(secretKeys.flatMap((key) => facts.map((fact) => computeKeyedHash(key, 'account.person', ...fact).toString('hex'))))].toSorted()
}
