import type { JobSpec } from '#platform/server/jobs.ts'

export const cardJobs: readonly JobSpec[] = [
  { name: 'cards.notices', everyMs: 1000, handle: async (deps) => (await import('./notices/receive-notice.ts')).workNotices(deps) },
  { name: 'cards.moves', everyMs: 500, handle: async (deps) => (await import('./money/work-moves.ts')).workMoves(deps) },
  { name: 'cards.cards', everyMs: 500, handle: async (deps) => (await import('./lifecycle/work-cards.ts')).workCards(deps) },
  { name: 'cards.authorizations', everyMs: 5000, handle: async (deps) => (await import('./authorisations/work-auths.ts')).workAuths(deps) },
  { name: 'cards.disputes', everyMs: 5000, handle: async (deps) => (await import('./disputes/converge-dispute.ts')).workDisputes(deps) },
  { name: 'cards.free_requests', everyMs: 60_000, handle: async (deps) => (await import('./members/free-requests.ts')).refundFreeRequests(deps) },
  // 09:00 in Shanghai.
  { name: 'cards.expiry', cron: '0 1 * * *', handle: async (deps) => (await import('./lifecycle/expiry.ts')).processExpiringCards(deps) },
  { name: 'cards.books', cron: '20 2 * * *', handle: async (deps) => (await import('./books/book.ts')).compareCardBooks(deps) },
]
