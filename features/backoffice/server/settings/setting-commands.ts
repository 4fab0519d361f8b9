import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution, OperatorCommand } from '#platform/server/operator-command.ts'
import type { Setting } from '#platform/server/settings.ts'
import type { Db, Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { lockStoredValue, findVersionValue } from './data.ts'

const key = z.string().min(1).max(100)

/** Commands that change settings at run time: typed, with all previous values kept. `known`: settings of all features. */
export function createSettingCommands(known: readonly Setting[]): readonly OperatorCommand[] {
  const byKey = new Map(known.map((each) => [each.key, each]))
  const named = (name: string) => byKey.get(name) ?? fail('NOT_FOUND')
  const subject = async (_deps: { db: Db }, input: { key: string }) => `setting:${named(input.key).key}`
  const valueNow = async (sql: Sql, setting: Setting) => {
    const stored = setting.schema.safeParse(await lockStoredValue(sql, setting.key))
    return stored.success ? stored.data : setting.fallback
  }
  const look = async ({ tx }: CommandExecution, input: { key: string }) => ({ value: JSON.stringify(await valueNow(tx, named(input.key))) })
  const write = async ({ tx, deps, reason }: CommandExecution, setting: Setting, value: unknown) => {
    await deps.settings.set(tx, setting, value)
    await tx.audit('setting.reasoned', setting.key, { reason })
    return {}
  }
  return [
    defineCommand({
      name: 'setting.change',
      summary: 'Changes a setting; a switch of a feature, maintenance and notices are settings too',
      permission: 'settings.change',
      input: z.object({ key, value: z.json() }),
      subject,
      look,
      run: (act, input) => write(act, named(input.key), input.value),
      undo: (input, before) => ({ name: 'setting.change', input: { key: input.key, value: JSON.parse(String(before['value'])) as unknown } }),
    }),
    defineCommand({
      name: 'setting.revert',
      summary: 'Gives a setting the value that it had in a version of its history, or its default',
      permission: 'settings.change',
      input: z.object({ key, version: z.string().regex(/^(?:\d{1,18}|default)$/) }),
      subject,
      look,
      run: async (act, input) => {
        const setting = named(input.key)
        if (input.version === 'default') return write(act, setting, setting.fallback)
        const kept = (await findVersionValue(act.tx, setting.key, BigInt(input.version))) ?? fail('NOT_FOUND')
        return write(act, setting, kept.value)
      },
      undo: (input, before) => ({ name: 'setting.change', input: { key: input.key, value: JSON.parse(String(before['value'])) as unknown } }),
    }),
  ]
}
