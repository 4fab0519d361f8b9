import type { Deps } from '#platform/server/feature.ts'
import type { JobSpec } from '#platform/server/jobs.ts'

/** Handlers are loaded when first run, so that other roles do not carry them. */
export const gatewayJobs: readonly JobSpec[] = [
  { name: 'gateway.sweep', everyMs: 1000, handle: async (deps: Deps) => (await import('./journal/sweeping/sweep-calls.ts')).sweepCalls(deps) },
  { name: 'gateway.ask-again', everyMs: 60_000, handle: async (deps: Deps) => (await import('./journal/repairs/query-vendors.ts')).retryVendorQueries(deps) },
  { name: 'gateway.check-sums', cron: '41 19 * * *', handle: async (deps: Deps) => (await import('./usage/check-sums.ts')).checkRecentSums(deps) },
  // Ten in the morning in Shanghai.
  { name: 'gateway.tell-retiring', cron: '7 2 * * *', handle: async (deps: Deps) => (await import('./catalogue/mail-retiring.ts')).mailRetiringModels(deps) },
  { name: 'gateway.tell-rises', everyMs: 30_000, handle: async (deps: Deps) => (await import('./terms/mail-price-rises.ts')).announcePriceRises(deps) },
  {
    name: 'gateway.compare-books',
    cron: '17 6 * * *',
    handle: async (deps: Deps) => (await import('./books/compare-books.ts')).compareRecentVendorBooks(deps),
  },
  { name: 'gateway.alerts', everyMs: 5000, handle: async (deps: Deps) => (await import('./alerts/watch.ts')).watchAlerts(deps) },
  {
    name: 'gateway.test-call',
    handle: async (deps: Deps, { id }: { readonly id: string }) => (await import('./upstreams/tests/run-test-call.ts')).runTestCall(deps, id),
  },
  {
    name: 'gateway.sweep-tests',
    everyMs: 30_000,
    handle: async (deps: Deps) => (await import('./upstreams/tests/end-test-call.ts')).sweepTestCalls(deps),
  },
  {
    name: 'gateway.webhook',
    // A receiver may take ten seconds to answer: each user has one delivery under way at a time, different users' run in parallel.
    atOnce: { jobs: 8, ofGroup: 1 },
    handle: async (deps: Deps, { id }: { readonly id: string }) => (await import('./alerts/deliver-webhook.ts')).deliverWebhook(deps, id),
  },
  {
    name: 'gateway.forget-alerts',
    cron: '11 3 * * *',
    handle: async (deps: Deps) => (await import('./alerts/data-alerts.ts')).deleteOldAlerts(deps.db),
  },
  { name: 'gateway.forget-refused', cron: '37 3 * * *', handle: async (deps: Deps) => (await import('./requests/data-refused.ts')).deleteOldRefused(deps.db) },
  {
    name: 'gateway.forget-secrets',
    cron: '43 3 * * *',
    handle: async (deps: Deps) => void (await (await import('./keys/data-secrets.ts')).deleteEndedSecrets(deps.db)),
  },
  {
    name: 'gateway.forget-made',
    cron: '31 3 * * *',
    handle: async (deps: Deps) => {
      await (await import('./journal/data-made.ts')).deleteOldVendorIds(deps.db)
      await (await import('./journal/writing/data-failed.ts')).deleteOldFailedTries(deps.db)
    },
  },
  {
    name: 'gateway.months',
    cron: '23 2 * * *',
    handle: async (deps: Deps) => {
      await (await import('./keys/data.ts')).createMonthPartitions(deps.db)
    },
  },
]
