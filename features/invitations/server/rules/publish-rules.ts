import { transact } from '#platform/server/database/transact.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import type { Deps } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { parseUsd, floorToCents } from '#platform/shared/money.ts'
import { insertRule } from '../data.ts'
import type { RuleRow } from '../data.ts'

/** Publishes a version of the rules that starts in the future; earlier relations keep theirs. Returns its number. Errors: BAD_INPUT. */
export async function publishRules(deps: Deps, by: Actor, rule: Omit<RuleRow, 'version'>): Promise<number> {
  const rising =
    rule.tiers?.every(({ from, reward }, i, all) => parseUsd(reward) === floorToCents(parseUsd(reward)) && (i === 0 || from > all[i - 1]!.from)) ?? true
  if (rule.effectiveAt <= deps.clock.now() || !rising) fail('BAD_INPUT')
  return transact(deps.db, by, async (tx) => {
    const version = await insertRule(tx, rule)
    await tx.audit('invitation.rules', `rules:${version}`, { effectiveAt: rule.effectiveAt.toISOString() })
    return version
  })
}
