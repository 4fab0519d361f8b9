import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { plainMail } from '#features/risk/server/door.ts'
import { keyed } from '../sessions/tokens.ts'
import { contactOf } from '../contacts.ts'

/**
 * The person behind an account: hashes, as hex, of the mailbox and the mobile that were proven, under each key of the installation. For what
 * a person is given once; who closes the account and comes back is known by them. Empty where nothing was proven.
 */
export async function personDigests({ secretKeys }: Pick<Deps, 'secretKeys'>, sql: Sql, userId: string): Promise<string[]> {
  const { email, mobile } = (await contactOf(sql, userId)) ?? {}
  const facts = [...(email ? [['mailbox', plainMail(email)] as const] : []), ...(mobile ? [['mobile', mobile] as const] : [])]
  return [...new Set(secretKeys.flatMap((key) => facts.map((fact) => keyed(key, 'account.person', ...fact).toString('hex'))))].toSorted()
}
