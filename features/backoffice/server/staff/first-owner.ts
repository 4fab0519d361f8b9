import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { findOperatorByMail, listOperators, lockOperators } from '../access/data.ts'
import { inviteOperator, createInvite } from '../access/invites.ts'

/** Invites the first owner, and renews the invitation until an operator has joined. Throws OPERATOR_EXISTS after that. */
export async function makeFirstOwner(deps: Pick<Deps, 'db' | 'clock'>, { name, mail }: { readonly name: string; readonly mail: string }): Promise<string> {
  return transact(deps.db, SYSTEM, async (tx) => {
    await lockOperators(tx)
    const all = await listOperators(tx)
    if (all.some(({ status }) => status !== 'invited')) fail('OPERATOR_EXISTS')
    const known = await findOperatorByMail(tx, mail)
    const invite = known
      ? await createInvite(deps, tx, known.id)
      : (await inviteOperator(deps, tx, { name, mail, roles: ['owner'], by: 'command line' })).invite
    await tx.audit('operator.first-owner', `operator:${(await findOperatorByMail(tx, mail))!.id}`)
    return invite
  })
}
