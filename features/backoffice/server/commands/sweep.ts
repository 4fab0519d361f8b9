import type { Deps } from '#platform/server/feature.ts'
import type { JobSpec } from '#platform/server/jobs.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { backofficeTexts } from '../../texts.ts'
import { findOperator, deleteExpiredAccess, listOthersWithPermission } from '../access/data.ts'
import { runApprovedCommand } from './run-approved.ts'
import { lockCommand, moveCommand, listOverdueCommands, claimReminders } from './data.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'
import { pick } from '#platform/shared/pick.ts'

const REMINDER_HOURS = 4
const waits = { name: 'backoffice.waits', texts: backofficeTexts, subject: 'mail_command_waits_subject', body: 'mail_command_waits_body' } as const

/** Job: expires commands past their time, and reminds their possible approvers once after 4 hours. */
export async function sweepCommands(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  for (const no of await listOverdueCommands(deps.db, now)) {
    await transact(deps.db, SYSTEM, async (tx) => {
      const row = await lockCommand(tx, no)
      if (row?.state !== 'waiting' && row?.state !== 'approved') return
      await moveCommand(tx, row.id, { state: 'expired', move: { endedAt: now } })
      await tx.audit('command.expired', `command:${no}`, { name: row.name, subject: row.subject })
    })
  }
  await transact(deps.db, SYSTEM, async (tx) => {
    for (const row of await claimReminders(tx, new Date(now.getTime() - REMINDER_HOURS * 3_600_000), now)) {
      const permission = deps.commands?.get(row.name)?.permission
      const asker = await findOperator(tx, row.askedBy)
      for (const { id, mail } of permission ? await listOthersWithPermission(tx, permission, row.askedBy) : []) {
        await sendMail(deps, tx, {
          ...{ to: mail, template: waits, lang: DEFAULT_LANG, dedupe: `backoffice.waits:${row.no}:${id}` },
          values: {
            ...pick(row, 'name', 'subject', 'no', 'reason'),
            operator: asker?.name ?? '',
            expires: toShanghaiTime(row.expiresAt),
          },
        })
      }
    }
  })
  await deleteExpiredAccess(deps.db, now)
}

export const commandJobs: readonly JobSpec[] = [
  { name: 'backoffice.carry-out', handle: async (deps, { no }: { no: string }) => void (await runApprovedCommand(deps, no)) },
  { name: 'backoffice.sweep', cron: '* * * * *', handle: sweepCommands },
]
