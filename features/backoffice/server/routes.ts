import { bind } from '#platform/server/feature.ts'
import type { Binding } from '#platform/server/feature.ts'
import type { Setting } from '#platform/server/settings.ts'
import { bulkContract } from '../contract-bulk.console.ts'
import { auditContract } from '../contract-audit.console.ts'
import { accessContract } from '../contract.console.ts'
import { commandsContract } from '../contract-commands.console.ts'
import { customersContract } from '../contract-customers.console.ts'
import { workDeskContract } from '../contract-desk.console.ts'
import { moneyContract } from '../contract-money.console.ts'
import { acceptInvite, openInvite } from './access/invites.ts'
import {
  endOwnSession,
  revokeOperatorToken,
  listOperatorSessions,
  listOperatorTokens,
  createOperatorToken,
  readMe,
  readOperators,
  renewOperatorRecovery,
  signOut,
} from './access/own-access.ts'
import {
  addOperatorPasskey,
  listPasskeys,
  passkeyChallenge,
  createPasskeyOptions,
  passkeySignIn,
  removeOperatorPasskey,
  createStepUpChallenge,
} from './access/passkeys.ts'
import { signInByPassword, stepUpOperator } from './access/sign-in.ts'
import { exportAuditLog, readAuditLog, verifyAuditChain } from './audit/read-audit.ts'
import { alarmRoutes } from './alarms/read.ts'
import { viewAs } from './audit/view-as.ts'
import { revealContact } from './audit/reveal.ts'
import { approveCommand, refuseCommand, reviewBrokenGlass, withdrawCommand } from './commands/decide.ts'
import { answerCommandQuestion, askRequester } from './commands/questions/ask-requester.ts'
import { undoCommand } from './commands/undo.ts'
import { readCatalogue, readCommand, readCommands, readApprovalRules, buildCommandView } from './commands/view.ts'
import { readBulk, readBulkRows, readBulks } from './bulk/read-bulks.ts'
import { queryCompensation } from './compensation/read-query.ts'
import { listExports, readExport, startExport } from './exports/exports.ts'
import type { ConsoleList } from './exports/write-list.ts'
import {
  readCalls,
  readCards,
  readConversations,
  readInvitations,
  readKeys,
  readLedger,
  readNotices,
  readSessions,
  readTimeline,
} from './desk/customer-tabs.ts'
import { disputeRoutes } from './disputes/read.ts'
import { readCustomer, readCustomers } from './desk/customers.ts'
import { find } from './desk/find.ts'
import { readOrder, readOrders } from './desk/orders.ts'
import { readWithdrawal, readWithdrawals } from './desk/withdrawals.ts'
import { releaseWork, readCounts, readItem, readWork, readWorkCounts, takeWork } from './desk/work.ts'
import { readNotes } from './notes/read-notes.ts'
import { createHistoryReader, createSettingsReader } from './settings/read-settings.ts'
import { systemRoutes } from './system/read-system.ts'
import { renewInvite } from './staff/renew-invite.ts'

const access = bind(accessContract, {
  ...{
    signIn: signInByPassword,
    passkeyChallenge,
    passkeySignIn,
    openInvite,
    acceptInvite,
    stepUp: stepUpOperator,
    stepUpChallenge: createStepUpChallenge,
    signOut,
    me: readMe,
  },
  ...{
    sessions: listOperatorSessions,
    endSession: endOwnSession,
    passkeys: listPasskeys,
    passkeyOptions: createPasskeyOptions,
    addPasskey: addOperatorPasskey,
    removePasskey: removeOperatorPasskey,
  },
  ...{
    newRecovery: renewOperatorRecovery,
    tokens: listOperatorTokens,
    makeToken: createOperatorToken,
    revokeToken: revokeOperatorToken,
    operators: readOperators,
  },
})

const audit = bind(auditContract, { audit: readAuditLog, auditFile: exportAuditLog, verifyAudit: verifyAuditChain, reveal: revealContact, viewAs })

const desk = bind(workDeskContract, {
  ...{ work: readWork, workCounts: readWorkCounts, workItem: readItem, take: takeWork, putBack: releaseWork, counts: readCounts, find },
})

const customers = bind(customersContract, {
  ...{ customers: readCustomers, customer: readCustomer, customerTimeline: readTimeline, customerLedger: readLedger, customerCalls: readCalls },
  ...{ customerKeys: readKeys, customerSessions: readSessions, customerCards: readCards, customerNotices: readNotices },
  ...{ customerConversations: readConversations, customerInvitations: readInvitations, customerNotes: readNotes },
})
const money = bind(moneyContract, { orders: readOrders, order: readOrder, withdrawals: readWithdrawals, withdrawal: readWithdrawal })

/** `known`: settings of all features; `lists`: lists that can be exported. */
export const buildBackofficeRoutes = (known: readonly Setting[], lists: () => ReadonlyMap<string, ConsoleList>): readonly Binding[] => [
  access,
  audit,
  desk,
  systemRoutes,
  alarmRoutes,
  disputeRoutes,
  customers,
  money,
  bind(bulkContract, {
    ...{ bulks: readBulks, bulk: readBulk, bulkRows: readBulkRows, compensationQuery: queryCompensation },
    ...{ startExport: startExport(lists), exports: listExports, exportFile: readExport },
  }),
  bind(commandsContract, {
    ...{ catalogue: readCatalogue, rules: readApprovalRules, list: readCommands, one: readCommand },
    approve: async (ctx, { no, reason }) => buildCommandView(ctx, await approveCommand(ctx, no, reason)),
    refuse: async (ctx, { no, reason }) => buildCommandView(ctx, await refuseCommand(ctx, no, reason)),
    question: async (ctx, { no, text }) => buildCommandView(ctx, await askRequester(ctx, no, text)),
    answer: async (ctx, { no, questionId, text }) => buildCommandView(ctx, await answerCommandQuestion(ctx, no, { questionId, text })),
    withdraw: async (ctx, { no }) => buildCommandView(ctx, await withdrawCommand(ctx, no)),
    undo: async (ctx, { no }) => buildCommandView(ctx, await undoCommand(ctx, no)),
    review: async (ctx, { no }) => (await reviewBrokenGlass(ctx, no), {}),
    ...{ settings: createSettingsReader(known), settingHistory: createHistoryReader(known), renewInvite },
  }),
]
