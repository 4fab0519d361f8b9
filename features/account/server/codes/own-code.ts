import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { CodePurpose } from '../../contract.ts'
import { provenTargets } from '../contacts.ts'
import type { UserRow } from '../data.ts'
import { newestTarget } from './data.ts'
import type { CodeRules } from '../settings.ts'
import { codeUse } from '../sessions/tokens.ts'
import { useCode } from './use-code.ts'

/**
 * One guess at the newest code of a purpose that went to one of the user's own contacts. Commit a wrong guess too, or it
 * would not count.
 */
export async function useOwnCode(ctx: Ctx, tx: Tx, user: UserRow, purpose: CodePurpose, code: string, rules: CodeRules): Promise<boolean> {
  const target = await newestTarget(tx, purpose, provenTargets(user))
  return target !== undefined && (await useCode(ctx, tx, codeUse(purpose, target, user.id), code, rules)) !== undefined
}
