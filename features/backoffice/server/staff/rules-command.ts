import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import { fail } from '#platform/shared/errors.ts'
import { insertRules } from '../commands/data-rules.ts'
import { readCurrentRules } from '../commands/rules.ts'
import { approvalRules } from '../../words.ts'

/** Rules are changed as everything else is: previewed, with a reason, by the rules of before. */
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
    // a table that forbids its own change could not be mended
    if (rules.some(({ command, level }) => level === 'forbidden' && ['*', 'rules.*', 'rules.change'].includes(command)))
      fail('BAD_INPUT', { fields: ['rules'] })
    const before = await readCurrentRules(tx)
    const version = await insertRules(tx, by.id, rules)
    await tx.audit('rules.changed', 'rules', { from: before.version, version, reason })
    return { version }
  },
  // a version number is drawn from a sequence, and a preview draws one too
  loose: ['version'],
  undo: (_input, before) => ({ name: 'rules.change', input: { rules: JSON.parse(String(before['rules'])) as unknown } }),
})
