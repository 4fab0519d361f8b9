import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { Failure, fail } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { pick } from '#platform/shared/pick.ts'
import { z } from 'zod'
import type { CommandView, commandsContract } from '../../contract-commands.console.ts'
import type { CommandEffects } from '../../words.ts'
import { listCommandDecisions, findCommand, listCommands, listCommandSteps } from './data.ts'
import type { CommandRow } from './data.ts'
import { requireCommand } from './decide.ts'
import { openInput } from './sealed-input.ts'
import { rehearseCommand } from './perform.ts'
import { prepareCommand } from './preview.ts'
import { listCommandQuestions } from './questions/data.ts'
import { readCurrentRules } from './rules.ts'
import { COMMAND_UNDO_MINUTES } from './undo.ts'

type Contract = typeof commandsContract

export function buildCommandView({ commands, clock }: Pick<Ctx, 'commands' | 'clock'>, row: CommandRow): CommandView {
  const before = Object.fromEntries(row.preview.changes.map((each) => [each.name, each.before]))
  const isFresh = row.state === 'done' && clock.now().getTime() - row.endedAt!.getTime() <= COMMAND_UNDO_MINUTES * 60_000
  return {
    ...{ ...pick(row, 'no', 'name', 'subject', 'input', 'reasonCode', 'reason', 'link') },
    ...{ ...pick(row, 'level', 'rulesVersion', 'needs', 'via', 'state', 'askedBy') },
    ...{ askedAt: row.askedAt.toISOString(), expiresAt: row.expiresAt.toISOString(), endedAt: row.endedAt?.toISOString() ?? null },
    canBeUndone: isFresh && commands?.get(row.name)?.undo?.(row.input, before) !== undefined,
    ...{ ...pick(row, 'preview', 'result', 'difference', 'reviewedBy') },
    askedBack: row.askedBack ?? false,
  }
}

export async function readCatalogue(ctx: Ctx): Promise<ReplyOf<Contract['catalogue']>> {
  return {
    commands: [...(ctx.commands?.values() ?? [])].map(({ name, summary, permission, undo, input }) => ({
      ...{ name, summary, permission, hasUndo: undo !== undefined, may: ctx.operator!.permissions.has(permission) },
      input: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>,
    })),
  }
}

export async function readApprovalRules(ctx: Ctx): Promise<ReplyOf<Contract['rules']>> {
  const { version, rules } = await readCurrentRules(ctx.db)
  return { version, rules: [...rules] }
}

export async function readCommands(ctx: Ctx, wanted: InputOf<Contract['list']>): Promise<ReplyOf<Contract['list']>> {
  const before = wanted.before === undefined ? undefined : ((await findCommand(ctx.db, wanted.before)) ?? fail('NOT_FOUND')).id
  const rows = await listCommands(ctx.db, {
    state: wanted.state,
    subject: wanted.subject,
    unreviewed: wanted.unreviewed === 'true',
    before,
    limit: wanted.limit,
  })
  return { commands: rows.map((row) => buildCommandView(ctx, row)) }
}

/** Reads one command. A waiting command is previewed again, so approvers see current figures. */
export async function readCommand(ctx: Ctx, { no }: InputOf<Contract['one']>): Promise<ReplyOf<Contract['one']>> {
  const row = (await findCommand(ctx.db, no)) ?? fail('NOT_FOUND')
  const [steps, decisions, questions] = [
    await listCommandSteps(ctx.db, row.id),
    await listCommandDecisions(ctx.db, row.id),
    await listCommandQuestions(ctx.db, row.id),
  ]
  return {
    ...buildCommandView(ctx, row),
    steps: steps.map(({ state, at }) => ({ state, at: at.toISOString() })),
    decisions: decisions.map(({ operatorId, verdict, reason, at }) => ({ operatorId, verdict, reason, at: at.toISOString() })),
    questions: questions.map(({ id, operatorId, text, at, answer, answeredAt }) => ({
      ...{ id: String(id), operatorId, text, at: at.toISOString(), answer, answeredAt: answeredAt?.toISOString() ?? null },
    })),
    now: row.state === 'waiting' ? await rehearseWaiting(ctx, row) : null,
    loose: [...(ctx.commands?.get(row.name)?.loose ?? [])],
  }
}

async function rehearseWaiting(ctx: Ctx, row: CommandRow): Promise<CommandEffects | null> {
  try {
    const { work } = await prepareCommand(ctx, requireCommand(ctx, row.name), { sent: openInput(ctx, row), reason: row.reason })
    return await transact(ctx.db, { kind: 'operator', id: row.askedBy }, (tx) => rehearseCommand(ctx, tx, work))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { changes: [], mails: {}, news: [], rows: {}, result: {}, refusal: { name: error.errorName, data: error.data ?? null } }
  }
}
