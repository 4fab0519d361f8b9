import { z } from 'zod'
import type { Deps, SignedOperator } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { backofficeTexts } from '../../texts.ts'
import { resolvePermissions } from '../../permissions.ts'
import { listActiveOwners, findOperatorByMail } from '../access/data.ts'
import { authenticateOperator } from '../access/sessions.ts'
import { requestCommand } from './request-command.ts'
import type { CommandRow } from './data.ts'
import { hashEffects } from './perform.ts'
import { prepareCommand, previewCommand } from './preview.ts'
import type { CommandPreview } from './preview.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'
import { pick } from '#platform/shared/pick.ts'

/** A command from the command line: operator, command, reason. */
export interface CommandLineOperation {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly reason: string
  readonly reasonCode: string
  /** Either an operator's API token, or the mail of an owner for break-glass. */
  readonly by: { readonly token: string } | { readonly breakGlass: string }
  /** Called with the preview; false stops before the request. */
  readonly goOn: (preview: CommandPreview) => boolean | Promise<boolean>
}

const alarm = { name: 'backoffice.break-glass', texts: backofficeTexts, subject: 'mail_break_glass_subject', body: 'mail_break_glass_body' } as const

/**
 * Runs a command like the console does: preview, then request. Undefined if it stopped after the preview. A break-glass command needs no
 * approval, is mailed to all owners, and waits on the work list for another owner's review.
 */
export async function operateCommand(deps: Deps, operation: CommandLineOperation): Promise<CommandRow | undefined> {
  const command = deps.commands?.get(operation.name) ?? fail('NOT_FOUND', { command: operation.name })
  const parsed = command.input.safeParse(operation.input)
  if (!parsed.success)
    return fail('BAD_INPUT', {
      fields: parsed.error.issues.map((issue: { path: PropertyKey[]; message: string }) => `${issue.path.join('.')}: ${issue.message}`),
    })
  const operator = await requireRequester(deps, operation)
  if (!operator.permissions.has(command.permission)) fail('FORBIDDEN')
  const input = parsed.data as Record<string, unknown>
  const preview = await previewCommand(deps, operator, { command, sent: input })
  if (!(await operation.goOn(preview))) return undefined
  const isGlass = 'breakGlass' in operation.by
  const prepared = await prepareCommand(deps, command, { sent: input, reason: operation.reason })
  return transact(deps.db, { kind: 'operator', id: operator.id }, async (tx) => {
    const row = await requestCommand(deps, tx, {
      command: prepared,
      asking: {
        ...{ expects: hashEffects(prepared.work, preview.shown).toString('hex'), reason: operation.reason, reasonCode: operation.reasonCode, link: undefined },
        ...{ operatorId: operator.id, via: isGlass ? 'breakGlass' : 'token', viaId: operator.sessionId, isProven: false },
      },
    })
    if (!isGlass) return row
    await tx.audit('break-glass.used', `command:${row.no}`, { name: row.name, subject: row.subject, reason: row.reason })
    for (const owner of await listActiveOwners(tx))
      await sendMail(deps, tx, {
        ...{ to: owner.mail, template: alarm, lang: DEFAULT_LANG, dedupe: `backoffice.glass:${row.no}:${owner.id}` },
        values: { ...pick(row, 'name', 'subject', 'no', 'reason'), operator: operator.id },
      })
    return row
  })
}

async function requireRequester(deps: Deps, { by }: CommandLineOperation): Promise<SignedOperator> {
  if ('token' in by) return (await authenticateOperator(deps, by.token, { ip: '127.0.0.1' })) ?? fail('SESSION_EXPIRED')
  const owner = await findOperatorByMail(deps.db, z.string().parse(by.breakGlass).toLowerCase())
  if (owner?.status !== 'active' || !owner.roles.includes('owner')) return fail('FORBIDDEN')
  return { id: owner.id, by: 'session', sessionId: 'breakGlass', permissions: resolvePermissions(owner.roles), provenAt: deps.clock.now() }
}
