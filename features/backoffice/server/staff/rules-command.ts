import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import { fail } from '#platform/shared/errors.ts'
import { insertRules } from '../commands/data-rules.ts'
import { readCurrentRules } from '../commands/rules.ts'
import { approvalRules } from '../../words.ts'

/** Command that changes the approval rules, itself subject to the rules in force. */
export const changeRulesCommand = defineCommand({
  name: 'rules.change',
  summary: 'Replaces the approval rules',
  permission: 'rules.change',
  input: z.object({ rules: approvalRules }),
  subject: async () => 'rules',
  look: async ({ tx }) => {
    const { version, rules } = await readCurrentRules(tx)
    return { version, rules: JSON.stringify(rules) }
  },
  run: async ({ tx, by, reason }, { rules }) => {
    // A table that forbids its own change could never be corrected
    if (rules.some(({ command, level }) => level === 'forbidden' && ['*', 'rules.*', 'rules.change'].includes(command)))
      fail('BAD_INPUT', { fields: ['rules'] })
    const before = await readCurrentRules(tx)
    const version = await insertRules(tx, by.id, rules)
    await tx.audit('rules.changed', 'rules', { from: before.version, version, reason })
    return { version }
  },
  // Version numbers come from a sequence, which previews advance too
  loose: ['version'],
  undo: (_input, before) => ({ name: 'rules.change', input: { rules: JSON.parse(String(before['rules'])) as unknown } }),
})
