import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { normalizeMailbox } from '#features/risk/server/door.ts'
import { computeKeyedHash } from '../sessions/tokens.ts'
import { findContact } from '../contacts.ts'

/**
 * The person behind an account: hashes, as hex, of the mailbox and the mobile that were proven, under each key of the installation. For what
 * a person is given once; who closes the account and comes back is known by them. Empty where nothing was proven.
 */
export async function computePersonDigests({ secretKeys }: Pick<Deps, 'secretKeys'>, sql: Sql, userId: string): Promise<string[]> {
  const { email, mobile } = (await findContact(sql, userId)) ?? {}
  const facts = [...(email ? [['mailbox', normalizeMailbox(email)] as const] : []), ...(mobile ? [['mobile', mobile] as const] : [])]
  return [...new Set(secretKeys.flatMap((key) => facts.map((fact) => computeKeyedHash(key, 'account.person', ...fact).toString('hex'))))].toSorted()
}
