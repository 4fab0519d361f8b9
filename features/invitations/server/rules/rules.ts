import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { selectRules } from '../data.ts'
import type { RuleRow } from '../data.ts'

/** The rules in force: the newest version that has started. */
export async function readCurrentRule(sql: Sql): Promise<RuleRow> {
  const rule = first(await selectRules(sql))
  if (!rule) throw new Error('the invitations have no rules')
  return rule
}

/** Rules of a relation: its initial version for as long as that promised, then the newest. */
export async function readRelationRule(sql: Sql, relation: { readonly ruleVersion: number; readonly ageDays: number }): Promise<RuleRow> {
  const rules = await selectRules(sql)
  const own = rules.find(({ version }) => version === relation.ruleVersion)
  return own && relation.ageDays < own.keepDays ? own : rules[0]!
}
