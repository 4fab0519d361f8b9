import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { CodePurpose } from '../../contract.ts'
import { listProvenTargets } from '../contacts.ts'
import type { UserRow } from '../data.ts'
import { selectNewestTarget } from './data.ts'
import type { CodeRules } from '../settings.ts'
import { buildCodeBinding } from '../sessions/tokens.ts'
import { consumeCode } from './use-code.ts'

/**
 * Checks one guess at the newest code of a purpose sent to one of the user's own contacts. Commit wrong guesses too, or they do not count.
 */
export async function consumeOwnCode(
  ctx: Ctx,
  tx: Tx,
  { user, purpose, code, rules }: { readonly user: UserRow; readonly purpose: CodePurpose; readonly code: string; readonly rules: CodeRules },
): Promise<boolean> {
  const target = await selectNewestTarget(tx, purpose, listProvenTargets(user))
  return target !== undefined && (await consumeCode(ctx, tx, { use: buildCodeBinding(purpose, target, user.id), code, rules })) !== undefined
}
