import { z } from 'zod'
import { defineContract, emptyReply } from '#platform/shared/contract.ts'
import type { Endpoint } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { backofficeErrors } from './errors.ts'
import { effectsDifference, APPROVAL_LEVELS, REASON_CODES, approvalRules, commandEffects, COMMAND_STATES } from './words.ts'

const no = z.string().regex(/^C\d{8}-[0-9A-Z]{8}$/)
const time = z.string()

/** A requested command and its outcome. */
export const commandView = z.object({
  ...{ no: z.string(), name: z.string(), subject: z.string(), input: z.record(z.string(), z.unknown()), reasonCode: z.string(), reason: z.string() },
  ...{ link: z.string().nullable(), level: z.string(), rulesVersion: z.number(), needs: z.number(), via: z.string(), state: z.enum(COMMAND_STATES) },
  ...{ askedBy: z.string(), askedAt: time, expiresAt: time, endedAt: time.nullable(), canBeUndone: z.boolean() },
  preview: commandEffects,
  result: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).nullable(),
  difference: effectsDifference.nullable(),
  reviewedBy: z.string().nullable(),
  /** True while a question about it is unanswered. */
  askedBack: z.boolean(),
})
export type CommandView = z.output<typeof commandView>

export const previewReply = z.object({
  subject: z.string(),
  shown: commandEffects,
  expects: z.string(),
  level: z.enum(APPROVAL_LEVELS),
  canBeUndone: z.boolean(),
})

/** Fields of every command request besides the command's own input. */
export const commandRequestFields = {
  expects: z.string().regex(/^[0-9a-f]{64}$/),
  reasonCode: z.enum(REASON_CODES),
  reason: z.string().max(2000).default(''),
  link: z.string().max(500).optional(),
} as const

const read = { method: 'GET', access: 'operator', permission: 'work.read' } as const satisfies Partial<Endpoint>
const decide = { method: 'POST', access: 'operator', permission: 'work.read' } as const satisfies Partial<Endpoint>
const decisionFields = ['OPERATOR_STEP_UP', 'OPERATOR_TOKEN', 'COMMAND_DECIDED', 'COMMAND_OWN'] as const

/** Endpoints shared by all commands; each command's own two endpoints are generated from its definition (`generated-routes.ts`). */
export const commandsContract = defineContract({ ...commonErrors, ...backofficeErrors })({
  catalogue: {
    ...{ ...read, path: '/operator/commands', summary: 'Commands, and whether the caller may request them' },
    input: z.object({}),
    reply: z.object({
      commands: z.array(
        z.object({
          ...{ name: z.string(), summary: z.string(), permission: z.string(), may: z.boolean(), hasUndo: z.boolean() },
          input: z.record(z.string(), z.unknown()),
        }),
      ),
    }),
    errors: [],
  },
  rules: {
    ...{ ...read, path: '/operator/rules', summary: 'The approval rules in force' },
    input: z.object({}),
    reply: z.object({ version: z.number(), rules: approvalRules }),
    errors: [],
  },
  list: {
    ...{ ...read, path: '/operator/command/list', summary: 'Commands, newest first' },
    input: z.object({
      ...{ state: z.enum(COMMAND_STATES).optional(), subject: z.string().max(200).optional(), unreviewed: z.enum(['true']).optional() },
      ...{ before: no.optional(), limit: z.coerce.number().int().min(1).max(200).default(50) },
    }),
    reply: z.object({ commands: z.array(commandView) }),
    errors: [],
  },
  one: {
    ...{ ...read, path: '/operator/command', summary: 'One command, with its steps and, while it waits, what it would do now' },
    input: z.object({ no }),
    reply: commandView.extend({
      steps: z.array(z.object({ state: z.string(), at: time })),
      decisions: z.array(z.object({ operatorId: z.string(), verdict: z.string(), reason: z.string(), at: time })),
      questions: z.array(
        z.object({ id: z.string(), operatorId: z.string(), text: z.string(), at: time, answer: z.string().nullable(), answeredAt: time.nullable() }),
      ),
      now: commandEffects.nullable(),
      /** Figures that may change between preview and approval without blocking the run. */
      loose: z.array(z.string()),
    }),
    errors: [],
  },
  approve: {
    ...{ ...decide, path: '/operator/command/approve', summary: 'Approves a command that another operator requested' },
    input: z.object({ no, reason: z.string().max(2000).default('') }),
    reply: commandView,
    errors: decisionFields,
  },
  refuse: {
    ...{ ...decide, path: '/operator/command/refuse', summary: 'Refuses a command' },
    input: z.object({ no, reason: z.string().trim().min(1).max(2000) }),
    reply: commandView,
    errors: decisionFields,
  },
  question: {
    ...{ ...decide, path: '/operator/command/question', summary: 'Asks the requester a question instead of deciding; the command keeps waiting' },
    input: z.object({ no, text: z.string().trim().min(1).max(1000) }),
    reply: commandView,
    errors: ['OPERATOR_TOKEN', 'COMMAND_DECIDED', 'COMMAND_OWN'],
  },
  answer: {
    ...{ ...decide, path: '/operator/command/answer', summary: 'Answers a question about a command that the caller requested' },
    input: z.object({ no, questionId: z.string().regex(/^\d{1,18}$/), text: z.string().trim().min(1).max(1000) }),
    reply: commandView,
    errors: ['OPERATOR_TOKEN', 'COMMAND_DECIDED', 'COMMAND_ANSWERED'],
  },
  withdraw: {
    ...{ ...decide, path: '/operator/command/withdraw', summary: 'Withdraws a command that the caller requested' },
    input: z.object({ no }),
    reply: commandView,
    errors: ['COMMAND_DECIDED'],
  },
  undo: {
    ...{ ...decide, path: '/operator/command/undo', summary: 'Takes a command back by its inverse, for ten minutes' },
    input: z.object({ no }),
    reply: commandView,
    errors: ['COMMAND_NO_UNDO', 'COMMAND_WAITS', 'COMMAND_FORBIDDEN', 'OPERATOR_STEP_UP', 'OPERATOR_TOKEN'],
  },
  review: {
    ...{ ...decide, path: '/operator/command/review', summary: 'Marks a break-glass command as reviewed by another owner', permission: 'operators.manage' },
    input: z.object({ no }),
    reply: emptyReply,
    errors: ['OPERATOR_STEP_UP', 'OPERATOR_TOKEN'],
  },
  settings: {
    ...{ ...read, path: '/operator/settings', summary: 'Settings, as JSON, with their defaults' },
    input: z.object({}),
    reply: z.object({ settings: z.array(z.object({ key: z.string(), about: z.string(), value: z.string(), fallback: z.string() })) }),
    errors: [],
  },
  settingHistory: {
    ...{ ...read, path: '/operator/setting/history', summary: 'Every value that a setting had, newest first' },
    input: z.object({ key: z.string().max(100) }),
    reply: z.object({ versions: z.array(z.object({ id: z.string(), value: z.string(), at: time, by: z.string() })) }),
    errors: [],
  },
  renewInvite: {
    ...{
      method: 'POST',
      access: 'operator',
      permission: 'operators.manage',
      path: '/operator/invite/renew',
      summary: 'A new invitation for an invited operator, shown once; the previous one is void',
    },
    input: z.object({ operatorId: z.string().min(1).max(80) }),
    reply: z.object({ invite: z.string() }),
    errors: ['OPERATOR_STEP_UP', 'OPERATOR_TOKEN', 'OPERATOR_GRANT'],
  },
})
