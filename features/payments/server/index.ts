import { defineFeature } from '#platform/server/feature.ts'
import { paymentErrors } from '../errors.ts'
import { paymentTexts } from '../texts.ts'
import { discrepancyCommands } from './statements/commands.ts'
import { grantCommands } from './grants/commands.ts'
import { debtCommands } from './debts/commands.ts'
import { paymentOrderCommands } from './orders/commands.ts'
import { withdrawalCommands } from './withdrawals/commands.ts'
import { autoEvents } from './auto/events.ts'
import { autoJobs } from './auto/jobs.ts'
import { autoRoutes } from './auto/routes.ts'
import { sealedAgreementColumns } from './auto/seal.ts'
import { autoSettings } from './auto/settings.ts'
import { listChannelBalances, listChannelCertificates } from './balances.ts'
import { paymentMovementFacts } from './funds/movement-facts.ts'
import { listKindRefusals } from './kinds/index.ts'
import { orderMails } from './mails.ts'
import { registerMovementFacts } from '#features/wallet/server/door.ts'
import { paymentsPersonal } from './personal.ts'
import { orderRoutes, paymentRawRoutes, paymentRoutes } from './routes.ts'
import { paymentSettings } from './settings.ts'
import { invoiceRequestCommands } from './paper/asked/commands.ts'
import { invoiceRequestRoutes } from './paper/asked/verbs.ts'
import { invoiceCommands } from './paper/desk/commands.ts'
import { invoiceDeskRoutes } from './paper/desk/read.ts'
import { paperJobs } from './paper/jobs.ts'
import { paperRoutes } from './paper/routes.ts'
import { paperSettings } from './paper/settings.ts'
import { agreementPort, channelPort, findChannelProblems, channelSandboxPanels, channelRegistry, channelSandboxJobs } from './vendors/index.ts'
import { sealedPayoutColumns } from './withdrawals/account-seal.ts'
import { withdrawalJobs } from './withdrawals/jobs.ts'
import { withdrawRoutes } from './withdrawals/routes.ts'
import { withdrawalSettings } from './withdrawals/settings.ts'
import { payoutRegistry } from './withdrawals/vendors/index.ts'
import type { ConfigShape } from '#platform/server/config.ts'
import type { JobSpec } from '#platform/server/jobs.ts'

const paymentJobs: readonly JobSpec[] = [
  { name: 'payments.reconcile', everyMs: 5000, handle: async (deps) => (await import('./reconciling/reconcile.ts')).reconcile(deps) },
  { name: 'payments.refunds', everyMs: 1000, handle: async (deps) => (await import('./reconciling/reconcile.ts')).workRefunds(deps) },
  { name: 'payments.evidence', everyMs: 2000, handle: async (deps) => (await import('./refunds/evidence/send-evidence.ts')).sendEvidence(deps) },
  // 10:00 in Shanghai, when the files of the previous day are available.
  { name: 'payments.plan-statements', cron: '0 2 * * *', handle: async (deps) => (await import('./statements/compare-statements.ts')).planStatements(deps) },
  { name: 'payments.statements', everyMs: 60_000, handle: async (deps) => (await import('./statements/compare-statements.ts')).compareStatements(deps) },
  ...channelSandboxJobs,
]

/** Environment variables of all payment and payout channels. A channel without credentials is not offered. */
export const paymentsConfig: ConfigShape = { ...channelRegistry.env, ...payoutRegistry.env }

for (const source of paymentMovementFacts) registerMovementFacts(source)

export const payments = defineFeature({
  name: 'payments',
  suppliers: [agreementPort, channelPort, payoutRegistry.port],
  texts: paymentTexts,
  errors: paymentErrors,
  broughtErrors: { 'POST /api/go/v1/payOrder': listKindRefusals },
  routes: [paymentRoutes, orderRoutes, withdrawRoutes, paperRoutes, invoiceRequestRoutes, autoRoutes],
  rawRoutes: paymentRawRoutes,
  jobs: [...paymentJobs, ...withdrawalJobs, ...paperJobs, ...autoJobs],
  events: [...orderMails, ...autoEvents],
  personal: paymentsPersonal,
  sealed: [...sealedPayoutColumns, ...sealedAgreementColumns],
  settings: [...paymentSettings, ...withdrawalSettings, ...paperSettings, ...autoSettings],
  config: paymentsConfig,
  commands: [
    ...paymentOrderCommands,
    ...debtCommands,
    ...withdrawalCommands,
    ...discrepancyCommands,
    ...grantCommands,
    ...invoiceCommands,
    ...invoiceRequestCommands,
  ],
  consoleRoutes: [invoiceDeskRoutes],
  balances: listChannelBalances,
  certificates: listChannelCertificates,
  sandboxPanels: channelSandboxPanels,
  missing: findChannelProblems,
  start: async (deps) => {
    payoutRegistry.list(deps)
  },
})
